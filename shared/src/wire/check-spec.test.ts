import { expect } from 'chai';
import fc from 'fast-check';
import { DNS_RECORD_TYPES, type CheckSpec, type ExpectedRecords, type ProbeTarget } from '../check.js';
import { CheckSpec as WireSpec } from '../gen/watchpost/agent/v1/agent.js';
import { specFromWire, specToWire } from './check-spec.js';

const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const egress = fc.constantFrom('monitor' as const, 'public' as const);
const port = fc.integer({ min: 1, max: 65_535 });
const recordType = fc.constantFrom(...DNS_RECORD_TYPES);
const target: fc.Arbitrary<ProbeTarget> = fc.oneof(
  fc.record({
    kind: fc.constant('http' as const),
    url: fc.webUrl(),
    method: fc.constantFrom('GET', 'POST'),
    headers: fc.array(fc.record({ name: text, value: text }), { maxLength: 4 }),
    body: fc.option(text.filter((body) => body !== '')),
    expectedStatus: fc.array(fc.record({ from: fc.nat(999), to: fc.nat(999) }), { maxLength: 4 }),
    followRedirects: fc.boolean(),
    keyword: fc.option(
      fc.record({
        text: text.filter((word) => word !== ''),
        mode: fc.constantFrom('present' as const, 'absent' as const),
      }),
    ),
    verifyCertificate: fc.boolean(),
    egress,
  }),
  fc.record({ kind: fc.constant('ssl' as const), host: text, port, incidentDays: fc.option(fc.nat(365)), egress }),
  fc.record({
    kind: fc.constant('dns' as const),
    hostname: text,
    recordTypes: fc.uniqueArray(recordType, { minLength: 1 }),
    expectedRecords: fc.array(
      fc.record({
        type: recordType,
        match: fc.constantFrom<ExpectedRecords['match'][]>('any', 'all', 'exact'),
        values: fc.array(text, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
    resolvers: fc.array(text, { maxLength: 3 }),
    checkPropagation: fc.boolean(),
    egress,
  }),
  fc.record({
    kind: fc.constant('tcpUdp' as const),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    host: text,
    port,
    send: fc.option(text),
    expect: fc.option(text),
    egress,
  }),
);
const spec: fc.Arbitrary<CheckSpec> = fc
  .record({
    monitorKey: fc.maxSafeNat(),
    intervalMs: fc.integer({ min: 1, max: 3_600_000 }),
    timeoutMs: fc.integer({ min: 1, max: 60_000 }),
    phaseMs: fc.nat(3_600_000),
    changedAtMs: fc.maxSafeNat(),
    ownerKey: fc.option(fc.string({ maxLength: 16 }), { nil: undefined }),
    siteKey: fc.option(fc.string({ maxLength: 16 }), { nil: undefined }),
    target,
  })
  .map(({ monitorKey, ...made }) => ({
    ...made,
    key: { monitorKey, kind: made.target.kind },
    phaseMs: made.phaseMs % made.intervalMs,
  }));
const overTheWire = (wire: WireSpec) => specFromWire(WireSpec.decode(WireSpec.encode(wire).finish()));

const specOf = (of: ProbeTarget): CheckSpec => ({
  key: { monitorKey: 7, kind: of.kind },
  intervalMs: 60_000,
  timeoutMs: 10_000,
  phaseMs: 1_234,
  changedAtMs: 1_763_000_000_000,
  target: of,
});
const wireOf = (of: ProbeTarget) => WireSpec.decode(WireSpec.encode(specToWire(specOf(of))).finish());
const specToWireOf = (target: ProbeTarget) => specToWire(specOf(target));

describe('a check', () => {
  it('of any kind is decoded as it was encoded', () => {
    fc.assert(
      fc.property(spec, (given) => {
        expect(overTheWire(specToWire(given))).to.deep.equal(given);
      }),
    );
  });

  it('keeps the numbers of the wire contract', () => {
    const dns = {
      hostname: 'shop.test',
      resolvers: ['192.0.2.53'],
      checkPropagation: true,
    };
    const values = ['x'];
    const asked = specToWireOf({
      ...dns,
      kind: 'dns',
      recordTypes: ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'],
      expectedRecords: [
        { type: 'A', match: 'any', values },
        { type: 'MX', match: 'all', values },
        { type: 'TXT', match: 'exact', values },
      ],
      egress: 'public',
    });
    expect(asked.key).to.deep.equal({ monitorKey: 7n, kind: 3 });
    expect(asked.target!.value).to.deep.equal({
      ...dns,
      recordTypes: [1, 2, 3, 4, 5, 6],
      expectedRecords: [
        { type: 1, match: 1, values },
        { type: 4, match: 2, values },
        { type: 6, match: 3, values },
      ],
      egress: 2,
    });
    const port = { host: 'shop.test', port: 53 };
    for (const [protocol, number] of [
      ['tcp', 1],
      ['udp', 2],
    ] as const) {
      const reached = specToWireOf({ ...port, kind: 'tcpUdp', protocol, send: null, expect: null, egress: 'monitor' });
      expect(reached.key!.kind).to.equal(4);
      expect(reached.target!.value).to.deep.include({ ...port, protocol: number, egress: 1 });
    }
    const secured = specToWireOf({ ...port, kind: 'ssl', incidentDays: 7, egress: 'monitor' });
    expect(secured.key!.kind).to.equal(2);
    expect(secured.target!.value).to.deep.equal({ ...port, incidentDays: 7, byLifetime: false, egress: 1 });
    // A former agent reads the days alone.
    const lasting = specToWireOf({ ...port, kind: 'ssl', incidentDays: null, egress: 'monitor' });
    expect(lasting.target!.value).to.deep.equal({ ...port, incidentDays: 7, byLifetime: true, egress: 1 });
  });

  it('that this build cannot run is left out', () => {
    const ssl = wireOf({ kind: 'ssl', host: 'shop.test', port: 443, incidentDays: 7, egress: 'monitor' });
    const dns = wireOf({
      kind: 'dns',
      hostname: 'shop.test',
      recordTypes: ['A'],
      expectedRecords: [],
      resolvers: [],
      checkPropagation: false,
      egress: 'monitor',
    });
    const tcp = wireOf({
      kind: 'tcpUdp',
      protocol: 'tcp',
      host: 'a.test',
      port: 1,
      send: null,
      expect: null,
      egress: 'public',
    });
    for (const wire of [
      { ...ssl, target: undefined },
      { ...ssl, target: dns.target },
      { ...ssl, key: { monitorKey: 7n, kind: 9 as number as 2 } },
      { ...ssl, intervalMs: 0 },
      { ...ssl, timeoutMs: 0 },
      {
        ...ssl,
        target: {
          $case: 'ssl' as const,
          value: { host: 'a', port: 65_536, incidentDays: 7, byLifetime: false, egress: 1 },
        },
      },
      withValue(dns, { recordTypes: [0, 99] }),
      withValue(tcp, { protocol: 9 }),
      withValue(tcp, { port: 0 }),
    ])
      expect(specFromWire(wire)).to.equal(undefined);
  });

  it('may contain values of a newer version: an unknown record type is left out, an unknown policy is the strict one', () => {
    const dns = wireOf({
      kind: 'dns',
      hostname: 'shop.test',
      recordTypes: ['A'],
      expectedRecords: [{ type: 'A', match: 'any', values: ['192.0.2.1'] }],
      resolvers: [],
      checkPropagation: false,
      egress: 'monitor',
    });
    const newer = withValue(dns, {
      recordTypes: [1, 99],
      expectedRecords: [{ type: 99, match: 1, values: ['x'] }],
      egress: 9,
    });
    expect(specFromWire(newer)!.target).to.deep.include({ recordTypes: ['A'], expectedRecords: [], egress: 'public' });
  });
});

/** As a newer version would send it: numbers that the types here do not know. */
function withValue(wire: WireSpec, value: object): WireSpec {
  return { ...wire, target: { ...wire.target!, value: { ...wire.target!.value, ...value } } as WireSpec['target'] };
}
