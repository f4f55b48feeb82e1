import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { decideDuePeriod, decideNextDue, type DuePeriod, REPORT_KINDS, type ReportKind } from './decide-due-period.js';

/** Of the spans that are looked at, without the first one. */
const COUNTS: Readonly<Record<ReportKind, [number, number]>> = { daily: [58, 61], weekly: [27, 29], monthly: [25, 27] };
const at = (text: string) => Date.parse(text);

describe('The period of a report that goes out by itself', () => {
  it('is the day before, from six in the morning on, by the clock of the workspace', () => {
    expect(decideDuePeriod('daily', 'Europe/Berlin', at('2026-11-21T04:59:59Z'))).to.deep.include({
      starts: '2026-11-19',
      isOverdue: true,
    });
    expect(decideDuePeriod('daily', 'Europe/Berlin', at('2026-11-21T05:00:00Z'))).to.deep.equal({
      starts: '2026-11-20',
      startMs: at('2026-11-19T23:00:00Z'),
      endMs: at('2026-11-20T23:00:00Z'),
      isOverdue: false,
    });
    expect(decideDuePeriod('daily', 'Asia/Kolkata', at('2026-11-21T00:30:00Z')).starts).to.equal('2026-11-20');
  });

  it('has 23 or 25 hours on days on which clocks change', () => {
    const hours = (text: string) => {
      const period = decideDuePeriod('daily', 'Europe/Berlin', at(text));
      return (period.endMs - period.startMs) / HOUR_MS;
    };
    expect(hours('2026-03-30T06:00:00Z')).to.equal(23);
    expect(hours('2026-10-26T06:00:00Z')).to.equal(25);
  });

  it('is a week from Monday to Monday, and a month from its first day', () => {
    expect(decideDuePeriod('weekly', 'UTC', at('2026-11-16T06:00:00Z')).starts).to.equal('2026-11-09');
    expect(decideDuePeriod('weekly', 'UTC', at('2026-11-19T05:59:00Z'))).to.include({ isOverdue: false });
    expect(decideDuePeriod('weekly', 'UTC', at('2026-11-21T06:00:00Z'))).to.include({ isOverdue: true });
    expect(decideDuePeriod('monthly', 'UTC', at('2026-03-01T06:00:00Z'))).to.deep.equal({
      starts: '2026-02-01',
      startMs: at('2026-02-01T00:00:00Z'),
      endMs: at('2026-03-01T00:00:00Z'),
      isOverdue: false,
    });
  });

  it('is followed by the next one, never before now, and due exactly then', () => {
    expect(decideNextDue('daily', 'Europe/Berlin', at('2026-11-21T04:59:59Z'))).to.equal(at('2026-11-21T05:00:00Z'));
    expect(decideNextDue('daily', 'Europe/Berlin', at('2026-11-21T05:00:00Z'))).to.equal(at('2026-11-22T05:00:00Z'));
    expect(decideNextDue('weekly', 'UTC', at('2026-11-19T12:00:00Z'))).to.equal(at('2026-11-23T06:00:00Z'));
    expect(decideNextDue('monthly', 'UTC', at('2026-12-31T12:00:00Z'))).to.equal(at('2027-01-01T06:00:00Z'));
    const moments = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') });
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), fc.constantFrom(...REPORT_KINDS), (nowMs, zone, kind) => {
        const next = decideNextDue(kind, zone, nowMs);
        expect(next).to.be.greaterThan(nowMs);
        const { starts } = decideDuePeriod(kind, zone, nowMs);
        expect(decideDuePeriod(kind, zone, next - 1).starts, 'nothing is due in between').to.equal(starts);
        expect(decideDuePeriod(kind, zone, next).starts, 'due then').not.to.equal(starts);
      }),
    );
  });

  const ZONES = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Pacific/Chatham',
    'America/Nuuk',
  ];
  const moments = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });

  it('is over before its report is due, and named by one day however often it is asked for', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REPORT_KINDS), fc.constantFrom(...ZONES), moments, (kind, zone, nowMs) => {
        const period = decideDuePeriod(kind, zone, nowMs);
        expect(period.startMs).to.be.lessThan(period.endMs);
        expect(period.endMs).to.be.lessThan(nowMs);
        const later = decideDuePeriod(kind, zone, nowMs + 60_000);
        if (later.endMs === period.endMs) expect(later).to.deep.include({ ...period, isOverdue: later.isOverdue });
        else expect(later.startMs, 'the next one follows at once').to.equal(period.endMs);
      }),
    );
  });

  /** Each look of the job finds this, at regular moments. */
  function looksOf(kind: ReportKind, zone: string, [fromMs, toMs]: readonly [number, number], stepMs: number) {
    const moments = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, look) => fromMs + look * stepMs);
    return moments.map((ms) => ({ ...decideDuePeriod(kind, zone, ms), sentMs: ms }));
  }

  /** The job does not send again what it has sent. */
  function sentAt(looks: readonly (DuePeriod & { sentMs: number })[]): (DuePeriod & { sentMs: number })[] {
    const sent = new Map<string, DuePeriod & { sentMs: number }>();
    for (const look of looks) if (!sent.has(look.starts)) sent.set(look.starts, look);
    return [...sent.values()];
  }
  const STEPS: Readonly<Record<ReportKind, number>> = { daily: HOUR_MS, weekly: 3 * HOUR_MS, monthly: 6 * HOUR_MS };
  const DAYS: Readonly<Record<ReportKind, number>> = { daily: 60, weekly: 200, monthly: 800 };

  it('is reported once each and without gaps, over changes of the clock and ends of months, in every zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REPORT_KINDS), fc.constantFrom(...ZONES), moments, (kind, zone, fromMs) => {
        const span = [fromMs, fromMs + DAYS[kind] * DAY_MS] as const;
        const sent = sentAt(looksOf(kind, zone, span, STEPS[kind])).slice(1);
        expect(new Set(sent.map(({ startMs }) => startMs)).size).to.equal(sent.length);
        for (const [index, { startMs, endMs, sentMs, isOverdue }] of sent.entries()) {
          if (index > 0) expect(startMs, 'no gap and no overlap').to.equal(sent[index - 1]!.endMs);
          expect(isOverdue).to.equal(false);
          // Six o'clock, give or take what a change of the clock makes of it, and the step.
          expect(sentMs - endMs).to.be.within(5 * HOUR_MS, 7 * HOUR_MS + STEPS[kind]);
        }
        expect(sent.length).to.be.within(...COUNTS[kind]);
      }),
      { numRuns: 15 },
    );
  });

  it('comes once for every day of a year in which clocks change', () => {
    for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe']) {
      const year = [at('2026-01-02T00:00:00Z'), at('2027-01-02T00:00:00Z')] as const;
      const sent = sentAt(looksOf('daily', zone, year, 2 * HOUR_MS));
      expect(sent.length, zone).to.be.within(365, 366);
      for (const [index, { startMs }] of sent.slice(1).entries()) expect(startMs).to.equal(sent[index]!.endMs);
    }
  });

  it('is reported once when the service is back after days, and only where no later one is due is it the one missed', () => {
    const downtime = fc.tuple(fc.integer({ min: 1, max: 20 * 24 }), fc.integer({ min: 1, max: 12 * 24 }));
    fc.assert(
      fc.property(
        fc.constantFrom(...REPORT_KINDS),
        fc.constantFrom(...ZONES),
        moments,
        downtime,
        (kind, zone, fromMs, [afterHours, lengthHours]) => {
          const offMs = fromMs + afterHours * HOUR_MS;
          const backMs = offMs + lengthHours * HOUR_MS;
          // Two periods of each kind and more.
          const toMs = backMs + DAYS[kind] * DAY_MS * 0.1;
          const looks = looksOf(kind, zone, [fromMs, toMs], HOUR_MS);
          const sent = sentAt(looks.filter(({ sentMs }) => sentMs < offMs || sentMs >= backMs));
          const without = sentAt(looks);
          const missing = without.filter(({ starts }) => !sent.some((one) => one.starts === starts));
          const late = sent.filter(
            ({ starts, sentMs }) => without.find((one) => one.starts === starts)!.sentMs < sentMs,
          );
          expect(late.length, 'one report at most is late').to.be.at.most(1);
          for (const { sentMs } of late) expect(sentMs - backMs, 'and comes at once').to.be.within(0, HOUR_MS);
          // Only what would have been sent, and replaced by the next, while nobody was there.
          for (const period of missing) {
            const next = without[without.indexOf(period) + 1]!;
            expect(period.sentMs >= offMs && next.sentMs < backMs + HOUR_MS, period.starts).to.equal(true);
          }
          expect(sent.map(({ startMs }) => startMs)).to.deep.equal(
            sent.map(({ startMs }) => startMs).toSorted((a, b) => a - b),
          );
        },
      ),
      { numRuns: 15 },
    );
  });
});
