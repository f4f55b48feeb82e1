import { expect } from 'chai';
import fc from 'fast-check';
import { betweenRoundsMs } from '@watchpost/shared/escalation-rounds';
import { formatDuration } from '@watchpost/shared/duration';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { EscalationTarget, TeamPolicy } from '../on-call/index.js';
import {
  type Awaited,
  decideAcknowledged,
  decideAwaited,
  decideEscalated,
  decideNextStep,
  decideStep,
  isTooLate,
  policyFor,
  waitMs,
} from './decide-escalation.js';

const BEGAN = Date.UTC(2026, 10, 21, 12);

const target = (id: string): EscalationTarget => ({ type: 'user', id });
const policyOf = (steps: readonly [minutes: number, ids: string][], more: Partial<TeamPolicy> = {}): TeamPolicy => ({
  id: 'p',
  name: 'Nights',
  severities: ['down'],
  steps: steps.map(([minutes, ids]) => ({
    after: formatDuration(minutes * MINUTE_MS),
    targets: ids.split('').map(target),
    ackRequired: 'one',
  })),
  repeat: 0,
  ackTimeout: null,
  ...more,
});

interface Taken {
  round: number;
  step: number;
  dueMs: number;
  atMs: number;
}

/** All steps that are taken while nobody acknowledges, each `lateMs` late, where the steps in `mute` reach nobody. */
function run(policy: TeamPolicy, mute: ReadonlySet<number>, lateMs: (count: number) => number = () => 0): Taken[] {
  const taken: Taken[] = [];
  let next: { round: number; step: number; dueMs: number } | undefined = {
    round: 0,
    step: 0,
    dueMs: BEGAN + durationMs(policy, 0),
  };
  while (next) {
    expect(taken.length, 'it ends').to.be.below(101);
    const atMs: number = next.dueMs + lateMs(taken.length);
    taken.push({ ...next, atMs });
    const reached = !mute.has(next.step);
    const after = decideNextStep(policy, next, { reached, beganMs: BEGAN, nowMs: atMs });
    expect(after, 'no policy here lasts so long').not.to.equal('over');
    next = after === 'over' ? undefined : after;
  }
  return taken;
}
const durationMs = ({ steps }: TeamPolicy, at: number) =>
  Number(/PT(\d+)M/.exec(steps[at]!.after)?.[1] ?? 0) * MINUTE_MS;
const minutesOf = (taken: readonly Taken[]) => taken.map(({ step, atMs }) => [step, (atMs - BEGAN) / MINUTE_MS]);

