import { Fault, found } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { describeConfiguration, describeOccurrence } from './describe-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import { occurrenceStore } from './occurrence-store.js';
import { type ShownWindow, shownWindow } from './read-windows.js';
import { extendWindow } from './schedule-occurrences.js';
import { updatePeriods, wakeFleet } from './update-periods.js';
import { type WindowRow, windowStore } from './window-store.js';

/** Ends the running occurrence now. @throws Fault not_found, not_active */
export async function endWindow(deps: MaintenanceDeps, actor: Actor, id: string): Promise<ShownWindow> {
  return changeLocked(deps, actor, id, async (tx, row, nowMs) => {
    const { workspaceId } = actor.workspace;
    const before = await shownWindow(tx, workspaceId, id, nowMs);
    if (!(await endRunning(tx, workspaceId, id, nowMs)))
      throw new Fault('not_active', 'No occurrence of this window runs now.');
    await recordAudit(deps, tx, actor, {
      action: 'maintenance_window.ended',
      target: row,
      before: { activeUntil: before.window.activeUntil },
      after: { activeUntil: new Date(nowMs).toISOString() },
    });
  });
}

/** Drops the next occurrence; COUNT is not made up for. @throws Fault not_found, not_active where there is none */
export async function skipNext(deps: MaintenanceDeps, actor: Actor, id: string): Promise<ShownWindow> {
  return changeLocked(deps, actor, id, async (tx, row, nowMs) => {
    const { workspaceId } = actor.workspace;
    const now = new Date(nowMs);
    let next = await occurrenceStore.next(workspaceId, tx, id, now);
    if (!next) {
      await extendWindow(tx, workspaceId, row, nowMs);
      next = await occurrenceStore.next(workspaceId, tx, id, now);
    }
    if (!next) throw new Fault('not_active', 'This window has no next occurrence that could be skipped.');
    await occurrenceStore.cancel(workspaceId, tx, id, momentOf(next.startMs), now);
    await recordAudit(deps, tx, actor, {
      action: 'maintenance_window.occurrence_skipped',
      target: row,
      before: { nextOccurrence: describeOccurrence(next) },
      after: { nextOccurrence: null },
    });
  });
}

/**
 * Deletes a window. A running occurrence ends now; what it covered until then stays excluded from uptime.
 * @throws Fault not_found, precondition_failed
 */
export async function deleteWindow(deps: MaintenanceDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  const hasOtherChecks = await deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const now = new Date(nowMs);
    const row = found(await windowStore.lock(workspaceId, tx, id), 'maintenance window');
    actor.checkPrecondition?.(describeConfiguration(row));
    await occurrenceStore.cancel(workspaceId, tx, id, { from: now, until: 'infinity' }, now);
    await endRunning(tx, workspaceId, id, nowMs);
    await windowStore.bury(workspaceId, tx, id, now);
    const hasOtherChecks = await updatePeriods(deps, tx, [id]);
    await recordAudit(deps, tx, actor, {
      action: 'maintenance_window.deleted',
      target: row,
      before: describeConfiguration(row),
    });
    return hasOtherChecks;
  });
  if (hasOtherChecks) wakeFleet(deps);
}

async function changeLocked(
  deps: MaintenanceDeps,
  actor: Actor,
  id: string,
  change: (tx: Tx, row: WindowRow, nowMs: number) => Promise<void>,
): Promise<ShownWindow> {
  const { workspaceId } = actor.workspace;
  const { hasOtherChecks, shown } = await deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const row = found(await windowStore.lock(workspaceId, tx, id), 'maintenance window');
    await change(tx, row, nowMs);
    const hasOtherChecks = await updatePeriods(deps, tx, [id]);
    return { hasOtherChecks, shown: await shownWindow(tx, workspaceId, id, nowMs) };
  });
  if (hasOtherChecks) wakeFleet(deps);
  return shown;
}

/** @returns whether an occurrence was running */
async function endRunning(tx: Tx, workspaceId: string, id: string, nowMs: number): Promise<boolean> {
  const last = await occurrenceStore.lastBegun(workspaceId, tx, id, new Date(nowMs));
  if (!last || last.endMs <= nowMs) return false;
  const hasLasted = last.startMs < nowMs;
  const now = new Date(nowMs);
  if (hasLasted) await occurrenceStore.setEnd(workspaceId, tx, id, { ...last, endMs: nowMs }, now);
  else await occurrenceStore.cancel(workspaceId, tx, id, momentOf(nowMs), now);
  return true;
}

function momentOf(ms: number) {
  return { from: new Date(ms), until: new Date(ms + 1) };
}
