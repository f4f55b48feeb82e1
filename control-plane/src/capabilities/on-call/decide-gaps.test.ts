import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { decideGaps, type Gap } from './decide-gaps.js';
import { decideShifts, type OnCallPlan } from './decide-on-call.js';
import { simplePlan } from './simple-plan.js';

const FROM = Date.UTC(2026, 10, 22, 12);

const plans = fc
  .record({
    rotation: fc.option(
      fc.record({
        rotation: fc.constant('daily' as const),
        timezone: fc.constantFrom('Europe/Dublin', 'Pacific/Apia', 'UTC'),
        handoffTime: fc.constantFrom('09:00', '00:00', '23:30'),
        handoffDay: fc.constant(null),
        startDate: fc.constantFrom('2026-01-01', '2026-11-22', '2026-11-23', '2026-12-01'),
        turns: fc.array(fc.option(fc.constantFrom('ada', 'bob')), { minLength: 1, maxLength: 4 }),
      }),
    ),
    overrides: fc.array(
      fc
        .record({
          userId: fc.constantFrom('ada', 'bob'),
          from: fc.integer({ min: -48, max: 400 }),
          hours: fc.integer({ min: 1, max: 60 }),
        })
        .map(({ userId, from, hours }) => ({
          userId,
          startMs: FROM + from * HOUR_MS,
          endMs: FROM + (from + hours) * HOUR_MS,
        })),
      { maxLength: 8 },
    ),
  })
  .map(({ rotation, overrides }) => simplePlan(rotation, overrides));

describe('The gaps of a range', () => {
  it('are exactly the times at which the shifts name nobody', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 14 * 24 }), (plan: OnCallPlan, hours) => {
        const toMs = FROM + hours * HOUR_MS;
        const expected: Gap[] = [];
        for (const { userId, startMs, endMs } of decideShifts(plan, FROM, toMs)) {
          if (userId !== null) continue;
          const gap = { startMs: Math.max(startMs, FROM), endMs: Math.min(endMs, toMs) };
          const last = expected.at(-1);
          if (last?.endMs === gap.startMs) last.endMs = gap.endMs;
          else expected.push(gap);
        }
        expect(decideGaps(plan, FROM, toMs)).to.deep.equal(expected);
      }),
    );
  });

  it('are the whole range where there is neither rotation nor override', () => {
    expect(decideGaps(simplePlan(null), FROM, FROM + DAY_MS)).to.deep.equal([{ startMs: FROM, endMs: FROM + DAY_MS }]);
  });
});
