import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { OnCallShift } from './decide-on-call.js';
import { decideShiftReminders, reminderRange } from './decide-shift-reminders.js';

const BEGAN = Date.UTC(2026, 10, 21, 9);

/** Shifts of these hours and people, one after the other, around an idle time without end. */
function planOf(parts: readonly { hours: number; userId: string | null }[]): OnCallShift[] {
  let startMs = BEGAN + 2 * DAY_MS;
  const shifts: OnCallShift[] = [{ userId: null, source: 'none', startMs: -Infinity, endMs: startMs }];
  for (const { hours, userId } of parts) {
    const endMs = startMs + hours * HOUR_MS;
    shifts.push({ userId, source: userId === null ? 'none' : 'rotation', startMs, endMs });
    startMs = endMs;
  }
  return [...shifts, { userId: null, source: 'none', startMs, endMs: Infinity }];
}

describe('Reminders of shifts', () => {
  it('are wanted once a day before and once at the beginning, whenever that is looked at as asked', () => {
    const part = fc.record({ hours: fc.integer({ min: 1, max: 60 }), userId: fc.constantFrom('ann', 'bob', null) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const plan = planOf(parts);
        const sent: Record<string, number> = {};
        for (let nowMs = BEGAN; nowMs < plan.at(-1)!.startMs + HOUR_MS;) {
          const { fromMs, toMs } = reminderRange(nowMs);
          const shifts = plan.filter((one) => one.startMs < toMs && one.endMs > fromMs);
          const { wanted, nextMs } = decideShiftReminders(shifts, nowMs);
          for (const { kind, userId, startMs } of wanted) {
            const key = `${kind} ${userId} ${startMs}`;
            sent[key] ??= nowMs;
          }
          expect(nextMs)
            .to.be.greaterThan(nowMs)
            .and.at.most(nowMs + HOUR_MS);
          nowMs = nextMs;
        }
        const expected = plan.flatMap(({ userId, startMs }, place) =>
          userId === null || plan[place - 1]?.userId === userId
            ? []
            : [
                [`day ${userId} ${startMs}`, startMs - DAY_MS] as const,
                [`begin ${userId} ${startMs}`, startMs] as const,
              ],
        );
        expect(sent).to.deep.equal(Object.fromEntries(expected));
      }),
      { numRuns: 50 },
    );
  });

  it('are one where somebody gets a shift within the hour, and none for a shift that began long ago', () => {
    const plan = planOf([{ hours: 8, userId: 'ann' }]);
    const kinds = (nowMs: number) => decideShiftReminders(plan, nowMs).wanted.map(({ kind }) => kind);
    const { startMs } = plan[1]!;
    expect(kinds(startMs - HOUR_MS / 2)).to.deep.equal([]);
    expect(kinds(startMs - 2 * HOUR_MS)).to.deep.equal(['day']);
    expect(kinds(startMs + 7 * HOUR_MS)).to.deep.equal(['begin']);
    expect(kinds(startMs + 9 * HOUR_MS)).to.deep.equal([]);
  });
});
