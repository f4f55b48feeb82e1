import { schedulePhaseMs, SETTLE_MS } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { decideDue, type KnownSchedule } from './decide-due.js';

const MADE = 1_763_000_000_000;
const KEY = { monitorKey: 42, kind: 'http' } as const;
const REGION = 'eastus2';

/** Settings that held one after the other, the first from when the monitor was made. */
const settings = fc
  .array(fc.record({ intervalMs: fc.integer({ min: 60_000, max: 3_600_000 }), afterMs: fc.nat(7_200_000) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((steps) => {
    let changedMs = MADE;
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
    createdMs: MADE,
    ...now,
    formerChangesMs: former.map(({ changedMs }) => changedMs),
    formerIntervalsMs: former.map(({ intervalMs }) => intervalMs),
    knownSinceMs: MADE,
  };
}

/** What an agent runs that heard of these settings, for as long as it hears of no others. */
function slotsOf({ intervalMs, changedMs }: Settings, forMs: number): number[] {
  const phaseMs = schedulePhaseMs(KEY, REGION, intervalMs);
  const slots = [changedMs];
  const from = changedMs + SETTLE_MS;
  let slot = phaseMs + Math.ceil((from - phaseMs) / intervalMs) * intervalMs;
  for (; slot < changedMs + forMs; slot += intervalMs) slots.push(slot);
  return slots;
}

describe('whether a check was due at a moment', () => {
  it('it was, by whichever settings an agent had last heard of, for however long it was cut off', () => {
    fc.assert(
      fc.property(settings, fc.nat(), fc.integer({ min: 0, max: 86_400_000 }), (steps, pick, cutOffMs) => {
        const heard = steps[pick % steps.length]!;
        for (const slot of slotsOf(heard, cutOffMs)) expect(decideDue(known(steps), KEY, REGION, slot)).to.equal(true);
      }),
    );
  });

  it('it was not at any other', () => {
    fc.assert(
      fc.property(settings, fc.integer({ min: -100_000, max: 86_400_000 }), (steps, at) => {
        const everySlot = new Set(steps.flatMap((step) => slotsOf({ ...step, changedMs: MADE }, 90_000_000)));
        // The 10 s after a change have none, and one there passes: nobody gains anything by it.
        for (const { intervalMs } of steps) {
          const phaseMs = schedulePhaseMs(KEY, REGION, intervalMs);
          everySlot.add(phaseMs + Math.ceil((MADE - phaseMs) / intervalMs) * intervalMs);
        }
        for (const { changedMs } of steps) everySlot.add(changedMs);
        expect(decideDue(known(steps), KEY, REGION, MADE + at)).to.equal(everySlot.has(MADE + at));
      }),
    );
  });

  it('it was in another region or of another kind at other moments', () => {
    const schedule = known([{ intervalMs: 600_000, changedMs: MADE }]);
    const slot = slotsOf({ intervalMs: 600_000, changedMs: MADE }, 3_600_000)[1]!;
    expect(decideDue(schedule, KEY, REGION, slot)).to.equal(true);
    expect(decideDue(schedule, KEY, 'japaneast', slot)).to.equal(false);
    expect(decideDue(schedule, { ...KEY, kind: 'ssl' }, REGION, slot)).to.equal(false);
    expect(decideDue(schedule, { ...KEY, monitorKey: 43 }, REGION, slot)).to.equal(false);
  });

  it('nobody can tell of what is forgotten, and there was nothing before the monitor', () => {
    const schedule = { ...known([{ intervalMs: 60_000, changedMs: MADE }]), knownSinceMs: MADE + 100_000 };
    const odd = schedulePhaseMs(KEY, REGION, 60_000) + 1 + Math.ceil(MADE / 60_000) * 60_000;
    expect(decideDue(schedule, KEY, REGION, odd)).to.equal(odd < MADE + 100_000);
    expect(decideDue(schedule, KEY, REGION, odd + 600_000)).to.equal(false);
    expect(decideDue(schedule, KEY, REGION, MADE - 1)).to.equal(false);
  });
});
