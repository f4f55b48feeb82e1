import { found } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { LATEST_MS, PLANNED_UNTIL_MS } from '../../platform/http/schemas.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import type { Actor } from '../../platform/identity/caller.js';
import { decideOccurrences, localOf, type Occurrence } from './decide-occurrences.js';
import { describeConfiguration, describeOccurrence, describeWindow, scheduleOf } from './describe-window.js';
import type { MaintenanceReadDeps } from './maintenance-deps.js';
import {
  type CalendarEntry,
  MAX_OCCURRENCES,
  type OccurrenceView,
  PREVIEWED_OCCURRENCES,
  type PreviewInput,
  type WindowState,
  type WindowView,
} from './maintenance-schemas.js';
import { occurrenceStore } from './occurrence-store.js';
import { requireSoundSchedule } from './require-sound.js';
import { type WindowRow, windowStore } from './window-store.js';

/** A window, and the part that its ETag covers. */
export interface ShownWindow {
  window: WindowView;
  configuration: ReturnType<typeof describeConfiguration>;
}

/** Windows of the workspace, newest first. */
export async function listWindows(
  { db, clock }: MaintenanceReadDeps,
  actor: Actor,
  state: WindowState | null,
  page: Rows,
): Promise<ListPage<WindowView>> {
  const now = new Date(clock.now());
  return mapPage(
    await db.read((tx) => windowStore.page(actor.workspace.workspaceId, tx, state, now, page)),
    describeWindow,
  );
}

/** @throws Fault not_found */
export function getWindow({ db, clock }: MaintenanceReadDeps, actor: Actor, id: string): Promise<ShownWindow> {
  return db.read((tx) => shownWindow(tx, actor.workspace.workspaceId, id, clock.now()));
}

/** @throws Fault not_found */
export async function shownWindow(tx: Tx, workspaceId: string, id: string, nowMs: number): Promise<ShownWindow> {
  const row = found(await windowStore.find(workspaceId, tx, id, new Date(nowMs)), 'maintenance window');
  return { window: describeWindow(row), configuration: describeConfiguration(row) };
}

/**
 * The occurrences of a window in a period, past ones as they were: at most 366, the first ones. Default: those of a year from
 * now on. @throws Fault not_found
 */
export async function listOccurrences(
  { db, clock }: MaintenanceReadDeps,
  actor: Actor,
  id: string,
  { startDate, endDate }: { startDate?: number | undefined; endDate?: number | undefined },
): Promise<OccurrenceView[]> {
  const { workspaceId } = actor.workspace;
  const startMs = startDate ?? Math.min(clock.now(), endDate ?? Infinity);
  const period = { startMs, endMs: endDate ?? Math.min(startMs + 366 * DAY_MS, LATEST_MS) };
  const { row, stored } = await db.read(async (tx) => {
    const row = found(await windowStore.find(workspaceId, tx, id, new Date(clock.now())), 'maintenance window');
    return { row, stored: await occurrenceStore.within(workspaceId, tx, id, period, MAX_OCCURRENCES) };
  });
  const planned = plannedWithin(row, period, MAX_OCCURRENCES - stored.length);
  return [...stored, ...planned].map(describeOccurrence);
}

/** The occurrences of a window in a period that are not stored yet: at most `limit`, the first ones. */
function plannedWithin(row: WindowRow, period: Occurrence, limit: number): Occurrence[] {
  const planned: Occurrence[] = [];
  if (period.startMs >= PLANNED_UNTIL_MS || row.storedUntil === null || row.storedUntil.getTime() >= period.endMs)
    return planned;
  const fromMs = Math.max(row.storedUntil.getTime(), period.startMs - row.durationMs);
  for (const occurrence of decideOccurrences(scheduleOf(row), fromMs)) {
    if (occurrence.startMs >= period.endMs || planned.length >= limit) break;
    if (occurrence.endMs > period.startMs) planned.push(occurrence);
  }
  return planned;
}

/** The occurrences of all windows of the workspace in a period, in order: at most 366, the first ones. */
export async function readCalendar(
  { db }: MaintenanceReadDeps,
  { workspace: { workspaceId } }: Actor,
  { startDate: startMs, endDate: endMs }: { startDate: number; endDate: number },
): Promise<CalendarEntry[]> {
  const period = { startMs, endMs };
  const { windows, stored } = await db.read(async (tx) => ({
    windows: await windowStore.all(workspaceId, tx),
    stored: await occurrenceStore.ofAll(workspaceId, tx, period, MAX_OCCURRENCES),
  }));
  const names = new Map(windows.map(({ id, name }) => [id, name]));
  const all = stored.filter(({ windowId }) => names.has(windowId));
  const pause = inSlices();
  for (const row of windows) {
    await pause();
    all.push(...plannedWithin(row, period, MAX_OCCURRENCES).map((one) => ({ windowId: row.id, ...one })));
  }
  return all
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
    .slice(0, MAX_OCCURRENCES)
    .map(({ windowId, ...one }) => ({ windowId, name: names.get(windowId)!, ...describeOccurrence(one) }));
}

/** The first occurrences from now on that a window with this schedule would have. @throws Fault validation_failed */
export async function previewOccurrences(
  { db, clock }: MaintenanceReadDeps,
  { workspace: { workspaceId } }: Actor,
  { startsAt, timezone, duration, recurrence }: PreviewInput,
): Promise<OccurrenceView[]> {
  const nowMs = clock.now();
  const zone = timezone ?? (await db.read((tx) => windowStore.timezone(workspaceId, tx)));
  const startsNow = startsAt === 'now';
  const schedule = scheduleOf({
    startsAt: startsNow ? localOf(nowMs, zone) : startsAt,
    timezone: zone,
    durationMs: duration,
    recurrence: recurrence ?? null,
    startedNow: startsNow ? new Date(nowMs) : null,
  });
  requireSoundSchedule(schedule);
  const coming: OccurrenceView[] = [];
  for (const occurrence of decideOccurrences(schedule, nowMs - duration)) {
    if (occurrence.endMs > nowMs) coming.push(describeOccurrence(occurrence));
    if (coming.length === PREVIEWED_OCCURRENCES) break;
  }
  return coming;
}
