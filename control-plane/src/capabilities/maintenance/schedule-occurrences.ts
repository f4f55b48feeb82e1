import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { decideStored, STORED_AHEAD_MS } from './decide-stored.js';
import { scheduleOf } from './describe-window.js';
import type { MaintenanceReadDeps } from './maintenance-deps.js';
import { MAX_DURATION_MS } from './maintenance-schemas.js';
import { occurrenceStore } from './occurrence-store.js';
import { dueWindowStore, type WindowRow, windowStore } from './window-store.js';

const BATCH = 100;
const MAX_BATCHES = 100;
/** From their end on, as long as calendars have what is over. */
const CANCELLED_KEPT_MS = 30 * DAY_MS;

/** Stores the occurrences of a new window, or all of one whose past is corrected. @returns the window as it is to be written */
export function withOccurrences(row: WindowRow, nowMs: number) {
  const { occurrences, storedUntilMs } = decideStored(scheduleOf(row), -Infinity, nowMs);
  return { row: { ...row, storedUntil: dateOf(storedUntilMs) }, occurrences };
}

/** The same without those of the past: one that would run now begins now. */
export function withComing(row: WindowRow, nowMs: number) {
  const { occurrences, storedUntilMs } = decideStored(scheduleOf(row), nowMs - MAX_DURATION_MS, nowMs);
  const coming = occurrences
    .filter(({ endMs }) => endMs > nowMs)
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, nowMs), endMs }));
  return { row: { ...row, storedUntil: dateOf(storedUntilMs) }, occurrences: coming };
}

/**
 * Stores the occurrences of a window whose times changed. Those that ended stay as they were, and a running one keeps its
 * start: it ends with the occurrence of the new times that begins then, or now if there is none.
 * @returns the window as it is to be written
 */
export async function reschedule(tx: Tx, workspaceId: string, row: WindowRow, nowMs: number): Promise<WindowRow> {
  const now = new Date(nowMs);
  await occurrenceStore.cancel(workspaceId, tx, row.id, { from: now, until: 'infinity' }, now);
  const last = await occurrenceStore.lastBegun(workspaceId, tx, row.id, now);
  const running = last && last.endMs > nowMs ? last : null;
  const { occurrences, storedUntilMs } = decideStored(scheduleOf(row), nowMs - MAX_DURATION_MS, nowMs);
  // One that was ended early does not begin again. Its stored start is later than its own where it was added while it ran.
  const overFromMs = last && !running ? last.startMs : -Infinity;
  const coming = occurrences.filter(({ startMs, endMs }) => endMs > nowMs && startMs > overFromMs);
  const current = coming.find(({ startMs }) => startMs < nowMs);
  const continues = running !== null && current?.startMs === running.startMs;
  if (running)
    await occurrenceStore.setEnd(workspaceId, tx, row.id, continues ? current : { ...running, endMs: nowMs }, now);
  const added = coming
    .filter((occurrence) => occurrence !== current || !continues)
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, nowMs), endMs }));
  await occurrenceStore.insert(workspaceId, tx, row.id, added);
  return { ...row, storedUntil: dateOf(storedUntilMs) };
}

/** Stores the occurrences that follow the stored ones. @returns the window as it is now */
export async function extendWindow<Row extends WindowRow>(
  tx: Tx,
  workspaceId: string,
  row: Row,
  nowMs: number,
): Promise<Row> {
  if (row.storedUntil === null) return row;
  const { occurrences, storedUntilMs } = decideStored(scheduleOf(row), row.storedUntil.getTime(), nowMs);
  await occurrenceStore.insert(workspaceId, tx, row.id, occurrences);
  const extended = { ...row, storedUntil: dateOf(storedUntilMs) };
  await windowStore.update(workspaceId, tx, extended);
  return extended;
}

/** Stores occurrences of all windows for the next 60 days, and forgets old cancelled ones. @returns how many windows were extended */
export async function extendWindows({ db, clock }: MaintenanceReadDeps): Promise<number> {
  let extended = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const found = await db.transaction(async (tx) => {
      const nowMs = clock.now();
      const rows = await dueWindowStore.lockShort(tx, new Date(nowMs + STORED_AHEAD_MS), BATCH);
      for (const { workspaceId, ...row } of rows) await extendWindow(tx, workspaceId, row, nowMs);
      return rows.length;
    });
    extended += found;
    if (found < BATCH) break;
  }
  await db.transaction((tx) => occurrenceStore.purgeCancelled(tx, new Date(clock.now() - CANCELLED_KEPT_MS)));
  return extended;
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
