import { show } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { TeamShiftsView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { paramsOf } from '../../data/address.js';
import { now } from '../../data/clock.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { useKeys, useNew } from '../../frame/screen.js';
import { Choice, named } from '../../parts/inputs.js';
import { momentText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { OWN_ZONE } from '../../parts/form.js';
import { Agenda } from './agenda.js';
import { CALENDAR_VIEWS, dateOf, readCalendarQuery, stripsOf, turnPage, type CalendarView } from './calendar-layout.js';
import { MyShift } from './my-shift.js';
import { OverrideDialog, type NewOverride } from './override-dialog.js';
import { gapSentence, nameOf, shiftsOf, type Shift } from './people.js';
import { ShiftDialog } from './shift-dialog.js';
import { WeekStrip } from './week-strip.js';

const HOUR_MS = 3_600_000;
const NARROW = matchMedia('(width < 640px)');
const VIEW_NAMES: Record<CalendarView, string> = { week: 'Week', month: 'Month', agenda: 'List' };
const SHOWN_GAPS = 4;

/** Who is on call, by time: final shifts of all teams or of one. */
export function Calendar({ teams }: { teams: readonly Team[] }) {
  const { url, route } = useLocation();
  const address = paramsOf(url);
  const isNarrow = useNarrow();
  const today = dateOf(now.value, OWN_ZONE);
  const { view, date, teamId } = readCalendarQuery(address, { view: isNarrow ? 'agenda' : 'week', today });
  const strips = stripsOf(view, date, OWN_ZONE);
  const [firstMs, lastMs] = [strips[0]![0]!.startMs, strips.at(-1)!.at(-1)!.endMs];
  const read = useResource<TeamShiftsView[]>('/api/v1/on-call/shifts', {
    startDate: new Date(firstMs).toISOString(),
    endDate: new Date(lastMs).toISOString(),
    teamId: teams.some(({ id }) => id === teamId) ? teamId : undefined,
  });
  const lanes = (read.data ?? []).map((team) => ({ ...team, shifts: shiftsOf(team, createdMsOf(teams, team.teamId)) }));
  const all = lanes.flatMap(({ shifts }) => shifts);
  const mayChange = hasRole('Admin');

  const hrefOf = (next: Partial<{ view: string; date: string; team: string }>) => {
    const query = { view: address.get('view') ?? undefined, date: address.get('date') ?? undefined, team: teamId };
    return pathTo('/on-call', { ...query, ...next });
  };
  const override = (asked: NewOverride) => show(<OverrideDialog teams={teams} asked={asked} />);
  const open = (shift: Shift) =>
    show(
      <ShiftDialog
        shift={shift}
        team={teams.find(({ id }) => id === shift.teamId)}
        isRestricted={lanes.find((lane) => lane.teamId === shift.teamId)?.planRestricted ?? false}
        onOverride={() => askAt(shift)}
      />,
    );
  const askAt = (shift: Shift | undefined) => {
    const first = teams.find(({ id }) => id === (shift?.teamId ?? teamId)) ?? teams[0];
    if (!mayChange || first === undefined) return;
    const hour = Math.ceil(now.peek() / HOUR_MS) * HOUR_MS;
    override(
      shift
        ? { teamId: shift.teamId, startMs: Math.max(shift.startMs, floorMinute(now.peek())), endMs: shift.endMs }
        : { teamId: first.id, startMs: hour, endMs: hour + 8 * HOUR_MS },
    );
  };
  useKeys([
    { key: 'o', label: 'Put somebody else on call', run: (row) => askAt(all.find(({ key }) => key === row)) },
    { key: 't', label: 'Today', run: () => route(hrefOf({ date: '' })) },
    { key: 'f', label: 'Next week or month', run: () => route(hrefOf({ date: turnPage(view, date, 1) })) },
    { key: 'b', label: 'Week or month before', run: () => route(hrefOf({ date: turnPage(view, date, -1) })) },
  ]);
  useNew(() => askAt(undefined));

  return (
    <>
      <MyShift />
      <div class="oncall-tools gap-3-4 wrap center between below-3">
        <div class="row gap-2">
          <Button icon="left" label="Before" href={hrefOf({ date: turnPage(view, date, -1) })} />
          <Button text="Today" href={hrefOf({ date: '' })} />
          <Button icon="right" label="After" href={hrefOf({ date: turnPage(view, date, 1) })} />
          <h2 class="before-2 tabular">{rangeText(view, date, firstMs, lastMs)}</h2>
        </div>
        <div class="row">
          {teams.length > 1 && (
            <Choice
              class="auto max-14"
              label="Team"
              options={[{ value: '', label: 'All teams' }, ...named(teams)]}
              value={teamId}
              onChange={(team) => route(hrefOf({ team }))}
            />
          )}
          <nav class="oncall-views sunken" aria-label="View">
            {CALENDAR_VIEWS.map((each) => (
              <a key={each} href={hrefOf({ view: each })} aria-current={each === view ? 'page' : undefined}>
                {VIEW_NAMES[each]}
              </a>
            ))}
          </nav>
        </div>
      </div>
      <Loaded of={read} rows={Math.max(4, teams.length)} height={4}>
        {() => (
          <>
            <Gaps teams={teams} lanes={lanes} onOpen={open} />
            {view === 'agenda' ? (
              <Agenda days={strips[0]!} shifts={all} onOpen={open} />
            ) : (
              <div class={`card oncall-calendar oncall-${view}${read.isPrevious ? ' is-stale' : ''}`}>
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
                    {...(view === 'month' && { month: date.slice(0, 7) })}
                    stepMs={view === 'month' ? 6 * HOUR_MS : HOUR_MS / 2}
                    onOpen={open}
                    {...(mayChange && {
                      onDrag: (team: string, startMs: number, endMs: number) =>
                        override({ teamId: team, startMs, endMs }),
                    })}
                  />
                ))}
              </div>
            )}
            <p class="small soft oncall-foot above-3">
              Times in {OWN_ZONE.replaceAll('_', ' ')}, your time zone.
              {mayChange && view !== 'agenda' && ' Drag over a time to put somebody else on call, or press '}
              {mayChange && view !== 'agenda' && <kbd>o</kbd>}
              {!mayChange && ' Admins change who is on call.'}
            </p>
          </>
        )}
      </Loaded>
    </>
  );
}

