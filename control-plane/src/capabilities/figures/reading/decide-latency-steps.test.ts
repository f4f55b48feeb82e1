import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { decideLatencySteps } from './decide-latency-steps.js';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('decideLatencySteps', () => {
  it('yields whole hours or days that cover the period, and at most as many as requested', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 * DAY_MS }),
        fc.integer({ min: 1, max: 2_000 }),
        fc.boolean(),
        (lengthMs, points, isOld) => {
          const period = { startMs: NOW - lengthMs, endMs: NOW };
          const { originMs, stepMs } = decideLatencySteps(period, points, isOld ? Infinity : 0);
          const unitMs = isOld || stepMs >= DAY_MS ? DAY_MS : HOUR_MS;
          expect([originMs % unitMs, stepMs % unitMs]).to.deep.equal([0, 0]);
          expect(originMs).to.be.within(period.startMs - unitMs, period.startMs);
          expect(Math.ceil((period.endMs - originMs) / stepMs)).to.be.at.most(points);
        },
      ),
    );
  });

  it('yields as many steps as requested where whole hours allow it', () => {
    const steps = (days: number, points: number) =>
      decideLatencySteps({ startMs: NOW - days * DAY_MS, endMs: NOW }, points, 0).stepMs / HOUR_MS;
    expect([steps(7, 300), steps(30, 300), steps(365, 300), steps(365, 2_000)]).to.deep.equal([1, 3, 48, 5]);
  });
});
