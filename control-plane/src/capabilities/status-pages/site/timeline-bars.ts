import type { Html } from '../../../platform/http/html.js';
import { percentText } from '../../../platform/pages/moment-text.js';
import { BAR_HEIGHT, barPicture } from '../../../platform/pages/span-bar.js';
import type { PublicPageView } from '../public-page-schemas.js';

type Window = PublicPageView['timelines'][number];

const DAY_WIDTH = 10;
const GAP = 2;
/** The smallest visible failure of a day, so that short ones show. */
const LEAST_NOTCH = 4;
/** The vertical position of the lines; the style makes their width the height of a bar. */
const MIDDLES = { available: BAR_HEIGHT / 2, unknown: BAR_HEIGHT - LEAST_NOTCH / 2 } as const;
/** The position of the failed share, above the rest. */
const DRAWN = ['available', 'unknown', 'unavailable'] as const;

/**
 * Uptime by day: a full bar is a day without failure, and the gap at its top is the failed share. Equal adjacent days are one
 * line, which the style (`days`) dashes into a bar for each.
 */
export function dailyBars({ window, perDay }: Window): Html {
  const paths = new Map<string, string>();
  perDay.forEach(({ uptimePercentage: uptime }, index) => {
    const x = index * (DAY_WIDTH + GAP);
    const status = uptime === null ? 'unknown' : 'available';
    const before = perDay[index - 1];
    if (before === undefined || (before.uptimePercentage === null) !== (uptime === null)) {
      const days = daysAlike(perDay, index);
      paths.set(status, `${paths.get(status) ?? ''}M${x} ${MIDDLES[status]}h${days * (DAY_WIDTH + GAP) - GAP}`);
    }
    if (uptime === null || uptime === 100) return;
    const failed = Math.max(LEAST_NOTCH, Math.round((BAR_HEIGHT * (100 - uptime)) / 100));
    paths.set('unavailable', `${paths.get('unavailable') ?? ''}M${x} 0h${DAY_WIDTH}v${failed}h-${DAY_WIDTH}z`);
  });
  const width = perDay.length * (DAY_WIDTH + GAP) - GAP;
  const drawn = new Map(DRAWN.flatMap((status) => (paths.has(status) ? [[status, paths.get(status)!]] : [])));
  return barPicture(
    `0 0 ${width} ${BAR_HEIGHT}`,
    `${WINDOW_WORDS[window]}: ${describeDays(perDay)}`,
    drawn,
    'bar days',
  );
}

/** The number of adjacent days from this one on that equally have checks or have none. */
function daysAlike(perDay: Window['perDay'], from: number): number {
  const isUnknown = perDay[from]!.uptimePercentage === null;
  const end = perDay.findIndex(
    ({ uptimePercentage }, index) => index > from && (uptimePercentage === null) !== isUnknown,
  );
  return (end === -1 ? perDay.length : end) - from;
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
  const missing = perDay.length - known.length;
  const unknown = missing === 0 ? '' : `, no data of ${countOf(missing)}`;
  if (failed.length === 0) return `no failures${unknown}`;
  const worst = failed.reduce((a, b) => (b.uptimePercentage! < a.uptimePercentage! ? b : a));
  return `failures on ${failed.length} of ${countOf(known.length)}, the worst ${worst.date} with ${percentText(worst.uptimePercentage)}${unknown}`;
}

function countOf(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
