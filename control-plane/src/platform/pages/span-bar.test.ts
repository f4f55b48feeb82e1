import { expect } from 'chai';
import fc from 'fast-check';
import { SLOT_WIDTH } from '@watchpost/shared/design/bar';
import { DAY_MS } from '@watchpost/shared/time';
import { describeSpans, describeTotals, sinceWatched, spanBar } from './span-bar.js';

const START = Date.UTC(2026, 10, 20, 12);
/** Each is drawn over those before it. */
const STATUSES = ['available', 'unknown', 'partial', 'unavailable'] as const;
const STEP_MS = 15 * 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** A day, cut at these moments. */
const timeline = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: DAY_MS - 1 }), { maxLength: 12 }),
    fc.array(fc.constantFrom(...STATUSES), { minLength: 13, maxLength: 13 }),
  )
  .map(([cuts, statuses]) => {
    const ends = [0, ...cuts.toSorted((a, b) => a - b), DAY_MS];
    return ends.slice(1).map((end, index) => ({
      start: iso(START + ends[index]!),
      end: iso(START + end),
      status: statuses[index]!,
    }));
  });

describe('A timeline as a bar', () => {
  it('shows every disruption in its slot, however short and late it was, by itself or by a worse one', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        const shown = slotsOf(spanBar('Last 24 hours', spans).text);
        for (const { start, end, status } of spans) {
          const [from, to] = [Date.parse(start) - START, Date.parse(end) - START];
          const touched = shown.slice(Math.floor(from / STEP_MS), Math.ceil(to / STEP_MS));
          const weights: readonly string[] = STATUSES;
          const isShown = touched.every((seen) => weights.indexOf(seen) >= weights.indexOf(status));
          expect(isShown, `${status} from ${start}`).to.equal(true);
        }
      }),
    );
  });

  it('has one state in each slot, and costs little however often it turns', () => {
    const turns = Array.from({ length: 1_440 }, (_, minute) => ({
      start: iso(START + minute * 60_000),
      end: iso(START + (minute + 1) * 60_000),
      status: minute % 30 < 15 ? ('available' as const) : ('unavailable' as const),
    }));
    expect(spanBar('Last 24 hours', turns).text.length).to.be.lessThan(2_500);
    fc.assert(
      fc.property(timeline, (spans) => {
        expect(slotsOf(spanBar('Last 24 hours', spans).text))
          .to.have.length(96)
          .and.not.include(undefined);
      }),
    );
  });

  it('shows an outage that began a moment ago', () => {
    const end = START + DAY_MS;
    const { text } = spanBar('Last 24 hours', [
      { start: iso(START), end: iso(end - 5_000), status: 'available' },
      { start: iso(end - 5_000), end: iso(end), status: 'unavailable' },
    ]);
    expect(slotsOf(text).at(-1)).to.equal('unavailable');
  });

  it('keeps its slots while time passes, and has no more of them in a year than in a day', () => {
    const bar = (startMs: number, endMs: number) =>
      slotsOf(spanBar('Bar', [{ start: iso(startMs), end: iso(endMs), status: 'available' }]).text).length;
    expect(bar(START + 1, START + DAY_MS + 1)).to.equal(97);
    for (const days of [2, 7, 30, 90, 365, 800]) expect(bar(START, START + days * DAY_MS)).to.be.within(24, 97);
  });

  it('begins where its data begins, with the gaps that came after', () => {
    const at = (minutes: number) => iso(START + minutes * 60_000);
    const spans = [
      { start: at(0), end: at(600), status: 'unknown' },
      { start: at(600), end: at(660), status: 'available' },
    ] as const;
    const since = (minutes: number | null) => sinceWatched(spans, minutes === null ? null : at(minutes));
    expect(since(-10), 'made before: the gap is real').to.equal(spans);
    expect(since(598), 'the first check was a little later').to.deep.equal([spans[1]]);
    expect(since(700), 'results from before it was made').to.deep.equal([spans[1]]);
    expect(since(300), 'nobody looked for hours after it was made').to.deep.equal([
      { ...spans[0], start: at(300) },
      spans[1],
    ]);
    expect(sinceWatched([{ ...spans[0] }], at(590)), 'not checked yet').to.deep.equal([]);
    expect(sinceWatched([{ ...spans[0] }], null), 'nothing is monitored').to.deep.equal([]);
  });

  it('has a description in words of what it shows', () => {
    const at = (hour: number) => iso(START + hour * 3_600_000);
    expect(describeSpans([{ start: at(0), end: at(24), status: 'available' }])).to.equal('available throughout');
    expect(
      describeSpans([
        { start: at(0), end: at(2), status: 'available' },
        { start: at(2), end: at(2.25), status: 'unavailable' },
        { start: at(2.25), end: at(24), status: 'available' },
      ]),
    ).to.equal('down 20 Nov 2026, 14:00 UTC to 14:15 (15 min)');
    expect(describeSpans([{ start: at(2), end: at(23), status: 'unknown' }])).to.equal('unknown throughout');
    expect(
      describeSpans([
        { start: at(0), end: at(2), status: 'available' },
        { start: at(2), end: at(23), status: 'unknown' },
      ]),
    ).to.equal('unknown 20 Nov 2026, 14:00 UTC to 21 Nov 2026, 11:00 UTC (21 h)');
  });

  it('has totals in words, the worst first', () => {
    const at = (hour: number) => iso(START + hour * 3_600_000);
    expect(describeTotals([{ start: at(0), end: at(24), status: 'available' }])).to.equal('');
    expect(
      describeTotals([
        { start: at(0), end: at(2), status: 'unknown' },
        { start: at(2), end: at(2.25), status: 'unavailable' },
        { start: at(2.25), end: at(3), status: 'partial' },
        { start: at(3), end: at(3.5), status: 'unavailable' },
      ]),
    ).to.equal('down for 45 min, degraded for 45 min, unknown for 2 h');
  });

  it('has nothing to show without a timeline', () => {
    expect(spanBar('Last 24 hours', []).text).to.equal('');
  });
});

/** What each slot of a bar shows. */
function slotsOf(text: string): string[] {
  const slots: string[] = [];
  for (const [, status, path] of text.matchAll(/class="slot-(\w+)" d="([^"]+)"/g)) {
    for (const [, x, width] of path!.matchAll(/M(\d+) \d+h(\d+)/g)) {
      for (let slot = Number(x) / SLOT_WIDTH; slot < (Number(x) + Number(width)) / SLOT_WIDTH; slot++) {
        expect(slots[slot], `slot ${slot}`).to.equal(undefined);
        slots[slot] = status!;
      }
    }
  }
  return slots;
}
