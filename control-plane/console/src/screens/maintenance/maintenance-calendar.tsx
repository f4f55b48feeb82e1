import type { CalendarEntry } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { now } from '../../data/clock.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { clockText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { CalendarTools, useCalendarRange } from '../on-call/calendar-frame.js';
import { type Day, placeOn } from '../on-call/calendar-layout.js';

const DAY_NAME = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** Shows when windows take place, day by day: beside each other where there is room, else below each other. */
export function MaintenanceCalendar() {
  const range = useCalendarRange('month');
  const read = useResource<CalendarEntry[]>('/api/v1/maintenance-calendar', range.query);
  const days = range.strips.flat();
  return (
    <>
      <CalendarTools range={range} />
      <Loaded of={read} rows={days.length / 7} height={5}>
        {(entries) => (
          <>
            {entries.length === 0 && <p class="soft below-3">No maintenance in this time.</p>}
            <ol class="card list window-calendar">
              {days.map((day) => (
                <DayCell key={day.date} day={day} entries={entries.filter((entry) => placeOn(spanOf(entry), [day]))} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </>
  );
}

function DayCell({ day, entries }: { day: Day; entries: readonly CalendarEntry[] }) {
  const isToday = day.startMs <= now.value && now.value < day.endMs;
  return (
    <li class={entries.length === 0 ? 'window-day is-free pad-2' : 'window-day pad-2'}>
      <span class={isToday ? 'small strong' : 'small soft'} aria-current={isToday ? 'date' : undefined}>
        {DAY_NAME.format((day.startMs + day.endMs) / 2)}
      </span>
      {entries.map((entry) => (
        <a
          key={`${entry.windowId} ${entry.start}`}
          class="block cut small"
          href={pathTo(`/maintenance/${entry.windowId}`)}
        >
          {spanOf(entry).startMs >= day.startMs && <span class="num">{clockText(spanOf(entry).startMs)} </span>}
          {entry.name}
        </a>
      ))}
    </li>
  );
}

const spanOf = ({ start, end }: CalendarEntry) => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
