import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckSpec } from '@watchpost/shared/check';
import {
  AssignmentUpdate,
  CheckKind,
  CheckSpec as WireSpec,
  EgressPolicy,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specToWire, toWire } from './to-wire.js';

const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const spec: fc.Arbitrary<CheckSpec> = fc.record({
  key: fc.record({
    monitorKey: fc.maxSafeNat(),
    kind: fc.constantFrom('http' as const, 'ssl' as const, 'dns' as const, 'tcpUdp' as const),
  }),
  intervalMs: fc.nat(3_600_000),
  timeoutMs: fc.nat(60_000),
  phaseMs: fc.nat(3_600_000),
  changedAtMs: fc.maxSafeNat(),
  target: fc.record({
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
    egress: fc.constantFrom('monitor' as const, 'public' as const),
  }),
});

/** The agent's side of the mapping, told once more. */
function fromWire(wire: WireSpec): CheckSpec {
  const kinds = {
    [CheckKind.CHECK_KIND_HTTP]: 'http',
    [CheckKind.CHECK_KIND_SSL]: 'ssl',
    [CheckKind.CHECK_KIND_DNS]: 'dns',
    [CheckKind.CHECK_KIND_TCP_UDP]: 'tcpUdp',
  };
  const target = wire.target!.value;
  return {
    key: { monitorKey: Number(wire.key!.monitorKey), kind: kinds[wire.key!.kind as 1] as CheckSpec['key']['kind'] },
    intervalMs: wire.intervalMs,
    timeoutMs: wire.timeoutMs,
    phaseMs: wire.phaseMs,
    changedAtMs: Number(wire.changedAtMs),
    target: {
      kind: 'http',
      url: target.url,
      method: target.method,
      headers: target.headers,
      body: target.body.length === 0 ? null : target.body.toString(),
      expectedStatus: target.expectedStatus,
      followRedirects: target.followRedirects,
      keyword:
        target.keyword === '' ? null : { text: target.keyword, mode: target.keywordAbsent ? 'absent' : 'present' },
      verifyCertificate: target.verifyCertificate,
      egress: target.egress === EgressPolicy.EGRESS_POLICY_PUBLIC ? 'public' : 'monitor',
    },
  };
}

describe('what agents are told', () => {
  it('arrives as it was meant', () => {
    fc.assert(
      fc.property(spec, (given) => {
        const bytes = WireSpec.encode(specToWire(given)).finish();
        expect(fromWire(WireSpec.decode(bytes))).to.deep.equal(given);
      }),
    );
  });

  it('carries the clock of the server', () => {
    const update = toWire(
      { kind: 'delta', revision: 2 ** 52, epoch: '9', upserts: [], removes: [{ monitorKey: 5, kind: 'dns' }] },
      1_763_700_000_123,
    );
    const read = AssignmentUpdate.decode(AssignmentUpdate.encode(update).finish());
    expect(read.serverTimeMs).to.equal(1_763_700_000_123n);
    expect(read.message).to.deep.include({
      $case: 'delta',
      value: { revision: 1n << 52n, epoch: '9', upserts: [], removes: [{ monitorKey: 5n, kind: 3 }] },
    });
  });
});
