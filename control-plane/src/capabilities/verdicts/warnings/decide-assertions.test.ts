import { expect } from 'chai';
import fc from 'fast-check';
import type { Series } from '../series/series.js';
import { assertionSeries, type AssertionSettings } from './decide-assertions.js';
import { isOneSided } from './is-one-sided.js';

const REGION = 'northeurope';
const HTTP: Series = {
  region: REGION,
  kind: 'http',
  streak: 9,
  streakOutcome: 'up',
  streakSinceMs: 0,
  failing: false,
  conclusiveAtMs: 0,
  freshUntilMs: 1_000,
  stale: false,
  lastMessage: null,
};
const limits = fc.record({ alertAfter: fc.integer({ min: 1, max: 5 }), recoverAfter: fc.integer({ min: 1, max: 5 }) });

/** As the database hands over the latest checks. */
const reading = (settings: AssertionSettings, warnings: readonly boolean[]) => ({
  settings,
  windows: new Map([
    [
      REGION,
      warnings
        .map((warns, index) => ({ scheduledAtMs: index, totalUs: 1, warning: warns ? 'It is old.' : null }))
        .slice(-Math.max(settings.alertAfter, settings.recoverAfter)),
    ],
  ] as const),
});

describe('The series of assertions that only warn', () => {
  it('fails after so many warnings in a row, and recovers after so many checks without one', () => {
    fc.assert(
      fc.property(limits, fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (settings, warnings) => {
        let failing = false;
        let row = 0;
        for (const [index, warns] of warnings.entries()) {
          row = warns === warnings[index - 1] ? row + 1 : 1;
          const wasFailing = failing;
          if (row >= (warns ? settings.alertAfter : settings.recoverAfter)) failing = warns;
          const [series] = assertionSeries(
            reading(settings, warnings.slice(0, index + 1)),
            [HTTP],
            wasFailing ? [REGION] : [],
          );
          expect(series!.failing ?? false).to.equal(failing);
          expect(series!.streakOutcome).to.equal(warns ? 'down' : 'up');
          if (series!.failing && warns && row <= settings.alertAfter)
            expect(series!.streakSinceMs).to.equal(index - row + 1);
        }
      }),
    );
  });

  it('needs no new decision while checks stay on the side that it is on', () => {
    fc.assert(
      fc.property(limits, fc.boolean(), fc.integer({ min: 1, max: 20 }), (settings, warns, more) => {
        const checks = Array<boolean>(5).fill(warns);
        const failingOf = (warnings: readonly boolean[]) =>
          assertionSeries(reading(settings, warnings), [HTTP], [])[0]!.failing;
        expect(failingOf(checks)).to.equal(warns);
        expect(failingOf([...checks, ...Array<boolean>(more).fill(warns)])).to.equal(warns);
        const sided = (isWarning: boolean) =>
          isOneSided({ assertions: reading(settings, checks) }, REGION, { isSlow: false, isWarning });
        expect([sided(warns), sided(!warns)]).to.deep.equal([true, false]);
      }),
    );
  });

  it('counts for nothing where the target cannot be reached, and keeps what it was', () => {
    const settings = { alertAfter: 1, recoverAfter: 1 };
    const down = { ...HTTP, failing: true, streakOutcome: 'down' as const };
    expect(assertionSeries(reading(settings, [true]), [down], [])[0]).to.include({ failing: null, freshUntilMs: null });
    expect(assertionSeries(reading(settings, []), [down], [REGION])[0]).to.include({
      failing: true,
      freshUntilMs: null,
    });
  });
});
