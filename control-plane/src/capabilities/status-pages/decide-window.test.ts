import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { TimelineWindow } from '../plans/index.js';
import { decideWindow, WINDOWS } from './decide-window.js';

const NOON = Date.UTC(2026, 10, 21, 12, 7);
const at = (iso: string) => Date.parse(`${iso}Z`);

describe('a window of the timeline', () => {
  it('shows each sample by its own checks', () => {
    const { samples } = decideWindow(
      '24h',
      NOON,
      [
        { startMs: at('2026-11-21T11:00'), healthy: 15, unhealthy: 0 },
        { startMs: at('2026-11-21T11:15'), healthy: 12, unhealthy: 3 },
        { startMs: at('2026-11-21T11:30'), healthy: 0, unhealthy: 15 },
      ],
      [],
    );
    expect(samples.slice(-5).map(({ status, uptimePercentage }) => [status, uptimePercentage])).to.deep.equal([
      ['available', 100],
      ['partial', 80],
      ['unavailable', 0],
      ['unknown', null],
      ['unknown', null],
    ]);
  });

  it('shows the state of the last results where a sample has no check', () => {
    const timeline = [
      { startMs: NOON - 60 * MINUTE_MS, endMs: NOON - 30 * MINUTE_MS, status: 'available' },
      { startMs: NOON - 30 * MINUTE_MS, endMs: NOON, status: 'unavailable' },
    ] as const;
    const { samples } = decideWindow('24h', NOON, [], timeline);
    expect(samples.slice(-6).map(({ status }) => status)).to.deep.equal([
      'unknown',
      'available',
      'available',
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
  });

  it('has the uptime of each UTC day, and null for a day without checks', () => {
    const { perDay } = decideWindow(
      '7d',
      NOON,
      [
        { startMs: at('2026-11-20T00:00'), healthy: 9, unhealthy: 1 },
        { startMs: at('2026-11-20T22:00'), healthy: 10, unhealthy: 0 },
        { startMs: at('2026-11-21T00:00'), healthy: 10, unhealthy: 0 },
      ],
      [],
    );
    expect(perDay).to.have.length(8);
    expect(perDay.slice(-3)).to.deep.equal([
      { date: '2026-11-19', uptimePercentage: null },
      { date: '2026-11-20', uptimePercentage: 95 },
      { date: '2026-11-21', uptimePercentage: 100 },
    ]);
  });

  it('has the uptime of the whole window by its checks, independent of days', () => {
    const midnight = at('2026-11-22T00:30');
    const counts = [
      { startMs: at('2026-11-21T12:00'), healthy: 1410, unhealthy: 0 },
      { startMs: at('2026-11-22T00:00'), healthy: 0, unhealthy: 30 },
    ];
    expect(decideWindow('24h', midnight, counts, []).uptimePercentage).to.equal(97.9167);
    expect(decideWindow('7d', midnight, counts, []).uptimePercentage).to.equal(97.9167);
    expect(decideWindow('24h', midnight, [], []).uptimePercentage).to.equal(null);
  });

  it('has the same number of samples at any moment, contiguous, the last one going on', () => {
    const window = fc.constantFrom<TimelineWindow>('24h', '7d', '30d');
    fc.assert(
      fc.property(window, fc.integer({ min: DAY_MS * 40, max: 4_102_444_800_000 }), (name, nowMs) => {
        const { samples, startMs, sampleMs } = decideWindow(name, nowMs, [], []);
        expect(samples).to.have.length(WINDOWS[name].lengthMs / sampleMs);
        expect(samples.map((sample) => sample.startMs)).to.deep.equal(
          samples.map((_, index) => startMs + index * sampleMs),
        );
        const last = samples.at(-1)!.startMs;
        expect(last < nowMs && nowMs <= last + sampleMs).to.equal(true);
      }),
    );
  });
});
