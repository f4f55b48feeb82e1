import { expect } from 'chai';
import type { ProbeTarget } from '@watchpost/shared/check';
import { AssignmentUpdate } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { specToWire } from '@watchpost/shared/wire/spec-to-wire';
import { toWire } from './to-wire.js';

const TIMES = { intervalMs: 60_000, timeoutMs: 10_000, phaseMs: 1_234, changedAtMs: 1_763_000_000_000 };
const wireOf = (target: ProbeTarget) => specToWire({ ...TIMES, key: { monitorKey: 7, kind: target.kind }, target });

describe('what agents are told', () => {
  it('has the numbers that agents of every version know', () => {
    const dns = {
      hostname: 'shop.test',
      resolvers: ['192.0.2.53'],
      checkPropagation: true,
    };
    const values = ['x'];
    const asked = wireOf({
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
      const reached = wireOf({ ...port, kind: 'tcpUdp', protocol, send: null, expect: null, egress: 'monitor' });
      expect(reached.key!.kind).to.equal(4);
      expect(reached.target!.value).to.deep.include({ ...port, protocol: number, egress: 1 });
    }
    const secured = wireOf({ ...port, kind: 'ssl', incidentDays: 7, egress: 'monitor' });
    expect([secured.key!.kind, secured.target!.value]).to.deep.equal([2, { ...port, incidentDays: 7, egress: 1 }]);
  });

  it('carries the clock of the server', () => {
    const update = toWire(
      {
        kind: 'delta',
        revision: 2 ** 52,
        epoch: '9',
        upserts: [],
        removes: [{ monitorKey: 5, kind: 'dns' }],
        arrears: [{ key: { monitorKey: 5, kind: 'dns' }, doneThroughMs: 7 }],
      },
      1_763_700_000_123,
    );
    const read = AssignmentUpdate.decode(AssignmentUpdate.encode(update).finish());
    expect(read.serverTimeMs).to.equal(1_763_700_000_123n);
    expect(read.message).to.deep.include({
      $case: 'delta',
      value: {
        revision: 1n << 52n,
        epoch: '9',
        upserts: [],
        removes: [{ monitorKey: 5n, kind: 3 }],
        arrears: [{ key: { monitorKey: 5n, kind: 3 }, doneThroughMs: 7n }],
      },
    });
  });
});
