import type { Severity } from '@watchpost/shared/incident-types';
import type { PublicStatus } from '@watchpost/shared/design/states';
import { momentText } from '@watchpost/shared/design/texts';

export const OVERALL_WORDS: Readonly<Record<PublicStatus, string>> = {
  operational: 'All systems operational',
  degraded: 'Degraded',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Maintenance under way',
  unknown: 'The status of some systems is unknown',
};

/** The sentence in place of the overall status where a page shows no system. */
export const EMPTY_WORDS = 'No systems are shown yet';

/** An outage in a sentence; null where nothing of it is known. */
export function outageWord(severity: Severity | null): string {
  return { down: 'outage', partial: 'partial outage', warning: 'degraded' }[severity ?? 'down'];
}

/** The time of a planned maintenance: `planned from 21 Nov 2026, 10:00 UTC to 21 Nov 2026, 12:00 UTC`. */
export function plannedText(startMs: number, endMs: number | null): string {
  return `planned from ${momentText(startMs)}${endMs === null ? '' : ` to ${momentText(endMs)}`}`;
}
