import type { Verdict } from '../../results/index.js';
import type { PostStatus } from '../decide-post-faults.js';
import type { PublicStatus } from '../decide-status.js';

/** What a system's status is called. */
export const STATUS_WORDS: Readonly<Record<PublicStatus, string>> = {
  operational: 'Operational',
  degraded: 'Degraded performance',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Maintenance',
  unknown: 'Not known',
};

/** What the page as a whole says. */
export const OVERALL_WORDS: Readonly<Record<PublicStatus, string>> = {
  operational: 'All systems operational',
  degraded: 'Degraded performance',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Maintenance under way',
  unknown: 'Some systems cannot be judged right now',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  available: 'available',
  partial: 'partly unavailable',
  unavailable: 'unavailable',
  unknown: 'not known',
};

export const POST_STATUS_WORDS: Readonly<Record<PostStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
};

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** `21 Nov 2026`. */
export function dayText(ms: number): string {
  return DAY.format(ms);
}

/** `12:05`. */
export function minuteText(ms: number): string {
  return MINUTE.format(ms);
}

/** `21 Nov 2026, 12:05 UTC`. */
export function momentText(ms: number): string {
  return `${dayText(ms)}, ${minuteText(ms)} UTC`;
}

/** `3 d 4 h`, `4 h 5 min`, `5 min`; under a minute `less than a minute`. */
export function lengthText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** `99.98 %`, never rounded up to a hundred; `no data` for null. */
export function percentText(percentage: number | null): string {
  if (percentage === null) return 'no data';
  const text = percentage.toFixed(2);
  return `${text === '100.00' && percentage < 100 ? '99.99' : text.replace(/\.?0+$/, '')} %`;
}
