import { useLocation } from 'preact-iso';
import type { TeamShiftsView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { addressWith, paramsOf } from '../../data/address.js';
import { now } from '../../data/clock.js';
import { hasRole } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { useKeys, useNew } from '../../frame/screen.js';
import { Choice, named } from '../../parts/inputs.js';
import { momentText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { CalendarDays, CalendarTools, useCalendarRange } from './calendar-frame.js';
import { MyShift } from './my-shift.js';
import { firstScheduleOf, gapSentence, lanesOf, nameOf, type Shift } from './people.js';
import { useShifts } from './use-shifts.js';

const SHOWN_GAPS = 4;

/** Who is on call, by time: final shifts of all teams or of one. */
export function Calendar({ teams }: { teams: readonly Team[] }) {
  const { url, route } = useLocation();
  const range = useCalendarRange();
  const teamId = paramsOf(url).get('team') ?? '';
  const read = useResource<TeamShiftsView[]>('/api/v1/on-call/shifts', {
    ...range.query,
    teamId: teams.some(({ id }) => id === teamId) ? teamId : undefined,
  });
  const lanes = (read.data ?? []).flatMap((team) => lanesOf(team, createdMsOf(teams, team.teamId)));
  const all = lanes.flatMap(({ shifts }) => shifts);
  const mayChange = hasRole('Admin');
  const { open, override, askAt } = useShifts(
    teams,
    (shift) => lanes.find((lane) => lane.teamId === shift.teamId)?.planRestricted ?? false,
  );
  const first = teams.find(({ id }) => id === teamId) ?? teams[0];
  const askNow = () => first && askAt(firstScheduleOf(first.id), first.id);
  useKeys([
    {
      key: 'o',
      label: 'Add override',
      run: (row) => {
        const shift = all.find(({ key }) => key === row);
        if (shift) askAt(shift.schedulePath, shift.teamId, shift);
        else askNow();
      },
    },
  ]);
  useNew(() => askNow());

  return (
    <>
      <MyShift />
      <CalendarTools range={range}>
        {teams.length > 1 && (
          <Choice
            class="auto max-14"
            label="Team"
            options={[{ value: '', label: 'All teams' }, ...named(teams)]}
            value={teamId}
            onChange={(team) => route(addressWith(url, { team }))}
          />
        )}
      </CalendarTools>
      <Loaded of={read} rows={Math.max(4, teams.length)} height={4}>
        {() => (
          <>
            <Gaps teams={teams} lanes={lanes.filter(({ isFirst }) => isFirst)} onOpen={open} />
            <CalendarDays
              range={range}
              lanes={lanes}
              isStale={read.isPrevious}
              onOpen={open}
              {...(mayChange && { onDrag: override })}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The gaps of first schedules in what is shown that are still ahead, each with what happens then. */
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
