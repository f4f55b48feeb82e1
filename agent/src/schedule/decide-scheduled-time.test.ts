import { SETTLE_MS, schedulePhaseMs } from '@watchpost/shared/check';
import { REGIONS } from '@watchpost/shared/region';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  CATCH_UP_MS,
  firstScheduledAt,
  firstAfterHandover,
  nextScheduledAt,
  scheduledTimesBetween,
  type ScheduleRule,
} from './decide-scheduled-time.js';

const START = 1_763_000_000_000;
const rule = fc
  .record({
    intervalMs: fc.constantFrom(5_000, 10_000, 30_000, 60_000, 300_000),
    phaseShare: fc.double({ min: 0, max: 0.999, noNaN: true }),
    changedAtMs: fc.integer({ min: START - 400_000, max: START + 400_000 }),
  })
  .map(({ intervalMs, phaseShare, changedAtMs }): ScheduleRule => ({
    intervalMs,
    phaseMs: Math.floor(phaseShare * intervalMs),
    changedAtMs,
  }));

/** The definition, by brute force over every ms that could be one. */
function isScheduledTime(of: ScheduleRule, ms: number): boolean {
  return ms === of.changedAtMs || (ms >= of.changedAtMs + SETTLE_MS && (ms - of.phaseMs) % of.intervalMs === 0);
}

describe('the scheduled times of a check', () => {
  it('are the time of the change and every regular time at least 10 s after it', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: START - 500_000, max: START + 500_000 }), (of, after) => {
        const next = nextScheduledAt(of, after);
        expect(next).to.be.greaterThan(after);
        expect(isScheduledTime(of, next)).to.equal(true);
        const regularBetween = Math.floor((next - 1 - of.phaseMs) / of.intervalMs) * of.intervalMs + of.phaseMs;
        if (regularBetween > after) expect(isScheduledTime(of, regularBetween)).to.equal(false);
        if (of.changedAtMs > after) expect(next).to.equal(of.changedAtMs);
      }),
    );
  });

  it('are neither skipped nor repeated by restarts of the agent', () => {
    fc.assert(
      fc.property(rule, fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 30 }), (of, lives) => {
        const from = START - 450_000;
        let at = from;
        const times: number[] = [];
        for (const life of lives) {
          times.push(...scheduledTimesBetween(of, at, at + life));
          at += life;
        }
        expect(times).to.deep.equal(scheduledTimesBetween(of, from, at));
        expect(new Set(times).size).to.equal(times.length);
      }),
    );
  });

  it('are the same for every agent that gets the check by a handover', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: 200_000 }), (of, handoverMs) => {
        const before = scheduledTimesBetween(of, START, START + handoverMs);
        const after = scheduledTimesBetween(of, START + handoverMs, START + 200_000);
        expect([...before, ...after]).to.deep.equal(scheduledTimesBetween(of, START, START + 200_000));
      }),
    );
  });

  it('are each run once when an agent dies and another one takes over within 15 s', () => {
    fc.assert(
      fc.property(rule, fc.integer({ min: 0, max: CATCH_UP_MS }), (of, absenceMs) => {
        fc.pre(of.changedAtMs < START - 100_000);
        const before = scheduledTimesBetween(of, START - 90_000, START);
        const takenOverAtMs = START + absenceMs;
        const first = firstAfterHandover(of, takenOverAtMs, before.at(-1) ?? 0);
        const after = scheduledTimesBetween(of, first, START + 90_000);
        expect(isScheduledTime(of, first)).to.equal(true);
        expect([...before, ...after]).to.deep.equal(scheduledTimesBetween(of, START - 90_000, START + 90_000));
      }),
    );
  });

  it('are skipped when they are older than 15 s; a change that was not run yet comes first', () => {
    const of = { intervalMs: 60_000, phaseMs: 0, changedAtMs: 0 };
    const due = 60_000 * 1_000;
    expect(firstAfterHandover(of, due + CATCH_UP_MS, 0)).to.equal(due);
    expect(firstAfterHandover(of, due + CATCH_UP_MS + 1, 0)).to.equal(due + 60_000);
    expect(firstAfterHandover({ ...of, changedAtMs: due + 7 }, due + 20_000, 0)).to.equal(due + 7);
    expect(firstAfterHandover({ ...of, changedAtMs: due + 7 }, due + 20_000, due + 7)).to.equal(due + 60_000);
  });

  it('have no gap longer than an interval and 10 s when a monitor is edited', () => {
    fc.assert(
      fc.property(rule, rule, (old, edited) => {
        const times = [
          ...scheduledTimesBetween(old, edited.changedAtMs - 2 * old.intervalMs, edited.changedAtMs),
          ...scheduledTimesBetween(edited, edited.changedAtMs, edited.changedAtMs + 3 * edited.intervalMs),
        ];
        for (let index = 1; index < times.length; index++) {
          const gap = times[index]! - times[index - 1]!;
          expect(gap).to.be.greaterThan(0);
          expect(gap).to.be.at.most(Math.max(old.intervalMs, edited.intervalMs) + SETTLE_MS);
        }
      }),
    );
  });

  it('differ between the regions of a monitor', () => {
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

describe('the first check of a monitor that is new to an agent', () => {
  it('is at the time of the change if that is recent, and at the next regular time if it is old or completed', () => {
    const of: ScheduleRule = { intervalMs: 60_000, phaseMs: 1_000, changedAtMs: START };
    expect(firstScheduledAt(of, START + 200, -Infinity)).to.equal(START);
    expect(firstScheduledAt(of, START + 59_000, -Infinity)).to.equal(START);
    expect(firstScheduledAt(of, START + 61_000, -Infinity)).to.equal(nextScheduledAt(of, START + 61_000));
    expect(firstScheduledAt(of, START + 200, START)).to.equal(nextScheduledAt(of, START + 200));
  });

  it('is in the future for a change that a faster clock dated', () => {
    const of: ScheduleRule = { intervalMs: 60_000, phaseMs: 0, changedAtMs: START + 300 };
    expect(firstScheduledAt(of, START, -Infinity)).to.equal(START + 300);
  });
});