/** The gaps of what is shown that are still ahead, each with what happens then. */
function Gaps(props: {
  teams: readonly Team[];
  lanes: readonly { teamId: string; planRestricted: boolean; shifts: readonly Shift[] }[];
  onOpen: (shift: Shift) => void;
}) {
  const { teams, lanes, onOpen } = props;
  const nowMs = now.value;
  const gaps = lanes.flatMap(({ teamId, planRestricted, shifts }) =>
    shifts
      .filter(({ person, endMs }) => person === null && endMs > nowMs)
      .map((shift) => ({ shift, sentence: gapSentence(leadsOf(teams, teamId), planRestricted) })),
  );
  if (gaps.length === 0) return null;
  return (
    <div class="note note-unavailable below-4" role="status">
      <ul class="oncall-gaps list lines gap-1">
        {gaps.slice(0, SHOWN_GAPS).map(({ shift, sentence }) => (
          <li key={shift.key}>
            <button type="button" class="underline bare strong" onClick={() => onOpen(shift)}>
              {shift.teamName}: nobody is on call {momentText(Math.max(shift.startMs, nowMs), nowMs)} –{' '}
              {momentText(shift.endMs, nowMs)}.
            </button>{' '}
            {sentence}
          </li>
        ))}
      </ul>
      {gaps.length > SHOWN_GAPS && <p class="soft">And {gaps.length - SHOWN_GAPS} more in what is shown.</p>}
    </div>
  );
}

/** @returns when the team was made: before, nobody could be on call */
function createdMsOf(teams: readonly Team[], teamId: string): number {
  const team = teams.find(({ id }) => id === teamId);
  return team ? Date.parse(team.created) : -Infinity;
}

/** @returns the names of the leads; undefined where the team is not known */
function leadsOf(teams: readonly Team[], teamId: string): string[] | undefined {
  const team = teams.find(({ id }) => id === teamId);
  return team?.members.filter(({ teamRole }) => teamRole === 'lead').map(nameOf);
}

function floorMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}

function rangeText(view: CalendarView, date: string, firstMs: number, lastMs: number): string {
  if (view === 'month') {
    const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return month.format(new Date(`${date}T00:00Z`));
  }
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return days.formatRange(firstMs, lastMs - 1);
}

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const follow = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', follow);
    return () => NARROW.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}
