import type { State } from '@watchpost/shared/design/states';
import type { PostStatus } from '../decide-post-faults.js';
import type { PublicStatus } from '../decide-status.js';
import { momentText } from '../../../platform/pages/moment-text.js';

/** The names of a system's statuses. */
export const STATUS_WORDS: Readonly<Record<PublicStatus, string>> = {
  operational: 'Operational',
  degraded: 'Degraded performance',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
};

/** The state whose mark shows a status. */
export const STATE_OF: Readonly<Record<PublicStatus, State>> = {
  operational: 'available',
  degraded: 'partial',
  partialOutage: 'partial',
  majorOutage: 'unavailable',
  maintenance: 'maintenance',
  unknown: 'unknown',
};

/** The names of the overall status. */
export const OVERALL_WORDS: Readonly<Record<PublicStatus, string>> = {
  operational: 'All systems operational',
  degraded: 'Degraded performance',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Maintenance under way',
  unknown: 'The status of some systems is unknown',
};

/** The sentence in place of the overall status where a page shows no system. */
export const EMPTY_WORDS = 'No systems are shown yet';

export const POST_STATUS_WORDS: Readonly<Record<PostStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
};

/** The time of a planned maintenance: `planned from 21 Nov 2026, 10:00 UTC to 21 Nov 2026, 12:00 UTC`. */
export function plannedText(startMs: number, endMs: number | null): string {
  return `planned from ${momentText(startMs)}${endMs === null ? '' : ` to ${momentText(endMs)}`}`;
}
