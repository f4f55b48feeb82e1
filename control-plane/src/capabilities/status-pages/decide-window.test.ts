import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { TimelineWindow } from '../plans/index.js';
import { decideDays, decideWindow, WINDOWS } from './decide-window.js';

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

describe('The last days of a system', () => {
  const TODAY = Math.floor(NOON / DAY_MS);
  const count = fc.record({
    startMs: fc.integer({ min: NOON - 100 * DAY_MS, max: NOON }),
    healthy: fc.integer({ min: 0, max: 3 }),
    unhealthy: fc.integer({ min: 0, max: 3 }),
  });

  it('are what their checks found, and nothing is fine that nobody checked', () => {
    const counts = fc
      .array(count, { maxLength: 40 })
      .map((all) => all.filter((one) => one.healthy + one.unhealthy > 0));
    const covered = fc.array(fc.integer({ min: TODAY - 95, max: TODAY }));
    const watched = fc.option(fc.integer({ min: NOON - 100 * DAY_MS, max: NOON }));
    fc.assert(
      fc.property(counts, covered, watched, (daily, days, watchedMs) => {
        const { startMs, states } = decideDays(NOON, daily, (day) => days.includes(day), [], watchedMs);
        expect(states).to.have.length(90);
        for (const [index, letter] of Array.from(states).entries()) {
          const day = startMs / DAY_MS + index;
          const own = daily.filter((one) => Math.floor(one.startMs / DAY_MS) === day);
          const sum = (key: 'healthy' | 'unhealthy') => own.reduce((total, one) => total + one[key], 0);
          if (own.length > 0) expect(letter).to.equal(sum('unhealthy') === 0 ? 'a' : sum('healthy') === 0 ? 'u' : 'p');
          else expect(letter).to.be.oneOf(days.includes(day) || day === TODAY ? ['m', '-'] : ['n', '-']);
          if (watchedMs !== null && day >= Math.floor(watchedMs / DAY_MS)) expect(letter).to.not.equal('-');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are maintenance today only where all of today was', () => {
    const until = (ms: number) => [
      { startMs: NOON - DAY_MS, endMs: TODAY * DAY_MS, status: 'unknown' as const },
      { startMs: TODAY * DAY_MS, endMs: ms, status: 'maintenance' as const },
      { startMs: ms, endMs: NOON, status: 'unknown' as const },
    ];
    const todayIn = (timeline: ReturnType<typeof until>) =>
      decideDays(NOON, [], () => false, timeline, NOON - DAY_MS).states.at(-1);
    expect(todayIn(until(NOON).slice(0, 2))).to.equal('m');
    expect(todayIn(until(NOON - DAY_MS / 4))).to.equal('n');
  });
});
