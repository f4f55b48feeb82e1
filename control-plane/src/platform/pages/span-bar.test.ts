import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MS } from '@watchpost/shared/time';
import { describeSpans, spanBar } from './span-bar.js';

const START = Date.UTC(2026, 10, 20, 12);
/** Each is drawn over those before it. */
const STATUSES = ['available', 'unknown', 'partial', 'unavailable'] as const;
const WIDTH = 720;
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
  it('shows every disruption inside its frame, however short and late it was, by itself or by a worse one', () => {
    fc.assert(
      fc.property(timeline, (spans) => {
        const shown = columnsOf(spanBar('Last 24 hours', spans).text);
        for (const { start, end, status } of spans) {
          const [from, to] = [start, end].map((time) => Math.round(((Date.parse(time) - START) / DAY_MS) * WIDTH));
          const touched = shown.slice(Math.min(from!, WIDTH - 1), Math.max(from! + 1, to!));
          const weights: readonly string[] = STATUSES;
          const isShown = touched.some((seen) => weights.indexOf(seen) >= weights.indexOf(status));
          expect(isShown, `${status} from ${start}`).to.equal(true);
        }
      }),
    );
  });

  it('is drawn once in each column, and costs little however often it turns', () => {
    const turns = Array.from({ length: 1_440 }, (_, minute) => ({
      start: iso(START + minute * 60_000),
      end: iso(START + (minute + 1) * 60_000),
      status: minute % 2 === 0 ? ('available' as const) : ('unavailable' as const),
    }));
    expect(spanBar('Last 24 hours', turns).text.length).to.be.lessThan(8_000);
    fc.assert(
      fc.property(timeline, (spans) => {
        const drawn = [...spanBar('Last 24 hours', spans).text.matchAll(/h(\d+)V/g)];
        expect(drawn.reduce((sum, [, width]) => sum + Number(width), 0)).to.equal(WIDTH);
      }),
    );
  });

  it('shows an outage that began a moment ago', () => {
    const end = START + DAY_MS;
    const { text } = spanBar('Last 24 hours', [
      { start: iso(START), end: iso(end - 5_000), status: 'available' },
      { start: iso(end - 5_000), end: iso(end), status: 'unavailable' },
    ]);
    expect(columnsOf(text).at(-1)).to.equal('unavailable');
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
    ).to.equal('unavailable 20 Nov 2026, 14:00 UTC to 14:15 (15 min)');
    expect(describeSpans([{ start: at(2), end: at(23), status: 'unknown' }])).to.equal(
      'not known 20 Nov 2026, 14:00 UTC to 21 Nov 2026, 11:00 UTC (21 h)',
    );
  });

  it('has nothing to show without a timeline', () => {
    expect(spanBar('Last 24 hours', []).text).to.equal('');
  });
});

/** What each column of a bar shows. */
function columnsOf(text: string): string[] {
  const columns: string[] = [];
  for (const [, status, path] of text.matchAll(/class="(\w+)" d="([^"]+)"/g)) {
    let x = 0;
    for (const [, isAbsolute, step, width] of path!.matchAll(/(M)?m?(\d+) \d+h(\d+)V/g)) {
      x = isAbsolute ? Number(step) : x + Number(step);
      for (let column = x; column < x + Number(width); column++) columns[column] = status!;
    }
  }
  return columns;
}
