import type { PostStatus } from '../decide-post-faults.js';
import type { PublicStatus } from '../decide-status.js';
import { momentText } from '../../../platform/pages/moment-text.js';

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

export const POST_STATUS_WORDS: Readonly<Record<PostStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
};

/** When a maintenance is to be: `planned from 21 Nov 2026, 10:00 UTC to 21 Nov 2026, 12:00 UTC`. */
export function plannedText(startMs: number, endMs: number | null): string {
  return `planned from ${momentText(startMs)}${endMs === null ? '' : ` to ${momentText(endMs)}`}`;
}
