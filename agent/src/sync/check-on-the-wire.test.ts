import { expect } from 'chai';
import fc from 'fast-check';
import { DNS_RECORD_TYPES, type CheckSpec, type ExpectedRecords, type ProbeTarget } from '@watchpost/shared/check';
import { CheckSpec as WireSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specToWire } from '@watchpost/shared/wire/spec-to-wire';
import { fromWireSpec } from './check-codec.js';

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
  fc.record({ kind: fc.constant('ssl' as const), host: text, port, incidentDays: fc.nat(365), egress }),
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
const overTheWire = (wire: WireSpec) => fromWireSpec(WireSpec.decode(WireSpec.encode(wire).finish()));

describe('a check of any kind', () => {
  it('reaches the agent as the control plane meant it', () => {
    fc.assert(
      fc.property(spec, (given) => {
        expect(overTheWire(specToWire(given))).to.deep.equal(given);
      }),
    );
  });
});
