import { DAY_MS, HOUR_MS } from '../time.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { calendarDays, stateOfDay } from './calendar.js';

describe('The days of a calendar', () => {
  it('cover a period without gaps, and have as much of each state as the spans', () => {
    const states = fc.constantFrom('available' as const, 'partial' as const, 'unavailable' as const);
    const lists = fc.array(fc.tuple(states, fc.integer({ min: 1, max: 3 * DAY_MS })), { maxLength: 20 });
    fc.assert(
      fc.property(lists, fc.integer({ min: 0, max: 400 * DAY_MS }), (list, offsetMs) => {
        const startMs = Date.UTC(2026, 0) + offsetMs;
        let atMs = startMs;
        const spans = list.map(([status, length]) => ({ status, startMs: atMs, endMs: (atMs += length) }));
        const days = calendarDays(spans, startMs, atMs);
        expect(days[0]?.startMs ?? startMs).to.equal(startMs);
        expect(days.at(-1)?.endMs ?? atMs).to.equal(atMs);
        for (const [index, day] of days.slice(1).entries()) {
          expect(day.startMs).to.equal(days[index]!.endMs);
          expect(day.weekday).to.equal((new Date(day.startMs).getDay() + 6) % 7);
          expect(day.week * 7 + day.weekday).to.equal(days[index]!.week * 7 + days[index]!.weekday + 1);
        }
        for (const state of ['available', 'partial', 'unavailable'] as const) {
          const wanted = spans
            .filter(({ status }) => status === state)
            .reduce((sum, one) => sum + one.endMs - one.startMs, 0);
          expect(days.reduce((sum, { lengths }) => sum + (lengths[state] ?? 0), 0)).to.equal(wanted);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('show the worst that was measured', () => {
    expect(stateOfDay({ lengths: { available: DAY_MS - 1, unavailable: 1 } })).to.equal('unavailable');
    expect(stateOfDay({ lengths: { available: HOUR_MS, unknown: 23 * HOUR_MS } })).to.equal('available');
    expect(stateOfDay({ lengths: {} })).to.equal(undefined);
  });
});
