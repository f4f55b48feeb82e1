import { expect } from 'chai';
import type { CheckSpec, ProbeTarget } from '@watchpost/shared/check';
import { CheckSpec as WireSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specToWire } from '@watchpost/shared/wire/spec-to-wire';
import { fromWireSpec } from './check-codec.js';

const specOf = (of: ProbeTarget): CheckSpec => ({
  key: { monitorKey: 7, kind: of.kind },
  intervalMs: 60_000,
  timeoutMs: 10_000,
  phaseMs: 1_234,
  changedAtMs: 1_763_000_000_000,
  target: of,
});
const wireOf = (of: ProbeTarget) => WireSpec.decode(WireSpec.encode(specToWire(specOf(of))).finish());

describe('a check that the agent is told', () => {
  it('that it cannot run is left alone', () => {
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
      { ...ssl, target: { $case: 'ssl' as const, value: { host: 'a', port: 65_536, incidentDays: 7, egress: 1 } } },
      withValue(dns, { recordTypes: [0, 99] }),
      withValue(tcp, { protocol: 9 }),
      withValue(tcp, { port: 0 }),
    ])
      expect(fromWireSpec(wire)).to.equal(undefined);
  });

  it('may name what only a newer version knows: a record type is not asked for, a policy is the strict one', () => {
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
    expect(fromWireSpec(newer)!.target).to.deep.include({ recordTypes: ['A'], expectedRecords: [], egress: 'public' });
  });
});

/** As a newer version would send it: numbers that the types here do not know. */
function withValue(wire: WireSpec, value: object): WireSpec {
  return { ...wire, target: { ...wire.target!, value: { ...wire.target!.value, ...value } } as WireSpec['target'] };
}
