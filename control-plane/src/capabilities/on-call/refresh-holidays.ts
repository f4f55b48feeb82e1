import { groupBy } from '@watchpost/shared/group-by';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { isDeepStrictEqual } from 'node:util';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Tx } from '../../platform/db/database.js';
import { followSwaps } from './follow-swaps.js';
import type { HolidayCalendars } from './holiday-calendars.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { readSchedules } from './read-on-call.js';
import type { HolidaysRead } from './read-holidays.js';
import { saveLayers } from './schedule.js';
import { type DueCalendar, scheduleStore } from './schedule-store.js';
import { teamStore } from './team-store.js';

/** Calendars that are read in a run, all owners at once and those of each one after another. */
const MOST_READ = 24;
const MOST_READ_OF_OWNER = 3;
/** Longer than a run takes: what a killed process has taken is due again then. */
const LEASE_MS = 15 * MINUTE_MS;
const RETRY_MS = HOUR_MS;

export interface HolidayRefreshDeps extends ScheduleDeps {
  registry: Registry;
  holidayCalendars: Pick<HolidayCalendars, 'read'>;
}

/** The job that reads the calendars of holidays every day. The former days stay where one cannot be read. */
export function holidayRefresh(deps: HolidayRefreshDeps): () => Promise<void> {
  const { db, clock, registry, holidayCalendars } = deps;
  const reads = new Counter({
    name: 'watchpost_holiday_calendar_reads_total',
    help: 'Readings of calendars of holidays, by whether there was a fault',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'watchpost_holiday_calendars_due',
    help: 'Calendars of holidays that wait to be read, after the last run',
    registers: [registry],
  });
  return async () => {
    const now = new Date(clock.now());
    const bounds = {
      now,
      leased: new Date(now.getTime() + LEASE_MS),
      limit: MOST_READ,
      limitOfOwner: MOST_READ_OF_OWNER,
    };
    const due = await db.transaction((tx) => scheduleStore.takeCalendars(tx, bounds));
    const faults: unknown[] = [];
    const refresh = async (calendar: DueCalendar): Promise<void> => {
      const read = await holidayCalendars.read(calendar.url, calendar.ownerId);
      reads.inc({ outcome: read.days ? 'read' : 'faulty' });
      await db.transaction((tx) => keep(deps, tx, calendar, read));
    };
    const refreshAll = async (calendars: readonly DueCalendar[]): Promise<void> => {
      // One that cannot be kept keeps no other from being read.
      for (const calendar of calendars) await refresh(calendar).catch((fault: unknown) => void faults.push(fault));
    };
    await Promise.all([...groupBy(due, ({ ownerId }) => ownerId).values()].map(refreshAll));
    waiting.set(await db.read((tx) => scheduleStore.countDueCalendars(tx, new Date(clock.now()))));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} calendars of holidays could not be kept`);
  };
}

async function keep(
  deps: ScheduleDeps,
  tx: Tx,
  { workspaceId, teamId, id, url }: DueCalendar,
  { days, fault }: HolidaysRead,
): Promise<void> {
  if (!(await teamStore.lock(workspaceId, tx, teamId))) return;
  const stored = await readSchedules(tx, workspaceId, teamId);
  const schedule = stored.plan.schedules.find((one) => one.id === id);
  if (schedule?.holidayCalendar?.url !== url) return;
  const nowMs = deps.clock.now();
  if (fault !== undefined) {
    const due = new Date(nowMs + RETRY_MS);
    await scheduleStore.noteCalendar(workspaceId, tx, id, { ...schedule.holidayCalendar, fault }, due);
    return;
  }
  if (!isDeepStrictEqual(days, schedule.holidays)) {
    // Nobody has changed it, so that it keeps the moment of its last change, and its ETag.
    await saveLayers(tx, workspaceId, stored, schedule, { ...schedule, holidays: days }, nowMs);
    await followSwaps(deps, tx, workspaceId, teamId);
  }
  await scheduleStore.noteCalendar(workspaceId, tx, id, { url, fetchedAt: new Date(nowMs).toISOString(), fault: null });
}
