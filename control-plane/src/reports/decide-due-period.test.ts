import { expect } from 'chai';
import fc from 'fast-check';
import { decideDuePeriod, REPORT_KINDS } from './decide-due-period.js';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

describe('The period of a report that goes out by itself', () => {
  it('is the day before, from six in the morning on, by the clock of the workspace', () => {
    expect(decideDuePeriod('daily', 'Europe/Berlin', at('2026-11-21T04:59:59Z'))).to.equal(undefined);
    expect(decideDuePeriod('daily', 'Europe/Berlin', at('2026-11-21T05:00:00Z'))).to.deep.equal({
      starts: '2026-11-20',
      startMs: at('2026-11-19T23:00:00Z'),
      endMs: at('2026-11-20T23:00:00Z'),
    });
    expect(decideDuePeriod('daily', 'Asia/Kolkata', at('2026-11-21T00:30:00Z'))?.starts).to.equal('2026-11-20');
  });

  it('has 23 or 25 hours on days on which clocks change', () => {
    const hours = (text: string) => {
      const period = decideDuePeriod('daily', 'Europe/Berlin', at(text))!;
      return (period.endMs - period.startMs) / HOUR;
    };
    expect(hours('2026-03-30T06:00:00Z')).to.equal(23);
    expect(hours('2026-10-26T06:00:00Z')).to.equal(25);
  });

  it('is a week from Monday to Monday, and a month from its first day', () => {
    expect(decideDuePeriod('weekly', 'UTC', at('2026-11-16T06:00:00Z'))?.starts).to.equal('2026-11-09');
    expect(decideDuePeriod('weekly', 'UTC', at('2026-11-21T06:00:00Z'))).to.equal(undefined);
    expect(decideDuePeriod('monthly', 'UTC', at('2026-03-01T06:00:00Z'))).to.deep.equal({
      starts: '2026-02-01',
      startMs: at('2026-02-01T00:00:00Z'),
      endMs: at('2026-03-01T00:00:00Z'),
    });
  });

  it('is over before its report is due, and named by one day however often it is asked for', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'America/Sao_Paulo',
    );
    const moments = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });
    fc.assert(
      fc.property(fc.constantFrom(...REPORT_KINDS), zones, moments, (kind, zone, nowMs) => {
        const period = decideDuePeriod(kind, zone, nowMs);
        if (!period) return;
        expect(period.startMs).to.be.lessThan(period.endMs);
        expect(period.endMs).to.be.lessThan(nowMs);
        const later = decideDuePeriod(kind, zone, nowMs + 60_000);
        if (later && later.endMs === period.endMs) expect(later).to.deep.equal(period);
      }),
    );
  });

  it('comes once for every day of the year, with nothing between two of them', () => {
    for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe']) {
      let last: number | undefined;
      const seen = new Set<string>();
      for (let ms = at('2026-01-02T00:00:00Z'); ms < at('2027-01-02T00:00:00Z'); ms += HOUR) {
        const period = decideDuePeriod('daily', zone, ms);
        if (!period || seen.has(period.starts)) continue;
        seen.add(period.starts);
        if (last !== undefined) expect(period.startMs, `${zone} ${period.starts}`).to.equal(last);
        last = period.endMs;
      }
      expect(seen.size, zone).to.be.within(364, 366);
    }
  });
});
