import { expect } from 'chai';
import { dailyBars, daysRow, shownWindows } from './timeline-bars.js';

const daysOf = (...uptimes: (number | null)[]) =>
  uptimes.map((uptimePercentage, index) => ({ date: `2026-11-1${index}`, uptimePercentage }));

describe('Uptime by day on a status page', () => {
  it('shows a day with any failure as one, and names the latest', () => {
    const { text } = dailyBars({ words: 'Last 7 days', perDay: daysOf(100, 99.999, null, 97.2, 100, 100, 100) })!;
    expect(text).to.include('Last 7 days: failures on 2 of 6 days, the latest 13 Nov 2026, no data on 1 day');
    expect(text).to.include('class="slot-partial" d="M4 2h4V24h-4zM12 2h4V24h-4z"');
  });

  it('shows a day of failures as one, and days without data as unknown', () => {
    const { text } = dailyBars({ words: 'Last 30 days', perDay: daysOf(null, null, 100, 0, 100) })!;
    expect(text).to.include('class="slot-unknown" d="M0 4h8V24h-8z"');
    expect(text).to.include('class="slot-unavailable" d="M12 0h4V24h-4z"');
    expect(dailyBars({ words: 'Last 7 days', perDay: daysOf(null, 100) })!.text).to.include(
      'no failures, no data on 1 day',
    );
    expect(dailyBars({ words: 'Last 7 days', perDay: daysOf(null, null) })).to.equal(null);
  });
});

describe('The days of a system on a status page', () => {
  const rowOf = (states: string) => daysRow({ start: '2026-09-01', states, uptimePercentage: 99.987 });

  it('are a bar with a slot each and the uptime, and words for who does not see it', () => {
    const { text } = rowOf(`${'a'.repeat(80)}pumnaaaaaa`)!;
    expect(text.replaceAll(/<svg.*<\/svg>|<[^>]*>/gs, ' ').split(/\s{2,}/)).to.deep.equal([
      '',
      'Last 90 days',
      '99.98 %',
      '',
    ]);
    expect(text).to.include(
      'Last 90 days: failures on 2 of 88 days, the latest 21 Nov 2026, maintenance on 1 day, no data on 1 day',
    );
    expect(text).to.include('viewBox="0 0 360 24"').and.include('class="slot-maintenance" d="M328 4h4V24h-4z"');
  });

  it('begin where the data begins, and are none where there is none', () => {
    expect(rowOf(`${'-'.repeat(88)}aa`)!.text).to.include('Since 28 Nov 2026: no failures');
    expect(rowOf('-'.repeat(90))).to.equal(null);
  });
});

describe('The windows of a status page', () => {
  const windowOf = (window: '24h' | '7d' | '30d', start: string, perDay: ReturnType<typeof daysOf>) => ({
    window,
    start: `${start}T12:00:00.000Z`,
    end: '2026-11-19T12:00:00.000Z',
    sampleInterval: 'PT15M',
    uptimePercentage: 100,
    samples: [],
    perDay,
  });
  const days = [null, null, null, null, null, null, null, null, 100, 100];
  const windows = [
    windowOf('24h', '2026-11-18', daysOf(...days).slice(-2)),
    windowOf('7d', '2026-11-12', daysOf(...days).slice(-8)),
    windowOf('30d', '2026-10-20', daysOf(...days)),
  ];
  const namesOf = (watchedSince: string | null) => shownWindows(windows, watchedSince).map(({ words }) => words);

  it('begin where their data begins, and a longer one without more data is left out', () => {
    expect(namesOf('2026-11-18T15:30:00.000Z')).to.deep.equal(['Since 15:30 UTC']);
    expect(namesOf('2026-11-17T15:30:00.000Z')).to.deep.equal(['Last 24 hours', 'Since 17 Nov 2026']);
    const [, week] = shownWindows(windows, '2026-11-17T15:30:00.000Z');
    expect(week!.perDay.map(({ date }) => date)).to.deep.equal(['2026-11-17', '2026-11-18', '2026-11-19']);
    expect(namesOf('2026-01-01T00:00:00.000Z')).to.deep.equal(['Last 24 hours', 'Last 7 days', 'Last 30 days']);
  });

  it('are none where nothing is monitored', () => {
    expect(shownWindows([windowOf('24h', '2026-11-18', daysOf(null))], null)).to.deep.equal([]);
  });
});
