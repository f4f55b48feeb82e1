import type { Html } from '../../http/html.js';
import { percentText } from '../../web/moment-text.js';
import { BAR_HEIGHT, barPicture } from '../../web/span-bar.js';
import type { PublicPageView } from '../public-page-schemas.js';

type Window = PublicPageView['timelines'][number];

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
    if (uptime === null) return add('unknown', BAR_HEIGHT - LEAST_NOTCH, BAR_HEIGHT);
    const failed = uptime === 100 ? 0 : Math.max(LEAST_NOTCH, Math.round((BAR_HEIGHT * (100 - uptime)) / 100));
    if (failed > 0) add('unavailable', 0, failed);
    if (failed < BAR_HEIGHT) add('available', failed, BAR_HEIGHT);
  });
  const width = perDay.length * (DAY_WIDTH + GAP) - GAP;
  return barPicture(`0 0 ${width} ${BAR_HEIGHT}`, `${WINDOW_WORDS[window]}: ${describeDays(perDay)}`, paths);
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
