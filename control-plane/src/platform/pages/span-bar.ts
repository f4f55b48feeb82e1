import { Html } from '../http/html.js';
import { dayText, lengthText, minuteText, momentText } from './moment-text.js';

/** A stretch of a timeline; times as in ISO 8601. */
export interface BarSpan {
  start: string;
  end: string;
  status: 'available' | 'partial' | 'unavailable' | 'unknown';
}

/** Columns: finer than a bar is shown, so that a day of failures in turns costs no more bytes than these. */
const WIDTH = 720;
export const BAR_HEIGHT = 24;
/** Shown by height too, for readers who do not see colours: an outage is higher than the rest. */
const TOPS = { available: 6, partial: 13, unavailable: 0, unknown: 20 } as const;
const MIN_WIDTH = 2;
/** More than these are counted, not named, in what a screen reader reads out. */
const NAMED = 3;

const STATUS_WORDS = {
  available: 'available',
  partial: 'partly unavailable',
  unavailable: 'unavailable',
  unknown: 'not known',
} as const;

/** A timeline as a bar: one path a status, so that a page with many of them stays small. */
export function spanBar(label: string, spans: readonly BarSpan[], zone = 'UTC'): Html {
  const columns = columnsOf(spans);
  if (columns.length === 0) return new Html('');
  const paths = new Map<string, string>();
  const ends = new Map<string, number>();
  for (let start = 0; start < WIDTH;) {
    const status = columns[start]!;
    let end = start + 1;
    while (end < WIDTH && columns[end] === status) end++;
    const top = TOPS[status];
    // A closed path goes on from where it began, so the next step is relative to that.
    const known = ends.get(status);
    const move = known === undefined ? `M${start} ${top}` : `m${start - known} 0`;
    paths.set(status, `${paths.get(status) ?? ''}${move}h${end - start}V${BAR_HEIGHT}h${start - end}z`);
    ends.set(status, start);
    start = end;
  }
  return barPicture(`0 0 ${WIDTH} ${BAR_HEIGHT}`, `${label}: ${describeSpans(spans, zone)}`, paths);
}

const BY_WEIGHT = ['available', 'unknown', 'partial', 'unavailable'] as const;

/** What each column shows: the worst of all that it touches, and whatever is no good over two columns at least. */
function columnsOf(spans: readonly BarSpan[]): BarSpan['status'][] {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return [];
  const startMs = Date.parse(first.start);
  const totalMs = Date.parse(last.end) - startMs;
  const xOf = (time: string) => Math.round(((Date.parse(time) - startMs) / totalMs) * WIDTH);
  const columns = Array.from<BarSpan['status']>({ length: WIDTH }).fill('available');
  for (const weighed of BY_WEIGHT.slice(1)) {
    for (const { start, end, status } of spans) {
      if (status !== weighed) continue;
      const from = Math.min(xOf(start), WIDTH - MIN_WIDTH);
      columns.fill(status, from, Math.max(from + MIN_WIDTH, xOf(end)));
    }
  }
  return columns;
}

/** What a bar shows, in words. */
export function describeSpans(spans: readonly BarSpan[], zone = 'UTC'): string {
  const disturbed = spans.filter(({ status }) => status !== 'available');
  if (disturbed.length === 0) return 'available throughout';
  const named = disturbed.slice(-NAMED).map(({ start, end, status }) => {
    const [from, to] = [Date.parse(start), Date.parse(end)];
    const until = dayText(from, zone) === dayText(to, zone) ? minuteText(to, zone) : momentText(to, zone);
    return `${STATUS_WORDS[status]} ${momentText(from, zone)} to ${until} (${lengthText(to - from)})`;
  });
  const more = disturbed.length - named.length;
  return `${more > 0 ? `${more} earlier disruptions, then ` : ''}${named.join(', ')}`;
}

/** A bar that fills its place; the label must hold nothing that needs escaping. */
export function barPicture(
  viewBox: string,
  label: string,
  paths: ReadonlyMap<string, string>,
  className = 'bar',
): Html {
  const drawn = [...paths].map(([status, path]) => `<path class="${status}" d="${path}"/>`).join('');
  return new Html(
    `<svg class="${className}" viewBox="${viewBox}" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg>`,
  );
}
