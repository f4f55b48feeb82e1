import { expect } from 'chai';
import fc from 'fast-check';
import { MINUTE_MS } from '@watchpost/shared/time';
import { decideNextStep, ESCALATION } from './decide-escalation.js';

const BEGAN = Date.UTC(2026, 10, 21, 12);

/** All steps that are taken when each is `lateMs` late, and reaches somebody or nobody. */
function run(steps: readonly { lateMs: number; reached: boolean }[]): { step: number; atMs: number; dueMs: number }[] {
  const taken: { step: number; atMs: number; dueMs: number }[] = [];
  let next: { step: number; dueMs: number } | null = { step: 0, dueMs: BEGAN };
  for (const { lateMs, reached } of steps) {
    if (next === null) break;
    const atMs: number = next.dueMs + lateMs;
    taken.push({ ...next, atMs });
    next = decideNextStep(next.step, BEGAN, reached, atMs);
  }
  expect(next === null || taken.length === steps.length, 'it ends').to.equal(true);
  return taken;
}

describe('Paging continues', () => {
  it('with the person on call at once and after ten minutes, and the leads after twenty', () => {
    const onTime = Array.from({ length: 4 }, () => ({ lateMs: 0, reached: true }));
    expect(run(onTime).map(({ step, atMs }) => [ESCALATION[step]!.who, (atMs - BEGAN) / MINUTE_MS])).to.deep.equal([
      ['onCall', 0],
      ['onCall', 10],
      ['leads', 20],
    ]);
  });

  it('with the leads at once if nobody was reached', () => {
    expect(decideNextStep(0, BEGAN, false, BEGAN + 5)).to.deep.equal({ step: 2, dueMs: BEGAN + 5 });
    expect(decideNextStep(1, BEGAN, false, BEGAN + 10 * MINUTE_MS)).to.deep.equal({
      step: 2,
      dueMs: BEGAN + 10 * MINUTE_MS,
    });
    expect(decideNextStep(2, BEGAN, false, BEGAN + 20 * MINUTE_MS), 'and then with nobody').to.equal(null);
  });

  it('never backwards, never early and never repeatedly, however late the workers are', () => {
    const anyStep = fc.record({ lateMs: fc.nat(3_600_000), reached: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 4, maxLength: 8 }), (steps) => {
        const taken = run(steps);
        expect(taken.length).to.be.within(1, ESCALATION.length);
        expect(taken.at(-1)!.step, 'the leads come last, and they come').to.equal(ESCALATION.length - 1);
        for (const [index, { step, atMs, dueMs }] of taken.entries()) {
          const before = taken[index - 1];
          if (!before) continue;
          expect(step).to.be.greaterThan(before.step);
          expect(dueMs).to.be.at.least(before.atMs);
          if (steps[index - 1]!.reached) expect(atMs).to.be.at.least(BEGAN + ESCALATION[step]!.afterMs);
          else expect(dueMs, 'nobody sleeps on because another has no phone').to.equal(before.atMs);
        }
      }),
    );
  });
});
