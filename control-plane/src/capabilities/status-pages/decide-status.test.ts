import { expect } from 'chai';
import fc from 'fast-check';
import { PUBLIC_STATUSES } from '@watchpost/shared/design/states';
import { combineStatuses, decideSystemStatus } from './decide-status.js';

const UP = { verdict: 'available', healthStatus: 'available', isEnabled: true, checksReachability: true } as const;
const DOWN = {
  verdict: 'unavailable',
  healthStatus: 'unavailable',
  isEnabled: true,
  checksReachability: true,
} as const;
const PARTLY = { verdict: 'partial', healthStatus: 'degraded', isEnabled: true, checksReachability: true } as const;
const SLOW = { verdict: 'available', healthStatus: 'degraded', isEnabled: true, checksReachability: true } as const;
const SILENT = { verdict: 'unknown', healthStatus: null, isEnabled: true, checksReachability: true } as const;
const NEW = { verdict: null, healthStatus: null, isEnabled: true, checksReachability: true } as const;

/** A certificate or DNS monitor with a fault: these never find a target unavailable. */
const FAULT = { verdict: 'partial', healthStatus: 'degraded', isEnabled: true, checksReachability: false } as const;
const FINE = { ...FAULT, verdict: 'available', healthStatus: 'available' } as const;

describe('the status of a system', () => {
  it('follows the state of its monitors', () => {
    expect(decideSystemStatus([UP])).to.equal('operational');
    expect(decideSystemStatus([DOWN])).to.equal('majorOutage');
    expect(decideSystemStatus([PARTLY])).to.equal('partialOutage');
    expect(decideSystemStatus([SLOW])).to.equal('degraded');
    expect(decideSystemStatus([UP, DOWN])).to.equal('partialOutage');
    expect(decideSystemStatus([DOWN, DOWN])).to.equal('majorOutage');
  });

  it('is unknown without conclusive results, and never looks healthy then', () => {
    for (const members of [[], [NEW], [SILENT], [SILENT, UP], [NEW, UP]])
      expect(decideSystemStatus(members)).to.equal('unknown');
    expect(decideSystemStatus([SILENT, DOWN])).to.equal('partialOutage');
  });

  it('leaves paused monitors out, unless there are no others', () => {
    const paused = { ...SILENT, isEnabled: false };
    expect(decideSystemStatus([UP, paused])).to.equal('operational');
    expect(decideSystemStatus([paused])).to.equal('unknown');
  });

  it('is a major outage when all availability monitors are down, independent of certificate and DNS monitors', () => {
    for (const others of [[], [FINE], [FAULT], [FINE, FAULT], [{ ...SILENT, checksReachability: false }]]) {
      expect(decideSystemStatus([DOWN, ...others])).to.equal('majorOutage');
      expect(decideSystemStatus([...others, DOWN, DOWN])).to.equal('majorOutage');
      expect(decideSystemStatus([DOWN, UP, ...others])).to.equal('partialOutage');
    }
  });

  it('is degraded at most by certificate and DNS members where reachability is checked', () => {
    expect(decideSystemStatus([UP, FAULT, FAULT])).to.equal('degraded');
    expect(decideSystemStatus([PARTLY, FAULT])).to.equal('partialOutage');
    expect(decideSystemStatus([{ ...DOWN, isEnabled: false }, FAULT, FINE])).to.equal('partialOutage');
    expect(decideSystemStatus([FAULT, FINE]), 'the worst of the rest').to.equal('partialOutage');
  });

  it('depends on reachability members alone once they are not fully up, in every combination', () => {
    const member = fc.constantFrom(UP, DOWN, PARTLY, SLOW, SILENT, NEW, FINE, FAULT);
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), (members) => {
        const reaching = members.filter(({ checksReachability }) => checksReachability);
        const status = decideSystemStatus(members);
        expect(decideSystemStatus(members.toReversed())).to.equal(status);
        if (reaching.length === 0) return;
        const alone = decideSystemStatus(reaching);
        const isOutage = (given: string) => given === 'majorOutage' || given === 'partialOutage';
        expect(isOutage(status)).to.equal(isOutage(alone));
        if (isOutage(alone)) expect(status).to.equal(alone);
      }),
    );
  });

  it('of several is operational exactly where each of them is, and no order matters', () => {
    const statuses = fc.array(fc.constantFrom(...PUBLIC_STATUSES), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(statuses, (given) => {
        const combined = combineStatuses(given);
        expect(combined === 'operational').to.equal(given.every((status) => status === 'operational'));
        expect(combined === 'majorOutage').to.equal(given.every((status) => status === 'majorOutage'));
        expect(combineStatuses(given.toReversed())).to.equal(combined);
      }),
    );
  });
});
