import { SETTLE_MS, schedulePhaseMs } from '@watchpost/shared/check';
import { REGIONS } from '@watchpost/shared/region';
import { expect } from 'chai';
import fc from 'fast-check';
import { CATCH_UP_MS, firstDue, firstOwed, nextDue, slotsBetween, type SlotRule } from './decide-next-due.js';

const START = 1_763_000_000_000;
const rule = fc
  .record({
    intervalMs: fc.constantFrom(5_000, 10_000, 30_000, 60_000, 300_000),
    phaseShare: fc.double({ min: 0, max: 0.999, noNaN: true }),
    changedAtMs: fc.integer({ min: START - 400_000, max: START + 400_000 }),
  })
  .map(({ intervalMs, phaseShare, changedAtMs }): SlotRule => ({
    intervalMs,
    phaseMs: Math.floor(phaseShare * intervalMs),
    changedAtMs,
  }));

/** The definition, by brute force over every ms that could be one. */
function isSlot(of: SlotRule, ms: number): boolean {
  return ms === of.changedAtMs || (ms >= of.changedAtMs + SETTLE_MS && (ms - of.phaseMs) % of.intervalMs === 0);
}

describe('the slots of a check', () => {
  it('are the moment of the change and every due time at least 10 s after it', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: START - 500_000, max: START + 500_000 }), (of, after) => {
        const next = nextDue(of, after);
        expect(next).to.be.greaterThan(after);
        expect(isSlot(of, next)).to.equal(true);
        const regularBetween = Math.floor((next - 1 - of.phaseMs) / of.intervalMs) * of.intervalMs + of.phaseMs;
        if (regularBetween > after) expect(isSlot(of, regularBetween)).to.equal(false);
        if (of.changedAtMs > after) expect(next).to.equal(of.changedAtMs);
      }),
    );
  });

  it('are neither skipped nor repeated, however often the agent is restarted in between', () => {
    fc.assert(
      fc.property(rule, fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 30 }), (of, lives) => {
        const from = START - 450_000;
        let at = from;
        const seen: number[] = [];
        for (const life of lives) {
          seen.push(...slotsBetween(of, at, at + life));
          at += life;
        }
        expect(seen).to.deep.equal(slotsBetween(of, from, at));
        expect(new Set(seen).size).to.equal(seen.length);
      }),
    );
  });

  it('are the same for every agent that a check is handed to', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: 200_000 }), (of, handOver) => {
        const before = slotsBetween(of, START, START + handOver);
        const after = slotsBetween(of, START + handOver, START + 200_000);
        expect([...before, ...after]).to.deep.equal(slotsBetween(of, START, START + 200_000));
      }),
    );
  });

  it('are all run where an agent dies and another takes over within 15 s, and none that has a result is run again', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: CATCH_UP_MS }), (of, goneMs) => {
        fc.pre(of.changedAtMs < START - 100_000);
        const before = slotsBetween(of, START - 90_000, START);
        const takenOver = START + goneMs;
        const first = firstOwed(of, takenOver, before.at(-1) ?? 0);
        const after = slotsBetween(of, first, START + 90_000);
        expect(isSlot(of, first)).to.equal(true);
        expect([...before, ...after]).to.deep.equal(slotsBetween(of, START - 90_000, START + 90_000));
      }),
    );
  });

  it('are left to the record where they are older than that, and begin with the change of one that nobody has run', () => {
    const of = { intervalMs: 60_000, phaseMs: 0, changedAtMs: 0 };
    const due = 60_000 * 1_000;
    expect(firstOwed(of, due + CATCH_UP_MS, 0)).to.equal(due);
    expect(firstOwed(of, due + CATCH_UP_MS + 1, 0)).to.equal(due + 60_000);
    expect(firstOwed({ ...of, changedAtMs: due + 7 }, due + 20_000, 0)).to.equal(due + 7);
    expect(firstOwed({ ...of, changedAtMs: due + 7 }, due + 20_000, due + 7)).to.equal(due + 60_000);
  });

  it('leave no gap longer than an interval and 10 s when a monitor is edited', () => {
    fc.assert(
      fc.property(rule, rule, (old, edited) => {
        const slots = [
          ...slotsBetween(old, edited.changedAtMs - 2 * old.intervalMs, edited.changedAtMs),
          ...slotsBetween(edited, edited.changedAtMs, edited.changedAtMs + 3 * edited.intervalMs),
        ];
        for (let index = 1; index < slots.length; index++) {
          const gap = slots[index]! - slots[index - 1]!;
          expect(gap).to.be.greaterThan(0);
          expect(gap).to.be.at.most(Math.max(old.intervalMs, edited.intervalMs) + SETTLE_MS);
        }
      }),
    );
  });

  it('are staggered over the regions of a monitor', () => {
    let worst = 60_000;
    let total = 0;
    for (let monitorKey = 1; monitorKey <= 200; monitorKey++) {
      const phases = REGIONS.map((region) =>
        schedulePhaseMs({ monitorKey, kind: 'http' }, region.name, 60_000),
      ).toSorted((a, b) => a - b);
      const gaps = phases.map((phase, index) =>
        index === 0 ? phase + 60_000 - phases.at(-1)! : phase - phases[index - 1]!,
      );
      worst = Math.min(worst, Math.max(...gaps));
      total += Math.max(...gaps);
    }
    expect(total / 200).to.be.lessThan(30_000);
    expect(worst).to.be.lessThan(20_000);
  });
});

describe('the first check of a monitor that was just given to an agent', () => {
  it('is the moment of the change where that is recent, and the next due time where it is old or done', () => {
    const of: SlotRule = { intervalMs: 60_000, phaseMs: 1_000, changedAtMs: START };
    expect(firstDue(of, START + 200, -Infinity)).to.equal(START);
    expect(firstDue(of, START + 59_000, -Infinity)).to.equal(START);
    expect(firstDue(of, START + 61_000, -Infinity)).to.equal(nextDue(of, START + 61_000));
    expect(firstDue(of, START + 200, START)).to.equal(nextDue(of, START + 200));
  });

  it('lies in the future for a change that another clock dates ahead of ours', () => {
    const of: SlotRule = { intervalMs: 60_000, phaseMs: 0, changedAtMs: START + 300 };
    expect(firstDue(of, START, -Infinity)).to.equal(START + 300);
  });
});
