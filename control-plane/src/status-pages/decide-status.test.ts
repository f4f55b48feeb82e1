import { expect } from 'chai';
import fc from 'fast-check';
import { combineStatuses, decideSystemStatus, PUBLIC_STATUSES } from './decide-status.js';

const UP = { verdict: 'available', healthStatus: 'available', isEnabled: true } as const;
const DOWN = { verdict: 'unavailable', healthStatus: 'unavailable', isEnabled: true } as const;
const PARTLY = { verdict: 'partial', healthStatus: 'degraded', isEnabled: true } as const;
const SLOW = { verdict: 'available', healthStatus: 'degraded', isEnabled: true } as const;
const SILENT = { verdict: 'unknown', healthStatus: null, isEnabled: true } as const;
const NEW = { verdict: null, healthStatus: null, isEnabled: true } as const;

describe('the status of a system', () => {
  it('is what its monitors say', () => {
    expect(decideSystemStatus([UP])).to.equal('operational');
    expect(decideSystemStatus([DOWN])).to.equal('majorOutage');
    expect(decideSystemStatus([PARTLY])).to.equal('partialOutage');
    expect(decideSystemStatus([SLOW])).to.equal('degraded');
    expect(decideSystemStatus([UP, DOWN])).to.equal('partialOutage');
    expect(decideSystemStatus([DOWN, DOWN])).to.equal('majorOutage');
  });

  it('is unknown where nobody could tell, and never looks healthy then', () => {
    for (const members of [[], [NEW], [SILENT], [SILENT, UP], [NEW, UP]])
      expect(decideSystemStatus(members)).to.equal('unknown');
    expect(decideSystemStatus([SILENT, DOWN])).to.equal('partialOutage');
  });

  it('leaves paused monitors out, unless there are no others', () => {
    const paused = { ...SILENT, isEnabled: false };
    expect(decideSystemStatus([UP, paused])).to.equal('operational');
    expect(decideSystemStatus([paused])).to.equal('unknown');
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
