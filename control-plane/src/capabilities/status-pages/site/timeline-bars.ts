import type { Html } from '../../../platform/http/html.js';
import { dayText, minuteText, percentText } from '../../../platform/pages/moment-text.js';
import { barPicture, MIDDLES, SLOT, PITCH } from '../../../platform/pages/span-bar.js';
import type { PublicPageView } from '../public-page-schemas.js';

type Window = PublicPageView['timelines'][number];
export interface ShownWindow extends Pick<Window, 'window' | 'perDay' | 'uptimePercentage'> {
  /** The name of the period: `Last 7 days`, or `Since 19 Nov 2026` where it is shorter than its window. */
  words: string;
}

/** All bars are as wide as a month: the same days of two windows are below each other. */
const LEAST_DAYS = 31;
/** The smallest visible failure of a day, so that short ones show; the height of all of it. */
const [LEAST_NOTCH, WHOLE_NOTCH] = [6, 24];

export const WINDOW_WORDS: Readonly<Record<Window['window'], string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/**
 * The windows from where their data begins, shortest first. A window of which a shorter one has all the data is left out.
 * @param watchedSince when the oldest monitor was made, ISO 8601; null where nothing is monitored
 */
export function shownWindows(windows: readonly Window[], watchedSince: string | null): ShownWindow[] {
  const shown: ShownWindow[] = [];
  for (const { window, start, perDay, uptimePercentage } of windows) {
    const known = perDay.find((day) => day.uptimePercentage !== null)?.date;
    // Results may be older than the monitors, which change.
    const from = watchedSince === null || (known && known < watchedSince.slice(0, 10)) ? known : watchedSince;
    if (from === undefined) continue;
    const isWhole = from <= start;
    const began = window === '24h' ? `${minuteText(Date.parse(from))} UTC` : dayText(Date.parse(from));
    const words = isWhole ? WINDOW_WORDS[window] : `Since ${began}`;
    shown.push({ window, words, uptimePercentage, perDay: perDay.filter(({ date }) => date >= from.slice(0, 10)) });
    if (!isWhole) break;
  }
  return shown;
}

/**
 * Uptime by day: a full bar is a day without failure, and what is cut off from its top is the failed share. Equal adjacent
 * days are one line, which the style dashes into a slot for each. Null where no day has data.
 */
export function dailyBars({ words, perDay }: Pick<ShownWindow, 'words' | 'perDay'>): Html | null {
  if (perDay.every(({ uptimePercentage }) => uptimePercentage === null)) return null;
  const paths = new Map<string, string>();
  perDay.forEach(({ uptimePercentage: uptime }, index) => {
    const x = index * PITCH;
    const status = uptime === null ? 'unknown' : 'available';
    const before = perDay[index - 1];
    if (before === undefined || (before.uptimePercentage === null) !== (uptime === null)) {
      const days = daysAlike(perDay, index);
      paths.set(status, `${paths.get(status) ?? ''}M${x} ${MIDDLES[status]}h${days * PITCH - (PITCH - SLOT)}`);
    }
    if (uptime === null || uptime === 100) return;
    const failed = Math.max(LEAST_NOTCH, Math.round((WHOLE_NOTCH * (100 - uptime)) / 100));
    paths.set('notch', `${paths.get('notch') ?? ''}M${x} 0h${SLOT}v${failed}h-${SLOT}z`);
  });
  // What failed is above the rest.
  const drawn = new Map(
    ['available', 'unknown', 'notch'].flatMap((name) => (paths.has(name) ? [[name, paths.get(name)!]] : [])),
  );
  return barPicture(perDay.length, LEAST_DAYS, `${words}: ${describeDays(perDay)}`, drawn);
}

/** The number of adjacent days from this one on that equally have checks or have none. */
function daysAlike(perDay: Window['perDay'], from: number): number {
  const isUnknown = perDay[from]!.uptimePercentage === null;
  const end = perDay.findIndex(
    ({ uptimePercentage }, index) => index > from && (uptimePercentage === null) !== isUnknown,
  );
  return (end === -1 ? perDay.length : end) - from;
}

function describeDays(perDay: Window['perDay']): string {
  const known = perDay.filter(({ uptimePercentage }) => uptimePercentage !== null);
  const failed = known.filter(({ uptimePercentage }) => uptimePercentage! < 100);
  const missing = perDay.length - known.length;
  const unknown = missing === 0 ? '' : `, no data on ${countOf(missing)}`;
  if (failed.length === 0) return `no failures${unknown}`;
  const worst = failed.reduce((a, b) => (b.uptimePercentage! < a.uptimePercentage! ? b : a));
  return `failures on ${failed.length} of ${countOf(known.length)}, the worst ${dayText(Date.parse(worst.date))} with ${percentText(worst.uptimePercentage)}${unknown}`;
}

function countOf(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