describe('Paging continues', () => {
  it('with each step as long after the one before as the policy has, and with further rounds', () => {
    const policy = policyOf(
      [
        [0, 'a'],
        [10, 'b'],
        [20, 'c'],
      ],
      { repeat: 1 },
    );
    expect(minutesOf(run(policy, new Set()))).to.deep.equal([
      [0, 0],
      [1, 10],
      [2, 30],
      [0, 50],
      [1, 60],
      [2, 80],
    ]);
  });

  it('with the next step that has other targets at once where one reaches nobody', () => {
    const policy = policyOf([
      [0, 'a'],
      [10, 'a'],
      [20, 'b'],
    ]);
    expect(minutesOf(run(policy, new Set([0])))).to.deep.equal([
      [0, 0],
      [2, 0],
    ]);
  });

  it('with the same targets after their wait where no step has others', () => {
    const policy = policyOf([
      [0, 'a'],
      [10, 'a'],
      [20, 'a'],
    ]);
    expect(minutesOf(run(policy, new Set([0, 1])))).to.deep.equal([
      [0, 0],
      [1, 10],
      [2, 30],
    ]);
  });

  it('never backwards, early, twice or without end, as in a model that counts steps', () => {
    const anyPolicy = fc.record({
      steps: fc.array(fc.tuple(fc.constantFrom(0, 1, 10, 59), fc.constantFrom('a', 'b', 'ab')), {
        minLength: 1,
        maxLength: 10,
      }),
      repeat: fc.nat(9),
    });
    fc.assert(
      fc.property(anyPolicy, fc.uniqueArray(fc.nat(9)), fc.nat(3_600_000), ({ steps, repeat }, mute, lateMs) => {
        const policy = policyOf(steps, { repeat });
        const silent = new Set(mute);
        const taken = run(policy, silent, () => lateMs);
        // The model: each round has every step, but those that would repeat one that reached nobody before others are paged.
        const othersAfter = (at: number) => steps.findIndex(([, ids], index) => index > at && ids !== steps[at]![1]);
        const round: number[] = [];
        for (let at = 0; at < steps.length; at = silent.has(at) && othersAfter(at) >= 0 ? othersAfter(at) : at + 1)
          round.push(at);
        const rounds = Array.from({ length: repeat + 1 }, () => round).flat();
        expect(taken.map(({ step }) => step)).to.deep.equal(rounds);
        for (const [index, { round: nth, step, dueMs }] of taken.entries()) {
          const before = taken[index - 1];
          if (!before) continue;
          const wait =
            nth > before.round
              ? betweenRoundsMs(policy.steps.map(waitMs))
              : silent.has(before.step) && othersAfter(before.step) >= 0
                ? 0
                : durationMs(policy, step);
          expect(dueMs - before.atMs).to.equal(wait);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('not with what is long ago', () => {
    const policy = policyOf([[0, 'a']], { repeat: 9 });
    const late = { reached: true, beganMs: BEGAN, nowMs: BEGAN + 30 * DAY_MS };
    expect(decideNextStep(policy, { round: 0, step: 0 }, late)).to.equal('over');
    expect([isTooLate(BEGAN, BEGAN + DAY_MS), isTooLate(BEGAN, BEGAN + DAY_MS + 1)]).to.deep.equal([false, true]);
  });

  it('with the policy that counts now', () => {
    const policy = policyOf(
      [
        [0, 'a'],
        [5, 'b'],
      ],
      { repeat: 1 },
    );
    const at = (round: number, step: number, policyId: string | null = 'p') =>
      decideStep(policy, { round, step, policyId });
    expect(at(0, 1)).to.deep.equal({ round: 0, step: 1 });
    expect(at(0, 1, 'another'), 'it begins').to.deep.equal({ round: 0, step: 0 });
    expect(at(0, 7), 'it has become shorter').to.deep.equal({ round: 1, step: 0 });
    expect(at(1, 7)).to.equal(undefined);
    expect(at(2, 0)).to.equal(undefined);
    const builtIn = policyOf([[0, 'a']], { id: 'b', severities: ['down', 'partial', 'warning'] });
    expect(policyFor([policy, builtIn], 'down')).to.equal(policy);
    expect(policyFor([policy, builtIn], 'warning')).to.equal(builtIn);
  });

  it('with others when somebody escalates', () => {
    const policy = policyOf([
      [0, 'a'],
      [10, 'a'],
      [10, 'b'],
    ]);
    expect(decideEscalated(policy, { round: 0, step: 1, policyId: 'p' })).to.deep.equal({ round: 0, step: 2 });
    expect(decideEscalated(policy, { round: 0, step: 0, policyId: null })).to.deep.equal({ round: 0, step: 2 });
    expect(decideEscalated(policyOf([[0, 'a']]), { round: 0, step: 0, policyId: null })?.step).to.equal(0);
  });

  it('until those have acknowledged who have to', () => {
    const people = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
    const acks = fc.array(fc.constantFrom('a', 'b', 'c', 'd', null), { maxLength: 8 });
    fc.assert(
      fc.property(people, fc.constantFrom('one' as const, 'each' as const), acks, (paged, ackRequired, by) => {
        const anybody: Awaited = { awaited: null, awaitedCount: 0 };
        const [step] = policyOf([[0, 'a']]).steps;
        let left: Awaited | undefined = decideAwaited({ ...step!, ackRequired }, paged, {
          ...anybody,
          isAcknowledged: false,
        });
        const acknowledged = new Set<string | null>();
        for (const userId of by) {
          acknowledged.add(userId);
          left = left && decideAcknowledged(left, userId);
          const isOver = ackRequired === 'one' ? true : paged.every((one) => acknowledged.has(one));
          expect(left === undefined).to.equal(isOver);
        }
      }),
      { numRuns: 100 },
    );
    const others = decideAwaited(policyOf([[0, 'a']]).steps[0]!, ['c', 'd'], {
      awaited: ['b'],
      awaitedCount: 1,
      isAcknowledged: true,
    });
    expect(decideAcknowledged(others, 'a'), 'who has acknowledged before').to.deep.equal(others);
    expect(decideAcknowledged(others, 'd'), 'one of the next step').to.equal(undefined);
  });
});
