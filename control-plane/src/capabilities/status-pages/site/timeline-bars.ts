import { type SlotState, statesOf } from '@watchpost/shared/design/bar';
import { DAY_MS } from '@watchpost/shared/time';
import { type Html, html } from '../../../platform/http/html.js';
import { dayText, minuteText, percentText } from '@watchpost/shared/design/texts';
import { stateBar } from '../../../platform/pages/span-bar.js';
import type { PublicPageView } from '../public-page-schemas.js';

type Window = PublicPageView['timelines'][number];
type PublicSystem = PublicPageView['groups'][number]['systems'][number];
export interface ShownWindow extends Pick<Window, 'window' | 'perDay' | 'uptimePercentage'> {
  /** The name of the period: `Last 7 days`, or `Since 19 Nov 2026` where it is shorter than its window. */
  words: string;
}

/** All bars are as wide as a month: the same days of two windows are below each other. */
const LEAST_DAYS = 31;

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

/** Uptime by day of a window, each as what its checks found. Null where no day has data. */
export function dailyBars({ words, perDay }: Pick<ShownWindow, 'words' | 'perDay'>): Html | null {
  const states = perDay.map(({ uptimePercentage: uptime }) =>
    uptime === null ? 'unknown' : uptime === 100 ? 'available' : uptime === 0 ? 'unavailable' : 'partial',
  );
  return perDay.every(({ uptimePercentage }) => uptimePercentage === null)
    ? null
    : stateBar(`${words}: ${describeDays(Date.parse(perDay[0]!.date), states)}`, states, LEAST_DAYS);
}

/** The last days of a system, from where its data begins: a bar with a slot a day, and its uptime. Null where there is none. */
export function daysRow({ start, states, uptimePercentage }: PublicSystem['days']): Html | null {
  const slots = statesOf(states);
  const first = slots.findIndex((state) => state !== 'none');
  if (first === -1) return null;
  const firstMs = Date.parse(start) + first * DAY_MS;
  const words = first === 0 ? `Last ${slots.length} days` : `Since ${dayText(firstMs)}`;
  return html`<div class="window by-day">
    <span>${words}</span>${stateBar(`${words}: ${describeDays(firstMs, slots.slice(first))}`, slots)}<strong
      >${percentText(uptimePercentage)}</strong
    >
  </div>`;
}

/** `failures on 2 of 89 days, the latest 13 Nov 2026, maintenance on 1 day`. */
function describeDays(startMs: number, states: readonly SlotState[]): string {
  const count = (...wanted: SlotState[]) => states.filter((state) => wanted.includes(state)).length;
  const failed = count('partial', 'unavailable');
  const latest = states.findLastIndex((state) => state === 'partial' || state === 'unavailable');
  const failures =
    failed === 0
      ? 'no failures'
      : `failures on ${failed} of ${countOf(failed + count('available'))}, the latest ${dayText(startMs + latest * DAY_MS)}`;
  const others = [
    ['maintenance on', count('maintenance')],
    ['no data on', count('unknown')],
  ] as const;
  return [failures, ...others.flatMap(([words, days]) => (days === 0 ? [] : `${words} ${countOf(days)}`))].join(', ');
}

function countOf(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
