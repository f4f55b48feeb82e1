import { expect } from 'chai';
import { dailyBars } from './timeline-bars.js';

describe('Uptime by day on a status page', () => {
  it('shows a day with any failure as one, and names the worst', () => {
    const days = [100, 99.999, null, 97.2, 100, 100, 100].map((uptimePercentage, index) => ({
      date: `2026-11-1${index}`,
      uptimePercentage,
    }));
    const { text } = dailyBars({ window: '7d', perDay: days } as Parameters<typeof dailyBars>[0]);
    expect(text).to.include('Last 7 days: failures on 2 of 6 days, the worst 2026-11-13 with 97.2 %');
    const failed = /class="unavailable" d="([^"]+)"/.exec(text)![1]!;
    expect(failed.match(/M/g)).to.have.length(2);
  });
});
