import { type CalendarEvent, calendarText } from '../../../platform/pages/calendar-text.js';
import type { PublicPageView } from '../public-page-schemas.js';
import type { CalendarRow } from '../maintenance-calendar-store.js';

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** The maintenance that a status page announces, as iCalendar text that changes only where maintenance does. */
export function maintenanceCalendar(
  baseUrl: string,
  slug: string,
  page: PublicPageView,
  rows: readonly CalendarRow[],
): string {
  const systems = new Map(page.groups.flatMap((group) => group.systems.map(({ id, name }) => [id, name] as const)));
  const events = rows.map((row): CalendarEvent => {
    const affected = (row.systemIds ?? []).flatMap((id) => systems.get(id) ?? []);
    return {
      uid: `${row.windowId}-${row.starts.getTime()}@watchpost`,
      startMs: row.starts.getTime(),
      endMs: row.ends.getTime(),
      summary: row.name,
      description: [row.description, ...(affected.length === 0 ? [] : [`Affected: ${affected.join(', ')}`])]
        .filter((part) => part !== '')
        .join('\n\n'),
      url: `${baseUrl}/status/${slug}`,
      changedMs: row.changed.getTime(),
      sequence: sequenceOf(row),
      isCancelled: row.isCancelled,
    };
  });
  return calendarText(
    { name: `${page.name}: maintenance`, product: 'Maintenance' },
    events,
    Date.parse(page.updatedAt),
  );
}

/** RFC 5545 §3.8.7.4: grows with each change. Seconds since the window was created do, and stay small enough. */
function sequenceOf({ created, changed }: CalendarRow): number {
  return Math.max(0, Math.ceil((changed.getTime() - created.getTime()) / 1_000));
}
