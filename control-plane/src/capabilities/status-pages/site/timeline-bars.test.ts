import { expect } from 'chai';
import { dailyBars, shownWindows } from './timeline-bars.js';

const daysOf = (...uptimes: (number | null)[]) =>
  uptimes.map((uptimePercentage, index) => ({ date: `2026-11-1${index}`, uptimePercentage }));

describe('Uptime by day on a status page', () => {
  it('shows a day with any failure as one, and names the worst', () => {
    const { text } = dailyBars({ words: 'Last 7 days', perDay: daysOf(100, 99.999, null, 97.2, 100, 100, 100) })!;
    expect(text).to.include(
      'Last 7 days: failures on 2 of 6 days, the worst 13 Nov 2026 with 97.2 %, no data on 1 day',
    );
    const failed = /class="notch" d="([^"]+)"/.exec(text)![1]!;
    expect(failed.match(/M/g)).to.have.length(2);
  });

  it('draws equal adjacent days as one line, and marks days without data', () => {
    const { text } = dailyBars({ words: 'Last 30 days', perDay: daysOf(null, null, 100, 50, 100) })!;
    expect(text).to.include('class="unknown" d="M0 21h18"').and.include('class="available" d="M20 14h28"');
    expect(text).to.include('class="notch" d="M30 0h8v12h-8z"');
    expect(text.indexOf('class="notch"')).to.be.greaterThan(text.indexOf('class="available"'));
    expect(dailyBars({ words: 'Last 7 days', perDay: daysOf(null, 100) })!.text).to.include(
      'no failures, no data on 1 day',
    );
    expect(dailyBars({ words: 'Last 7 days', perDay: daysOf(null, null) })).to.equal(null);
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
