import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { found, invalidField } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { columnsOfSettings } from './create-window.js';
import { describeConfiguration, scheduleOf } from './describe-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import { MAX_TARGETS, type WindowUpdateInput } from './maintenance-schemas.js';
import { occurrenceStore } from './occurrence-store.js';
import { type ShownWindow, shownWindow } from './read-windows.js';
import { beginsInPast, requireAllowedPast, requireSoundSchedule, requireTargets } from './require-sound.js';
import { reschedule, withOccurrences } from './schedule-occurrences.js';
import { updatePeriods, wakeFleet } from './update-periods.js';
import { type WindowRow, windowStore } from './window-store.js';

/**
 * Changes the fields that `input` names, at once also where an occurrence runs. Occurrences that ended stay as they were;
 * only an Admin corrects the time of a single window in the past.
 * @throws Fault not_found (what it covers too), precondition_failed, validation_failed, insufficient_workspace_role
 */
export async function updateWindow(
  deps: MaintenanceDeps,
  actor: Actor,
  id: string,
  input: WindowUpdateInput,
): Promise<ShownWindow> {
  const { workspaceId } = actor.workspace;
  const { hasOtherChecks, shown } = await deps.db.transaction(async (tx) => {
    const before = found(await windowStore.lock(workspaceId, tx, id), 'maintenance window');
    actor.checkPrecondition?.(describeConfiguration(before));
    const asked = changedRow(before, input);
    await requireTargets(
      tx,
      workspaceId,
      input.scope ?? { monitorIds: [], serviceGroupIds: [] },
      input.statusPageIds ?? [],
    );
    const hasOtherChecks = await storeChange(deps, tx, actor, before, asked);
    return { hasOtherChecks, shown: await shownWindow(tx, workspaceId, id, deps.clock.now()) };
  });
  if (hasOtherChecks) wakeFleet(deps);
  return shown;
}

/** Stores a window that the caller has locked, as it shall be, where anything differs. @returns whether agents get other checks */
async function storeChange(
  deps: MaintenanceDeps,
  tx: Tx,
  actor: Actor,
  before: WindowRow,
  asked: WindowRow,
): Promise<boolean> {
  const nowMs = deps.clock.now();
  if (isDeepStrictEqual(asked, before)) return false;
  const isMoved = !isDeepStrictEqual(scheduleOf(asked), scheduleOf(before));
  const timed = isMoved ? await moved(deps, tx, actor, before, asked, nowMs) : asked;
  const after = { ...timed, lastModified: laterThan(before.lastModified, nowMs) };
  await windowStore.update(actor.workspace.workspaceId, tx, after);
  const hasOtherChecks = await updatePeriods(deps, tx, [after.id]);
  await recordAudit(deps, tx, actor, {
    action: 'maintenance_window.updated',
    target: after,
    before: describeConfiguration(before),
    after: describeConfiguration(after),
  });
  return hasOtherChecks;
}

/**
 * Adds monitors to those that a window names, or takes them out.
 * @returns those that were not so already, and whether agents get other checks
 * @throws Fault not_found, validation_failed
 */
export async function moveToWindow(
  deps: MaintenanceDeps,
  tx: Tx,
  actor: Actor,
  {
    id,
    monitorIds,
    isAdded,
    isDryRun,
  }: { id: string; monitorIds: readonly string[]; isAdded: boolean; isDryRun: boolean },
): Promise<{ monitorIds: string[]; hasOtherChecks: boolean }> {
  const { workspaceId } = actor.workspace;
  const before = found(
    isDryRun
      ? await windowStore.find(workspaceId, tx, id, new Date(deps.clock.now()))
      : await windowStore.lock(workspaceId, tx, id),
    'maintenance window',
  );
  const named = new Set(before.monitorIds);
  const changing = monitorIds.filter((one) => named.has(one) !== isAdded);
  for (const one of changing) named[isAdded ? 'add' : 'delete'](one);
  if (isAdded && named.size > MAX_TARGETS)
    throw invalidField(
      'maintenanceWindowId',
      `would name ${named.size} monitors, and it can name ${MAX_TARGETS}: let it cover a tag that they have`,
    );
  const { serviceGroupIds, tags, coversAll } = before;
  if (named.size + serviceGroupIds.length + tags.length === 0 && !coversAll)
    throw invalidField('maintenanceWindowId', 'would cover nothing any more: end or delete it instead');
  if (isDryRun || changing.length === 0) return { monitorIds: changing, hasOtherChecks: false };
  if (isAdded) await requireTargets(tx, workspaceId, { monitorIds: changing, serviceGroupIds: [] }, []);
  const asked = { ...before, monitorIds: [...named] };
  return { monitorIds: changing, hasOtherChecks: await storeChange(deps, tx, actor, before, asked) };
}

function changedRow(before: WindowRow, input: WindowUpdateInput): WindowRow {
  const { startsAt = before.startsAt, timezone = before.timezone } = input;
  const keepsStart = startsAt === before.startsAt && timezone === before.timezone;
  return {
    ...before,
    ...columnsOfSettings(input),
    startedNow: keepsStart ? before.startedNow : null,
  };
}

/** Stores the occurrences at the new times. */
async function moved(
  { leavesPastAlone }: MaintenanceDeps,
  tx: Tx,
  actor: Actor,
  before: WindowRow,
  after: WindowRow,
  nowMs: number,
): Promise<WindowRow> {
  const { workspaceId, role } = actor.workspace;
  const schedule = scheduleOf(after);
  requireSoundSchedule(schedule);
  const keepsStart = after.startsAt === before.startsAt && after.timezone === before.timezone;
  const last = await occurrenceStore.lastBegun(workspaceId, tx, after.id, new Date(nowMs));
  const isRunning = last !== undefined && last.endMs > nowMs;
  // A recurring window began at some time, and one that runs may be prolonged.
  const isOrdinary = keepsStart && (schedule.recurrence !== null || isRunning);
  if (isOrdinary || leavesPastAlone || !beginsInPast(schedule, nowMs)) return reschedule(tx, workspaceId, after, nowMs);
  requireAllowedPast(schedule, role, nowMs);
  const now = new Date(nowMs);
  await occurrenceStore.cancel(workspaceId, tx, after.id, { from: now, until: 'infinity' }, now);
  await occurrenceStore.removeHistory(workspaceId, tx, after.id);
  const { row, occurrences } = withOccurrences(after, nowMs);
  await occurrenceStore.insert(workspaceId, tx, row.id, occurrences);
  return row;
}
