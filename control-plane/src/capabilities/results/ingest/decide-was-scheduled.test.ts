import { schedulePhaseMs, SETTLE_MS } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideWasScheduled, type KnownSchedule } from './decide-was-scheduled.js';

const CREATED_MS = 1_763_000_000_000;
const KEY = { monitorKey: 42, kind: 'http' } as const;
const REGION = 'eastus2';

/** Successive settings, the first from the creation of the monitor on. */
const settings = fc
  .array(fc.record({ intervalMs: fc.integer({ min: 60_000, max: 3_600_000 }), afterMs: fc.nat(7_200_000) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((steps) => {
    let changedMs = CREATED_MS;
    return steps.map(({ intervalMs, afterMs }, index) => {
      if (index > 0) changedMs += afterMs + 1;
      return { intervalMs, changedMs };
    });
  });
type Settings = { intervalMs: number; changedMs: number };

function known(steps: readonly Settings[]): KnownSchedule {
  const now = steps.at(-1)!;
  const former = steps.slice(0, -1);
  return {
    createdMs: CREATED_MS,
    ...now,
    formerChangesMs: former.map(({ changedMs }) => changedMs),
    formerIntervalsMs: former.map(({ intervalMs }) => intervalMs),
    knownSinceMs: CREATED_MS,
  };
}

/** The times at which an agent with these settings runs the check, until it receives others. */
function timesOf({ intervalMs, changedMs }: Settings, forMs: number): number[] {
  const phaseMs = schedulePhaseMs(KEY, REGION, intervalMs);
  const times = [changedMs];
  const from = changedMs + SETTLE_MS;
  let time = phaseMs + Math.ceil((from - phaseMs) / intervalMs) * intervalMs;
  for (; time < changedMs + forMs; time += intervalMs) times.push(time);
  return times;
}

describe('decideWasScheduled', () => {
  it('accepts the scheduled times of all former settings, however long an agent was cut off', () => {
    fc.assert(
      fc.property(settings, fc.nat(), fc.integer({ min: 0, max: 86_400_000 }), (steps, pick, cutOffMs) => {
        const heard = steps[pick % steps.length]!;
        for (const time of timesOf(heard, cutOffMs))
          expect(decideWasScheduled(known(steps), KEY, REGION, time)).to.equal(true);
      }),
    );
  });

  it('refuses every other time', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: -100_000, max: 86_400_000 }), (steps, at) => {
        const everyTime = new Set(steps.flatMap((step) => timesOf({ ...step, changedMs: CREATED_MS }, 90_000_000)));
        // No check is scheduled in the 10 s after a change; a time in them is accepted, which does no harm.
        for (const { intervalMs } of steps) {
          const phaseMs = schedulePhaseMs(KEY, REGION, intervalMs);
          everyTime.add(phaseMs + Math.ceil((CREATED_MS - phaseMs) / intervalMs) * intervalMs);
        }
        for (const { changedMs } of steps) everyTime.add(changedMs);
        expect(decideWasScheduled(known(steps), KEY, REGION, CREATED_MS + at)).to.equal(everyTime.has(CREATED_MS + at));
      }),
    );
  });

  it('refuses the scheduled times of another region, kind or monitor', () => {
    const schedule = known([{ intervalMs: 600_000, changedMs: CREATED_MS }]);
    const time = timesOf({ intervalMs: 600_000, changedMs: CREATED_MS }, 3_600_000)[1]!;
    expect(decideWasScheduled(schedule, KEY, REGION, time)).to.equal(true);
    expect(decideWasScheduled(schedule, KEY, 'japaneast', time)).to.equal(false);
    expect(decideWasScheduled(schedule, { ...KEY, kind: 'ssl' }, REGION, time)).to.equal(false);
    expect(decideWasScheduled(schedule, { ...KEY, monitorKey: 43 }, REGION, time)).to.equal(false);
  });

  it('accepts any time of which no record is kept, and none before the monitor was created', () => {
    const schedule = { ...known([{ intervalMs: 60_000, changedMs: CREATED_MS }]), knownSinceMs: CREATED_MS + 100_000 };
    const odd = schedulePhaseMs(KEY, REGION, 60_000) + 1 + Math.ceil(CREATED_MS / 60_000) * 60_000;
    expect(decideWasScheduled(schedule, KEY, REGION, odd)).to.equal(odd < CREATED_MS + 100_000);
    expect(decideWasScheduled(schedule, KEY, REGION, odd + 600_000)).to.equal(false);
    expect(decideWasScheduled(schedule, KEY, REGION, CREATED_MS - 1)).to.equal(false);
  });
});
