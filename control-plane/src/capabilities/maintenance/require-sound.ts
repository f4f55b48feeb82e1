import { Fault, type FaultDetail, invalidField, invalidFields, notFound } from '@watchpost/shared/fault';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { type Role, roleAllows } from '../../platform/identity/caller.js';
import { lockTargets } from '../monitors/index.js';
import { decideOccurrences, instantOf, shortestDistanceMs, type WindowSchedule } from './decide-occurrences.js';
import type { ScopeInput } from './maintenance-schemas.js';
import { windowStore } from './window-store.js';

/** How far back a window may begin. */
const MAX_PAST_MS = 7 * DAY_MS;

/** @throws Fault validation_failed where its occurrences overlap or there is none */
export function requireSoundSchedule(schedule: WindowSchedule): void {
  const details: FaultDetail[] = [];
  if (decideOccurrences(schedule).next().done)
    details.push({ path: 'recurrence', message: 'must name at least one date within ten years of `startsAt`' });
  else if (schedule.durationMs > shortestDistanceMs(schedule))
    details.push({ path: 'duration', message: 'must not be longer than the time between two occurrences' });
  if (details.length > 0) throw invalidFields(details);
}

/** Whether the window begins before the present minute. */
export function beginsInPast(schedule: WindowSchedule, nowMs: number): boolean {
  const startMs = schedule.startedNowMs ?? instantOf(schedule.startsAt, schedule.timezone);
  return startMs < Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
}

/**
 * A start in the past changes the uptime of the past: only for a single window, up to 7 days back, and for Admins.
 * @throws Fault validation_failed, insufficient_workspace_role
 */
export function requireAllowedPast(schedule: WindowSchedule, role: Role, nowMs: number): void {
  const isTooOld = instantOf(schedule.startsAt, schedule.timezone) < nowMs - MAX_PAST_MS;
  if (schedule.recurrence !== null || isTooOld) {
    const message =
      schedule.recurrence === null
        ? 'must not lie more than 7 days in the past'
        : 'must not lie in the past where the window recurs';
    throw invalidField('startsAt', message);
  }
  if (!roleAllows(role, 'Admin'))
    throw new Fault(
      'insufficient_workspace_role',
      'A window that begins in the past changes uptime afterwards, which needs the role Admin; begin it now or later.',
      [{ path: 'startsAt', message: 'lies in the past, which needs the role Admin' }],
    );
}

/** @throws Fault not_found where a monitor, service group or status page is not in the workspace */
export async function requireTargets(
  tx: Tx,
  workspaceId: string,
  scope: Pick<ScopeInput, 'monitorIds' | 'serviceGroupIds'>,
  statusPageIds: readonly string[],
): Promise<void> {
  await lockTargets(tx, workspaceId, scope);
  if ((await windowStore.countPages(workspaceId, tx, statusPageIds)) < statusPageIds.length)
    throw notFound('status page');
}
