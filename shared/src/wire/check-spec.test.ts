import { expect } from 'chai';
import fc from 'fast-check';
import { CHECK_KINDS, checkCode, codeOfKind, type CheckSpec, type ProbeTarget } from '../check.js';
import { DNS_RECORD_TYPES, type ExpectedRecords } from '../checks/dns.js';
import { httpCheck } from '../checks/http.js';
import { sslCheck } from '../checks/ssl.js';
import { tcpUdpCheck } from '../checks/tcp-udp.js';
import { CheckSpec as WireSpec } from '../gen/watchpost/agent/v1/agent.js';
import { specFromWire, specToWire } from './check-spec.js';

const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const egress = fc.constantFrom('monitor' as const, 'public' as const);
const port = fc.integer({ min: 1, max: 65_535 });
const addresses = fc.constantFrom('first' as const, 'ipv4' as const, 'ipv6' as const);
const recordType = fc.constantFrom(...DNS_RECORD_TYPES);
const target: fc.Arbitrary<ProbeTarget> = fc.oneof(
  fc
    .record({
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
      addresses,
      egress,
    })
    .map((http) => httpCheck.target.parse(http)),
  fc
    .record({ host: text, port, incidentDays: fc.option(fc.nat(365)), addresses, egress })
    .map((ssl) => sslCheck.target.parse(ssl)),
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
  fc
    .record({
      protocol: fc.constantFrom('tcp' as const, 'udp' as const),
      host: text,
      port,
      send: fc.option(text),
      expect: fc.option(text),
      addresses,
      egress,
    })
    .map((tcpUdp) => tcpUdpCheck.target.parse(tcpUdp)),
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

const ssl = sslCheck.target.parse({ host: 'shop.test', port: 443, incidentDays: 7 });
const wireOf = (of: ProbeTarget) =>
  specToWire({
    key: { monitorKey: 7, kind: of.kind },
    intervalMs: 60_000,
    timeoutMs: 10_000,
    phaseMs: 1_234,
    changedAtMs: 1_763_000_000_000,
    target: of,
  });

describe('a check', () => {
  it('of any kind is decoded as it was encoded', () => {
    fc.assert(
      fc.property(spec, (given) => {
        expect(overTheWire(specToWire(given))).to.deep.equal(given);
      }),
    );
  });

  it('is sent with the code of its kind, without the fields of its target that have their default', () => {
    const { key, target } = wireOf({ ...ssl, incidentDays: null });
    expect([key, target]).to.deep.equal([{ monitorKey: 7n, kind: 2 }, '{"host":"shop.test","port":443}']);
    const codes = CHECK_KINDS.map((kind) => codeOfKind(kind));
    // Results that are stored have these: a code never changes, and a new kind has a code of its own.
    expect(codes.slice(0, 5)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(new Set(codes).size).to.equal(codes.length);
  });

  it('that is not complete is left out', () => {
    const wire = wireOf(ssl);
    for (const incomplete of [
      { ...wire, key: undefined },
      { ...wire, intervalMs: 0 },
      { ...wire, timeoutMs: 0 },
    ])
      expect(specFromWire(incomplete)).to.equal(undefined);
  });

  it('that only a newer version can run is kept as unsupported, and encoded again as it was received', () => {
    const wire = wireOf(ssl);
    const others = [
      { ...wire, key: { monitorKey: 7n, kind: 29 } },
      { ...wire, target: '' },
      { ...wire, target: 'not JSON' },
      { ...wire, target: '{"hostname":"shop.test"}' },
      { ...wire, target: '{"host":"shop.test","port":65536}' },
      { ...wire, target: '{"host":"shop.test","port":443,"startTls":"smtp"}' },
      { ...wire, target: '{"host":"shop.test","port":443,"egress":"anywhere"}' },
    ];
    for (const other of others) {
      const decoded = specFromWire(other)!;
      expect(decoded.target).to.deep.equal({ kind: 'unsupported', json: other.target });
      expect(specToWire(decoded)).to.deep.equal(other);
    }
    const codes = others.map((other) => checkCode(specFromWire(other)!.key));
    expect(new Set(codes).size).to.equal(2);
  });
});
