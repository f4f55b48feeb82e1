import { Html } from '../http/html.js';
import { lengthText, minuteText, momentText } from './moment-text.js';

/** A stretch of a timeline; times as in ISO 8601. */
export interface BarSpan {
  start: string;
  end: string;
  status: 'available' | 'partial' | 'unavailable' | 'unknown';
}

const WIDTH = 1_440;
export const BAR_HEIGHT = 24;
/** Told by height too, for who does not see colours: an outage stands out above the rest. */
const TOPS = { available: 6, partial: 13, unavailable: 0, unknown: 20 } as const;
const MIN_WIDTH = 2;
/** More than these are counted, not named, in what a screen reader says. */
const NAMED = 3;
const DAY_MS = 86_400_000;

const STATUS_WORDS = {
  available: 'available',
  partial: 'partly unavailable',
  unavailable: 'unavailable',
  unknown: 'not known',
} as const;

/** A timeline as a bar: one path a status, so that a page with many of them stays small. */
export function spanBar(label: string, spans: readonly BarSpan[], zone = 'UTC'): Html {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return new Html('');
  const startMs = Date.parse(first.start);
  const totalMs = Date.parse(last.end) - startMs;
  const xOf = (time: string) => Math.round(((Date.parse(time) - startMs) / totalMs) * WIDTH);
  const paths = new Map<string, string>();
  for (const { start, end, status } of spans) {
    const x = xOf(start);
    const width = Math.max(status === 'available' ? 0 : MIN_WIDTH, xOf(end) - x);
    if (width === 0) continue;
    paths.set(status, `${paths.get(status) ?? ''}M${x} ${TOPS[status]}h${width}V${BAR_HEIGHT}h-${width}z`);
  }
  return barPicture(`0 0 ${WIDTH} ${BAR_HEIGHT}`, `${label}: ${describeSpans(spans, zone)}`, paths);
}

/** What a bar shows, in words. */
export function describeSpans(spans: readonly BarSpan[], zone = 'UTC'): string {
  const told = spans.filter(({ status }) => status !== 'available');
  if (told.length === 0) return 'available throughout';
  const named = told.slice(-NAMED).map(({ start, end, status }) => {
    const [from, to] = [Date.parse(start), Date.parse(end)];
    const isShort = to - from < DAY_MS;
    const until = isShort ? minuteText(to, zone) : momentText(to, zone);
    return `${STATUS_WORDS[status]} ${momentText(from, zone)} to ${until} (${lengthText(to - from)})`;
  });
  const more = told.length - named.length;
  return `${more > 0 ? `${more} earlier disruptions, then ` : ''}${named.join(', ')}`;
}

/** A bar that fills its place; the label must hold nothing that needs escaping. */
export function barPicture(viewBox: string, label: string, paths: ReadonlyMap<string, string>): Html {
  const drawn = [...paths].map(([status, path]) => `<path class="${status}" d="${path}"/>`).join('');
  return new Html(
    `<svg class="bar" viewBox="${viewBox}" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg>`,
  );
}
