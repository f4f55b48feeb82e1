import { HOUR_MS } from '@watchpost/shared/time';
import { writeTime } from '@watchpost/shared/design/texts';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { now } from '../../data/clock.js';
import { addDays } from '../../data/days.js';
import { hasRole } from '../../data/session.js';
import { useKeys } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { Segmented } from '../../parts/segmented.js';
import { OWN_ZONE } from '../../parts/form.js';
import { Agenda } from './agenda.js';
import { CALENDAR_VIEWS, dateOf, readCalendarQuery, stripsOf, turnPage, type CalendarView } from './calendar-layout.js';
import type { Shift } from './people.js';
import { type Lane, WeekStrip, type WeekStripProps } from './week-strip.js';

const AHEAD_WEEKS = [0, 1, 2, 3, 4];
const NARROW = matchMedia('(width < 640px)');
const VIEW_NAMES: Record<CalendarView, string> = { week: 'Week', month: 'Month', agenda: 'List' };

export type CalendarRange = ReturnType<typeof useCalendarRange>;

/** The days that the address names, by default those around today; where a month is the default, the weeks that begin with this one. */
export function useCalendarRange(wide: CalendarView = 'week') {
  const { url } = useLocation();
  const isNarrow = useNarrow();
  const today = dateOf(now.value, OWN_ZONE);
  const { view, date } = readCalendarQuery(paramsOf(url), { view: isNarrow ? 'agenda' : wide, today });
  const isAhead = wide === 'month' && view === 'month' && date === today;
  const strips = isAhead
    ? AHEAD_WEEKS.map((week) => stripsOf('week', addDays(today, 7 * week), OWN_ZONE)[0]!)
    : stripsOf(view, date, OWN_ZONE);
  const [firstMs, lastMs] = [strips[0]![0]!.startMs, strips.at(-1)!.at(-1)!.endMs];
  const query = { startDate: new Date(firstMs).toISOString(), endDate: new Date(lastMs).toISOString() };
  return { view, date, isAhead, strips, firstMs, lastMs, query };
}

/** Turns the pages of a calendar, and chooses what it looks like. */
export function CalendarTools({ range, children }: { range: CalendarRange; children?: ComponentChildren }) {
  const { url, route } = useLocation();
  const { view, date } = range;
  const hrefOf = (next: { view?: string; date?: string }) => addressWith(url, next);
  useKeys([
    { key: 't', label: 'Today', run: () => route(hrefOf({ date: '' })) },
    { key: 'f', label: 'Next week or month', run: () => route(hrefOf({ date: turnPage(view, date, 1) })) },
    { key: 'b', label: 'Week or month before', run: () => route(hrefOf({ date: turnPage(view, date, -1) })) },
  ]);
  return (
    <div class="oncall-tools gap-3-4 wrap center between below-3">
      <div class="row gap-2">
        <Button icon="left" label="Before" href={hrefOf({ date: turnPage(view, date, -1) })} />
        <Button text="Today" href={hrefOf({ date: '' })} />
        <Button icon="right" label="After" href={hrefOf({ date: turnPage(view, date, 1) })} />
        <h2 class="before-2 tabular">{rangeText(range)}</h2>
      </div>
      <div class="row">
        {children}
        <Segmented
          label="View"
          options={CALENDAR_VIEWS.map((each) => ({ value: each, label: VIEW_NAMES[each] }))}
          value={view}
          onChange={(chosen) => route(hrefOf({ view: chosen }))}
        />
      </div>
    </div>
  );
}

interface DaysProps extends Pick<WeekStripProps, 'onDrag'> {
  range: CalendarRange;
  lanes: readonly Lane[];
  isStale: boolean;
  onOpen: (shift: Shift) => void;
}

/** The days of a calendar with their shifts. */
export function CalendarDays({ range: { view, date, isAhead, strips }, lanes, isStale, onOpen, onDrag }: DaysProps) {
  const mayChange = onDrag !== undefined;
  return (
    <>
      {view === 'agenda' ? (
        <Agenda days={strips[0]!} shifts={lanes.flatMap(({ shifts }) => shifts)} onOpen={onOpen} />
      ) : (
        <div class={`card oncall-calendar oncall-${view}${isStale ? ' is-stale' : ''}`}>
          {view === 'month' && (
            <div class="oncall-weekdays small soft" aria-hidden="true">
              {['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => (
                <span key={day}>{day}</span>
              ))}
            </div>
          )}
          {strips.map((days) => (
            <WeekStrip
              key={days[0]!.date}
              days={days}
              lanes={lanes}
              {...(view === 'month' && { month: isAhead ? '' : date.slice(0, 7) })}
              stepMs={view === 'month' ? 6 * HOUR_MS : HOUR_MS / 2}
              onOpen={onOpen}
              {...(onDrag && { onDrag })}
            />
          ))}
        </div>
      )}
      <p class="small soft oncall-foot above-3">
        Times in {OWN_ZONE.replaceAll('_', ' ')}, your time zone.
        {mayChange && view !== 'agenda' && (
          <>
            {' '}
            Drag over a time to put somebody else on call, or press <kbd>o</kbd>. Drag the end of a shift to move it, or
            press <kbd>Shift</kbd> <kbd>→</kbd>.
          </>
        )}
        {!hasRole('Admin') && ' Admins change who is on call.'}
      </p>
    </>
  );
}

function rangeText({ view, date, isAhead, firstMs, lastMs }: CalendarRange): string {
  if (view === 'month' && !isAhead) return writeTime('month', Date.parse(date), 'UTC');
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return days.formatRange(firstMs, lastMs - 1);
}

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useLayoutEffect(() => {
    const follow = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', follow);
    return () => NARROW.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}
