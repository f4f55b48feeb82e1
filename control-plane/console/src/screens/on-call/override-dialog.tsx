import { DAY_MS } from '@watchpost/shared/time';
import type { OnCallShiftView } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { change, useResource } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { named, Select } from '../../parts/inputs.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { Field, Form, OWN_ZONE } from '../../parts/form.js';
import { durationText, isoOfLocal, localText } from '../../parts/format.js';
import { useForm } from '../../parts/use-form.js';
import { firstScheduleOf, nameOf, optionsOf } from './people.js';
import { plannedShifts } from './planned-shifts.js';

export interface NewOverride {
  teamId: string;
  /** The place of the schedule in the API. */
  schedulePath: string;
  /** The default is somebody who is not planned then. */
  userId?: string;
  startMs: number;
  endMs: number;
}

/** The API answers shifts of at most this long. */
const MOST_DAYS = 366;

/** Puts somebody on call for a time, in place of the planned person. */
export function OverrideDialog({ teams, asked }: { teams: readonly Team[]; asked: NewOverride }) {
  const close = useClose();
  const form = useForm({
    initial: {
      teamId: asked.teamId,
      userId: asked.userId ?? '',
      start: localText(asked.startMs),
      end: localText(asked.endMs),
      reason: '',
    },
    onSubmit: async (values) => {
      const body = { userId: personId, ...times(values), reason: values.reason || null };
      await change('POST', `${schedulePath}/overrides`, { body });
      toast(`${nameOf(team?.members.find(({ userId }) => userId === personId))} is on call then.`);
      close();
    },
  });
  const times = ({ start, end }: { start: string; end: string }) => ({
    start: isoOfLocal(start, asked.startMs),
    end: isoOfLocal(end, asked.endMs),
  });
  const values = form.values.value;
  const team = teams.find(({ id }) => id === values.teamId);
  const schedulePath = values.teamId === asked.teamId ? asked.schedulePath : firstScheduleOf(values.teamId);
  const { start, end } = times(values);
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  const isRange = startMs < endMs && endMs - startMs <= MOST_DAYS * DAY_MS;
  const planned = useResource<OnCallShiftView[]>(isRange ? `${schedulePath}/preview` : null, {
    startDate: start,
    endDate: end,
  });
  const teamName = team?.name ?? '';
  const replaced = plannedShifts({ teamId: values.teamId, teamName, schedulePath }, planned.data ?? []);
  const busiest = replaced.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))[0]?.person?.userId;
  const personId =
    values.userId !== ''
      ? values.userId
      : (team?.members.find(({ userId }) => userId !== busiest)?.userId ?? team?.members[0]?.userId ?? '');

  if (team !== undefined && team.members.length === 0) {
    return (
      <Dialog title="Add override">
        <p>{team.name} has no members yet. Add people to the team first.</p>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add override">
      {/* Who is planned decides who is proposed, until somebody is chosen. */}
      <Form form={form} action="Put on call" onCancel={close} needs={isRange && values.userId === '' ? [planned] : []}>
        {teams.length > 1 && (
          <Field name="teamId" label="Team">
            {(control) => (
              <Select
                control={{
                  ...control,
                  set: (value) => {
                    form.set('userId', '');
                    control.set(value);
                  },
                }}
                options={named(teams)}
              />
            )}
          </Field>
        )}
        <Field name="userId" label="Person">
          {(control) => <Select control={{ ...control, value: personId }} options={optionsOf(team?.members ?? [])} />}
        </Field>
        <div class="lines fit-17 gap-3">
          <Field name="start" label="From" type="datetime-local" />
          <Field name="end" label="To" type="datetime-local" />
        </div>
        <p class="field-hint">
          {OWN_ZONE.replaceAll('_', ' ')}, your time zone.
          {isRange && ` ${durationText(endMs - startMs)} in all.`}
        </p>
        <Field name="reason" label="Reason (optional)" placeholder="Holiday, swap, appointment …" />
        {isRange && planned.data !== undefined && (
          <div class="note">
            <p>
              {replaced.some(({ person }) => person !== null) ? 'Replaces ' : 'Nobody is planned for that time.'}
              {replaced
                .filter(({ person }) => person !== null)
                .map(({ person, startMs: from, endMs: to }) => `${nameOf(person)} (${durationText(to - from)})`)
                .join(', ')}
            </p>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
