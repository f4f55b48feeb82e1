import { expect } from 'chai';
import fc from 'fast-check';
import type { Ownership } from '../members/decide-owner.js';
import { PendingReleases } from './pending-releases.js';

const HANDOVER_MS = 5_000;
const CHECKS = [0, 1, 2, 3, 4, 5];

/** An epoch begins after this time, in which the agent owns these checks; or time passes, and all take over in the end. */
const steps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 4_000 }),
    owned: fc.option(fc.subarray(CHECKS)),
    isTakenOver: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('checks that move to other agents', () => {
  it('are kept until the deadline of the epoch that took them, or until all is taken over, and no longer', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const pending = new PendingReleases();
        const ownedIn = new Map<Ownership, ReadonlySet<number>>();
        /** Since when the agent has a check that it does not own; by check. */
        const lostAtMs = new Map<number, number>();
        const held = new Set(CHECKS);
        let owned = new Set(CHECKS);
        let nowMs = 0;
        for (const [index, { afterMs, owned: next, isTakenOver }] of given.entries()) {
          nowMs += afterMs;
          if (next) {
            owned = new Set(next);
            const ownership = { epoch: String(index), owners: [], former: [] };
            ownedIn.set(ownership, owned);
            for (const check of owned) [held.add(check), lostAtMs.delete(check)];
            for (const check of held) if (!owned.has(check) && !lostAtMs.has(check)) lostAtMs.set(check, nowMs);
            pending.add(ownership, nowMs + HANDOVER_MS, lostAtMs.size > 0);
          }
          const isDue = (check: number) => isTakenOver || lostAtMs.get(check)! + HANDOVER_MS <= nowMs;
          const expected = [...lostAtMs.keys()].filter(isDue);
          const due = pending.due(nowMs, isTakenOver);
          const released = due ? [...held].filter((check) => due.every((one) => !ownedIn.get(one)!.has(check))) : [];
          expect(released).to.have.members(expected);
          for (const check of released) [held.delete(check), lostAtMs.delete(check)];
          if (due) pending.settle(due);
          expect(pending.isEmpty, 'nothing is kept').to.equal(lostAtMs.size === 0 && pending.deadlineMs === undefined);
          for (const lostMs of lostAtMs.values()) expect(pending.deadlineMs).to.be.at.most(lostMs + HANDOVER_MS);
        }
      }),
    );
  });

  it('are released while one agent after the other joins, each before the handover of the last one is over', () => {
    const pending = new PendingReleases();
    let released = 0;
    for (let joined = 1; joined <= 50; joined++) {
      const nowMs = joined * 1_000;
      pending.add({ epoch: String(joined), owners: [], former: [] }, nowMs + HANDOVER_MS, true);
      const due = pending.due(nowMs, false);
      if (due) {
        released++;
        pending.settle(due);
      }
    }
    expect(released).to.equal(50 - HANDOVER_MS / 1_000);
  });
});
