import { beyondMost } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { localOf } from './decide-occurrences.js';
import { describeConfiguration, scheduleOf } from './describe-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import { type WindowCreateInput, windowSettings, type WindowUpdateInput } from './maintenance-schemas.js';
import { occurrenceStore } from './occurrence-store.js';
import { type ShownWindow, shownWindow } from './read-windows.js';
import { beginsInPast, requireAllowedPast, requireSoundSchedule, requireTargets } from './require-sound.js';
import { withComing, withOccurrences } from './schedule-occurrences.js';
import { updatePeriods, wakeFleet } from './update-periods.js';
import { type WindowRow, windowStore } from './window-store.js';

/** Windows of a workspace that are not deleted, finished ones included. */
export const MAX_WINDOWS = 500;

/** @throws Fault validation_failed, insufficient_workspace_role, not_found (what it covers), plan_limit_exceeded */
export async function createWindow(
  deps: MaintenanceDeps,
  actor: Actor,
  input: WindowCreateInput,
  id?: string,
): Promise<ShownWindow> {
  const { workspaceId, role } = actor.workspace;
  const { hasOtherChecks, shown } = await deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const asked = newWindowRow(input, input.timezone ?? (await windowStore.timezone(workspaceId, tx)), nowMs, id);
    const schedule = scheduleOf(asked);
    requireSoundSchedule(schedule);
    const inPast = beginsInPast(schedule, nowMs);
    if (inPast && !deps.leavesPastAlone) requireAllowedPast(schedule, role, nowMs);
    if ((await windowStore.countForCreation(workspaceId, tx)) >= MAX_WINDOWS) {
      const message = `A workspace has at most ${MAX_WINDOWS} maintenance windows; delete one first.`;
      throw beyondMost('maintenanceWindows', MAX_WINDOWS, message);
    }
    await requireTargets(tx, workspaceId, input.scope, input.statusPageIds);
    const { row, occurrences } =
      inPast && deps.leavesPastAlone ? withComing(asked, nowMs) : withOccurrences(asked, nowMs);
    await windowStore.insert(workspaceId, tx, row);
    await occurrenceStore.insert(workspaceId, tx, row.id, occurrences);
    const hasOtherChecks = await updatePeriods(deps, tx, [row.id]);
    const shown = await shownWindow(tx, workspaceId, row.id, nowMs);
    await recordAudit(deps, tx, actor, {
      action: 'maintenance_window.created',
      target: row,
      after: describeConfiguration(row),
    });
    return { hasOtherChecks, shown };
  });
  if (hasOtherChecks) wakeFleet(deps);
  return shown;
}

/** A window as it is first stored, without its occurrences. */
export function newWindowRow(input: WindowCreateInput, timezone: string, nowMs: number, id = newId(nowMs)): WindowRow {
  const startsNow = input.startsAt === 'now';
  const now = new Date(nowMs);
  return {
    ...(columnsOfSettings(input) as WindowRow),
    id,
    startsAt: startsNow ? localOf(nowMs, timezone) : input.startsAt,
    startedNow: startsNow ? now : null,
    timezone,
    storedUntil: null,
    created: now,
    lastModified: now,
  };
}

export function columnsOfSettings(input: WindowUpdateInput): Partial<WindowRow> {
  const { scope, checks, ...columns } = windowSettings.named(input);
  if (scope) {
    const { all: coversAll, ...targets } = scope;
    Object.assign(columns, { ...targets, coversAll });
  }
  return checks ? { ...columns, pausesChecks: checks === 'pause' } : columns;
}
