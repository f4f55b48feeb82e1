import { MINUTE_MS } from '@watchpost/shared/time';
import { isOfAPart } from '../../platform/db/database-error.js';
import type { Tx, Database } from '../../platform/db/database.js';
import { type FailedWork, workByHalves } from '../../platform/db/work-by-halves.js';
import { isAnyDue } from '../../platform/jobs/due-store.js';
import { groupBy } from '@watchpost/shared/group-by';
import { holdChecks, type MonitorChange, type MonitorListener } from '../monitors/index.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import { type ChangedMonitor, OPENED_AHEAD, periodStore } from './period-store.js';
import { dueWindowStore, windowStore } from './window-store.js';

type PeriodDeps = Pick<MaintenanceDeps, 'clock' | 'listeners' | 'onCoverageChanged'>;

const OPENED_AHEAD_MS = 5 * MINUTE_MS;
/** The most windows that one transaction follows. */
const BATCH = 100;
/** Rows that one tenant's work has locked hold up the windows of others no longer than this, ms. */
const OPTIONS = { lockTimeoutMs: 1_000 };

/** Whether an occurrence is near or runs, as a condition of a periodic task. */
export const IS_MAINTENANCE_DUE = isAnyDue(
  'maintenance_occurrence',
  'starts',
  `stage <> 'over'`,
  `$1 + ${OPENED_AHEAD}`,
);

/**
 * Brings the periods of these windows in line with their occurrences and scopes, holds and releases checks, and lets verdicts
 * be decided again. The caller has locked the windows. @returns whether agents get other checks
 */
export async function updatePeriods(deps: PeriodDeps, tx: Tx, windowIds: readonly string[]): Promise<boolean> {
  const now = new Date(deps.clock.now());
  const changed = [
    ...(await periodStore.end(tx, windowIds, null, now)),
    ...(await periodStore.adjust(tx, windowIds, now)),
    ...(await periodStore.add(tx, windowIds, null, now)),
  ];
  await periodStore.advance(tx, windowIds, now);
  return applyCoverage(deps, tx, changed, await periodStore.heldWrongly(tx, windowIds, null, now));
}

/**
 * Decides which windows cover monitors that are new or have other tags or groups, in the transaction that changes them: their
 * next result may be stored before `followWindows` sees them.
 */
export function coverageMonitorListener(deps: PeriodDeps): MonitorListener {
  return async (tx, changes) => {
    for (const [workspaceId, ofWorkspace] of groupBy(changes.filter(movesScope), (change) => change.workspaceId)) {
      const now = new Date(deps.clock.now());
      const windowIds = await windowStore.nearOrRunning(workspaceId, tx, now);
      if (windowIds.length === 0) continue;
      const monitorKeys = keysOf(ofWorkspace);
      const changed = [
        ...(await periodStore.end(tx, windowIds, monitorKeys, now)),
        ...(await periodStore.add(tx, windowIds, monitorKeys, now)),
      ];
      await applyCoverage(deps, tx, changed, await periodStore.heldWrongly(tx, windowIds, monitorKeys, now));
    }
  };
}

/** Whether a monitor may join or leave the scope of a window by a change. What windows do themselves is none. */
function movesScope({ kind, isRename }: MonitorChange): boolean {
  return kind !== 'deleted' && kind !== 'held' && kind !== 'released' && !isRename;
}

async function applyCoverage(
  deps: PeriodDeps,
  tx: Tx,
  changed: readonly ChangedMonitor[],
  wrong: readonly (ChangedMonitor & { isToHold: boolean })[],
): Promise<boolean> {
  for (const [isToHold, ofKind] of groupBy(wrong, (one) => one.isToHold))
    for (const [workspaceId, monitors] of groupBy(ofKind, (one) => one.workspaceId))
      await holdChecks(deps, tx, workspaceId, keysOf(monitors), isToHold);
  for (const [workspaceId, monitors] of groupBy(changed, (one) => one.workspaceId))
    await deps.onCoverageChanged(tx, workspaceId, keysOf(monitors));
  return wrong.length > 0;
}

function keysOf(monitors: readonly { monitorKey: number }[]): number[] {
  return [...new Set(monitors.map(({ monitorKey }) => monitorKey))].sort((a, b) => a - b);
}

/**
 * Follows the windows that are near or run: their periods exist before they begin, monitors join and leave by their groups and
 * tags, and checks are held and released. Several processes share the windows.
 * @throws the first error of a window, after all others are followed
 */
export async function followWindows(deps: MaintenanceDeps): Promise<void> {
  const until = new Date(deps.clock.now() + OPENED_AHEAD_MS);
  const followed = new Set<string>();
  const failed: FailedWork<string>[] = [];
  for (;;) {
    let windowIds: string[] = [];
    try {
      const hasOtherChecks = await deps.db.transaction(async (tx) => {
        windowIds = await dueWindowStore.lockDue(tx, until, [...followed], BATCH);
        return windowIds.length > 0 && (await updatePeriods(deps, tx, windowIds));
      }, OPTIONS);
      if (hasOtherChecks) wakeFleet(deps);
    } catch (error) {
      if (!isOfAPart(error)) throw error;
      failed.push(...(await followByHalves(deps, windowIds)));
    }
    for (const id of windowIds) followed.add(id);
    if (windowIds.length < BATCH) break;
  }
  if (failed.length > 0) throw failed[0]!.error;
}

/** One window that cannot be followed holds up no other. */
async function followByHalves(deps: MaintenanceDeps, windowIds: readonly string[]): Promise<FailedWork<string>[]> {
  return workByHalves(
    windowIds,
    (id) => id,
    async (ids) => {
      const hasOtherChecks = await deps.db.transaction(async (tx) => {
        const locked = await dueWindowStore.lock(tx, ids);
        return locked.length > 0 && (await updatePeriods(deps, tx, locked));
      }, OPTIONS);
      if (hasOtherChecks) wakeFleet(deps);
    },
  );
}

/** The key is not needed: the sessions read from the database what changed. */
export function wakeFleet({ bus, db }: Pick<MaintenanceDeps, 'bus' | 'db'>): void {
  db.afterCommit(() => bus.publish('monitor-changed', { monitorKey: 0 }));
}

/** Erases when windows covered these monitors, which are purged. */
export async function erasePeriods({ db }: { db: Database }, monitorKeys: readonly number[]): Promise<void> {
  await db.transaction((tx) => periodStore.erase(tx, monitorKeys));
}
