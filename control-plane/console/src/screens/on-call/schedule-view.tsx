import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { OnCallShiftView, TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { now } from '../../data/clock.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useKeys } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Form, OWN_ZONE, withoutField } from '../../parts/form.js';
import { Loaded, NoSuch, Skeleton } from '../../parts/loaded.js';
import { ForceToggle } from '../../parts/unreachable.js';
import { useDelete } from '../../parts/use-delete.js';
import { type FormModel, useEdit, useForm } from '../../parts/use-form.js';
import { CalendarDays, CalendarTools, useCalendarRange } from './calendar-frame.js';
import { Report } from './on-call-report.js';
import { PartHead, PlanNote, teamHref } from './part-head.js';
import { plannedShifts } from './planned-shifts.js';
import { Readiness } from './readiness.js';
import { ScheduleFields } from './schedule-fields.js';
import { layerText, newLayer, scheduleBody, type ScheduleValues, valuesOf } from './schedule-values.js';
import { Swaps } from './swaps.js';
import { usePosted } from './use-posted.js';
import { useShifts } from './use-shifts.js';

/** Where a schedule of a team is shown; `new` is one that is made. */
export function scheduleHref(teamId: string, scheduleId: string): string {
  return pathTo('/on-call', { tab: 'teams', team: teamId, schedule: scheduleId });
}

/** A schedule: its final shifts, beside its layers, which the shifts follow as they are edited. */
export function ScheduleView({ team, scheduleId }: { team: Team; scheduleId: string }) {
  const paths = `/api/v1/teams/${team.id}/schedules`;
  const path = `${paths}/${scheduleId}`;
  const isNew = scheduleId === 'new';
  const read = useResource<TeamSchedule>(isNew ? null : path);
  if (isNew) return <NewSchedule team={team} path={paths} />;
  return (
    <Loaded
      of={read}
      rows={8}
      missing={
        <NoSuch kind="schedule" all={teamHref(team.id)}>
          Somebody may have deleted it.
        </NoSuch>
      }
    >
      {(schedule) => <OneSchedule team={team} path={path} schedule={schedule} etag={read.etag} />}
    </Loaded>
  );
}

interface OneProps {
  team: Team;
  path: string;
  schedule: TeamSchedule;
  etag: string | null;
}

function OneSchedule({ team, path, schedule, etag }: OneProps) {
  const askToDelete = useDelete();
  const mayChange = hasRole('Admin');
  const shifts = useShifts([team], () => schedule.planRestricted);
  const remove = () =>
    askToDelete({
      name: schedule.name,
      path,
      etag,
      back: teamHref(team.id),
      consequences: [
        'Its overrides and its open swaps end with it.',
        'Where it is the first of the team, the next one takes its place.',
      ],
    });
  return (
    <>
      <PartHead team={team} name={schedule.name}>
        {mayChange && (
          <>
            <Button text="Add override" icon="person" onClick={() => shifts.askAt(path, team.id)} />
            <Button text="Delete" icon="trash" onClick={remove} />
          </>
        )}
      </PartHead>
      {schedule.planRestricted && <PlanNote>The plan does not cover this schedule, so nobody is on call.</PlanNote>}
      {mayChange ? (
        <EditSchedule team={team} path={path} schedule={schedule} etag={etag} />
      ) : (
        <>
          <SavedShifts team={team} path={path} created={schedule.created} />
          <ul class="list lines gap-1 above-3">
            {schedule.layers.map((layer, at) => (
              <li key={at} class="soft">
                {layer.name}: {layerText(layer)}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="beside above-5" style={{ '--least': '24rem' }}>
        <Readiness
          path={path}
          team={team}
          {...(mayChange && {
            onGap: ({ start, end }) =>
              shifts.override({
                teamId: team.id,
                schedulePath: path,
                startMs: Date.parse(start),
                endMs: Date.parse(end),
              }),
          })}
        />
        <Swaps path={path} team={team} />
        <Report path={path} />
      </div>
    </>
  );
}

function EditSchedule({ team, path, schedule, etag }: OneProps) {
  const [isForced, setForced] = useState(false);
  const people = team.members.map(({ userId }) => userId);
  const { form, conflict } = useEdit<TeamSchedule, ScheduleValues>({
    method: 'PATCH',
    path: isForced ? `${path}?force=true` : path,
    readPath: path,
    read: { data: schedule, etag },
    pick: (body) => valuesOf(body, people),
    toBody: scheduleBody,
    draft: `schedule:${schedule.id}`,
    hasLabels: true,
    onSaved: ({ name }) => toast(`${name} is saved.`),
  });
  return (
    <Editor
      form={form}
      team={team}
      path={path}
      version={schedule}
      created={schedule.created}
      action="Save the schedule"
      calendar={schedule.holidayCalendar}
      conflict={conflict}
      isForced={isForced}
      onForce={setForced}
    />
  );
}

function NewSchedule({ team, path }: { team: Team; path: string }) {
  const { route } = useLocation();
  const [isForced, setForced] = useState(false);
  const form = useForm<ScheduleValues>({
    initial: {
      name: 'Primary',
      timezone: OWN_ZONE,
      layers: [
        newLayer(
          0,
          team.members.map(({ userId }) => userId),
        ),
      ],
      holidays: [],
      holidayCalendarUrl: '',
    },
    draft: `schedule:${team.id}:new`,
    onSubmit: async (values) => {
      const query = isForced ? { force: true } : {};
      const { body } = await change<TeamSchedule>('POST', path, { body: scheduleBody(values), query });
      toast(`${body.name} is made.`);
      route(scheduleHref(team.id, body.id), true);
    },
  });
  return (
    <>
      <PartHead team={team} name="New schedule" />
      <Editor form={form} team={team} path={path} action="Make the schedule" isForced={isForced} onForce={setForced} />
    </>
  );
}

interface EditorProps {
  form: FormModel<ScheduleValues>;
  team: Team;
  /** The preview is below it. */
  path: string;
  action: string;
  created?: string;
  version?: unknown;
  /** Shows what was read from the calendar of holidays that is saved. */
  calendar?: TeamSchedule['holidayCalendar'];
  conflict?: ComponentChildren;
  isForced: boolean;
  onForce: (isForced: boolean) => void;
}

/** The shifts beside the fields that lead to them. */
function Editor({ form, team, path, action, created, version, calendar = null, ...props }: EditorProps) {
  const { conflict, isForced, onForce } = props;
  const range = useCalendarRange('month');
  const { data, fault, isPrevious } = usePosted<OnCallShiftView[]>(`${path}/preview`, {
    body: scheduleBody(form.values.value),
    query: range.query,
    version,
  });
  useEffect(() => void (form.foreseen.value = fault?.details ?? []), [form, fault]);
  const rest = fault && withoutField(form, fault.details);
  // How high the shifts are is not known before: on a phone the fields would move.
  if (data === undefined && fault === undefined) return <Skeleton rows={12} height={4} />;
  return (
    <div class="oncall-plan gap-5">
      <section aria-label="Shifts">
        {fault && (
          <p class="note note-partial below-3" role="status">
            The shifts are those before the last change.{' '}
            {fault.details.length === 0
              ? fault.message
              : rest!.map(({ path: at, message }) => `${at} ${message}.`).join(' ') || 'Mend the marked fields.'}
          </p>
        )}
        <Shifts
          team={team}
          path={path}
          range={range}
          shifts={data ?? (fault && [])}
          isStale={isPrevious}
          created={created}
        />
      </section>
      <Form form={form} action={action} conflict={conflict}>
        <ScheduleFields form={form} team={team} calendar={calendar} />
        <ForceToggle form={form} isForced={isForced} onForce={onForce} />
      </Form>
    </div>
  );
}

/** The shifts as they are, for those who do not edit. */
function SavedShifts({ team, path, created }: { team: Team; path: string; created: string }) {
  const range = useCalendarRange('month');
  const read = useResource<OnCallShiftView[]>(`${path}/preview`, range.query);
  return (
    <Shifts team={team} path={path} range={range} shifts={read.data} isStale={read.isPrevious} created={created} />
  );
}

interface ShiftsProps {
  team: Team;
  path: string;
  range: ReturnType<typeof useCalendarRange>;
  shifts: OnCallShiftView[] | undefined;
  isStale: boolean;
  /** When it was made; without it, it is not saved, and no override can be made. */
  created: string | undefined;
}

function Shifts({ team, path, range, shifts, isStale, created }: ShiftsProps) {
  const [openedMs] = useState(() => now.peek());
  const isDraft = created === undefined;
  const createdMs = isDraft ? openedMs : Date.parse(created);
  const of = { teamId: team.id, teamName: team.name, schedulePath: path };
  const lane = { ...of, shifts: plannedShifts(of, shifts ?? [], createdMs) };
  const { open, override, askAt } = useShifts([team], () => false);
  useKeys(
    isDraft
      ? []
      : [
          {
            key: 'o',
            label: 'Add override',
            run: (row) =>
              askAt(
                path,
                team.id,
                lane.shifts.find(({ key }) => key === row),
              ),
          },
        ],
  );
  return (
    <>
      <CalendarTools range={range} />
      {shifts === undefined ? (
        <Skeleton rows={5} height={4} />
      ) : (
        <CalendarDays
          range={range}
          lanes={[lane]}
          isStale={isStale}
          onOpen={isDraft ? () => {} : open}
          {...(hasRole('Admin') && !isDraft && { onDrag: override })}
        />
      )}
    </>
  );
}
