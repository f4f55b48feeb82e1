import { Html } from '../../http/html.js';
import type { PublicPageView } from '../public-page-schemas.js';
import { lengthText, minuteText, percentText, VERDICT_WORDS } from './words.js';

type Timeline = PublicPageView['groups'][number]['systems'][number]['timeline'];
type Window = PublicPageView['timelines'][number];

const WIDTH = 1_440;
const HEIGHT = 24;
/** Told by height too, for who does not see colours: the rest of the bar stays empty. */
const TOPS = { available: 0, partial: 8, unavailable: 0, unknown: 20 } as const;
/** More than these are counted, not named, in what a screen reader says. */
const NAMED = 3;
const MIN_WIDTH = 2;

/** The last 24 hours of a system as a bar: one path a status, so that a page of many systems stays small. */
export function dayBar(timeline: Timeline): Html {
  const [first] = timeline;
  const last = timeline.at(-1);
  if (!first || !last) return new Html('');
  const startMs = Date.parse(first.start);
  const totalMs = Date.parse(last.end) - startMs;
  const xOf = (time: string) => Math.round(((Date.parse(time) - startMs) / totalMs) * WIDTH);
  const paths = new Map<string, string>();
  for (const { start, end, status } of timeline) {
    const x = xOf(start);
    const width = Math.max(status === 'available' ? 0 : MIN_WIDTH, xOf(end) - x);
    if (width === 0) continue;
    const top = TOPS[status];
    paths.set(status, `${paths.get(status) ?? ''}M${x} ${top}h${width}V${HEIGHT}h-${width}z`);
  }
  return svg(`0 0 ${WIDTH} ${HEIGHT}`, `Last 24 hours: ${describeDay(timeline)}`, paths);
}

/** What the bar shows, in words. */
export function describeDay(timeline: Timeline): string {
  const told = timeline.filter(({ status }) => status !== 'available');
  if (told.length === 0) return 'available throughout';
  const named = told.slice(-NAMED).map(({ start, end, status }) => {
    const [from, to] = [Date.parse(start), Date.parse(end)];
    return `${VERDICT_WORDS[status]} ${minuteText(from)} to ${minuteText(to)} UTC (${lengthText(to - from)})`;
  });
  const more = told.length - named.length;
  return `${more > 0 ? `${more} earlier disruptions, then ` : ''}${named.join(', ')}`;
}

const DAY_WIDTH = 10;
const GAP = 2;
/** A day with any failure shows it, however short it was. */
const LEAST_NOTCH = 4;

/** Uptime by day: a full bar is a day without failure, what is missing from the top is what failed. */
export function dailyBars({ window, perDay }: Window): Html {
  const paths = new Map<string, string>();
  perDay.forEach(({ uptimePercentage: uptime }, index) => {
    const x = index * (DAY_WIDTH + GAP);
    const add = (status: string, top: number, bottom: number) =>
      paths.set(status, `${paths.get(status) ?? ''}M${x} ${top}h${DAY_WIDTH}V${bottom}h-${DAY_WIDTH}z`);
    if (uptime === null) return add('unknown', HEIGHT - LEAST_NOTCH, HEIGHT);
    const failed = uptime === 100 ? 0 : Math.max(LEAST_NOTCH, Math.round((HEIGHT * (100 - uptime)) / 100));
    if (failed > 0) add('unavailable', 0, failed);
    if (failed < HEIGHT) add('available', failed, HEIGHT);
  });
  const width = perDay.length * (DAY_WIDTH + GAP) - GAP;
  return svg(`0 0 ${width} ${HEIGHT}`, `${WINDOW_WORDS[window]}: ${describeDays(perDay)}`, paths);
}

export const WINDOW_WORDS: Readonly<Record<Window['window'], string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

function describeDays(perDay: Window['perDay']): string {
  const known = perDay.filter(({ uptimePercentage }) => uptimePercentage !== null);
  const failed = known.filter(({ uptimePercentage }) => uptimePercentage! < 100);
  if (known.length === 0) return 'no data';
  if (failed.length === 0) return 'no failures';
  const worst = failed.reduce((a, b) => (b.uptimePercentage! < a.uptimePercentage! ? b : a));
  return `failures on ${failed.length} of ${known.length} days, the worst ${worst.date} with ${percentText(worst.uptimePercentage)}`;
}

function svg(viewBox: string, label: string, paths: ReadonlyMap<string, string>): Html {
  const drawn = [...paths].map(([status, path]) => `<path class="${status}" d="${path}"/>`).join('');
  // Labels are made of our own words, numbers and dates: nothing in them needs escaping.
  return new Html(
    `<svg class="bar" viewBox="${viewBox}" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg>`,
  );
}
