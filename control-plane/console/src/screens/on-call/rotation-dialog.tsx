import { useEffect, useState } from 'preact/hooks';
import type { OnCallShiftView, Schedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { Button, Movers } from '../../parts/button.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { EditForm } from '../../parts/edit-form.js';
import { Field, OWN_ZONE, ZoneField } from '../../parts/form.js';
import { momentText } from '../../parts/format.js';
import { AddSelect } from './add-select.js';
import { colouring, nameOf, optionsOf } from './people.js';

const ROTATIONS = [
  { value: 'weekly', label: 'Weekly' },
  { value: 'daily', label: 'Daily' },
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));
const PAUSE_MS = 400;
const SHOWN_SHIFTS = 8;

interface RotationValues {
  rotation: 'daily' | 'weekly';
  timezone: string;
  handoffTime: string;
  handoffDay: string;
  startDate: string;
  participants: string[];
}

/** Edits the rotation of a team, beside the shifts that it would lead to. */
export function RotationDialog({ team }: { team: Team }) {
  const close = useClose();
  const pick = (schedule: Schedule): RotationValues => ({
    rotation: schedule.rotation ?? 'weekly',
    timezone: schedule.timezone ?? OWN_ZONE,
    handoffTime: schedule.handoffTime ?? '09:00',
    handoffDay: schedule.handoffDay ?? 'monday',
    startDate: schedule.startDate ?? '',
    // Those who took turns may all have left the team.
    participants: schedule.participants?.length ? schedule.participants : team.members.map(({ userId }) => userId),
  });
  return (
    <Dialog title={`Rotation of ${team.name}`} isWide>
      <EditForm
        action="Save the rotation"
        method="PUT"
        path={`/api/v1/teams/${team.id}/schedule`}
        pick={pick}
        toBody={toBody}
        saved={() => `The rotation of ${team.name} is set.`}
        onClose={close}
        beside={({ values }) => <Preview teamId={team.id} values={values.value} />}
      >
        {({ values: { value } }) => (
          <>
            <div class="beside">
              <Field name="rotation" label="Shifts" options={ROTATIONS} />
              {value.rotation === 'weekly' && <Field name="handoffDay" label="Handoff on" options={WEEKDAYS} />}
              <Field name="handoffTime" label="Handoff at" type="time" />
            </div>
            <ZoneField name="timezone" hint="Handoffs keep to its clocks, also when they change." />
            <Field
              name="startDate"
              label="First shift begins"
              type="date"
              hint="On this day the first person takes over. Empty: the first person takes over at once."
            />
            <Field name="participants" label="Order of turns">
              {({ set, attributes }) => (
                <Turns team={team} values={value.participants} onChange={set} id={attributes.id} />
              )}
            </Field>
          </>
        )}
      </EditForm>
    </Dialog>
  );
}

function toBody({ handoffDay, startDate, ...rest }: RotationValues) {
  return {
    ...rest,
    handoffDay: rest.rotation === 'weekly' ? handoffDay : null,
    ...(startDate !== '' && { startDate }),
  };
}

/** Who takes turns, in order; up and down by buttons, so that it works with keys and on phones. */
function Turns(props: { id: string; team: Team; values: readonly string[]; onChange: (values: string[]) => void }) {
  const { id, team, values, onChange } = props;
  const others = team.members.filter(({ userId }) => !values.includes(userId));
  const move = (at: number, by: 1 | -1) => {
    const next = [...values];
    [next[at], next[at + by]] = [next[at + by]!, next[at]!];
    onChange(next);
  };
  return (
    <>
      <ol class="list lines">
        {values.map((userId, at) => {
          const name = nameOf(team.members.find((member) => member.userId === userId));
          return (
            <li key={userId} class="flex center gap-2">
              <span class="oncall-dot" style={colouring({ userId })} />
              <span class="lines grow">{name}</span>
              <Movers name={name} isFirst={at === 0} isLast={at === values.length - 1} onMove={(by) => move(at, by)} />
              <Button
                look="plain"
                icon="close"
                label={`${name} takes no turns`}
                disabled={values.length === 1}
                onClick={() => onChange(values.filter((each) => each !== userId))}
              />
            </li>
          );
        })}
      </ol>
      {others.length > 0 && (
        <AddSelect
          id={id}
          prompt="Add somebody …"
          options={optionsOf(others)}
          onAdd={(userId) => onChange([...values, userId])}
        />
      )}
    </>
  );
}

/** The shifts that these values would lead to, as the API answers them. */
function Preview({ teamId, values }: { teamId: string; values: RotationValues }) {
  const [shifts, setShifts] = useState<OnCallShiftView[]>();
  const [fault, setFault] = useState<ApiFault>();
  const text = JSON.stringify(toBody(values));
  const isEmpty = values.participants.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const options = { body: JSON.parse(text) as unknown, signal: controller.signal };
      request<OnCallShiftView[]>('POST', `/api/v1/teams/${teamId}/schedule/preview`, options).then(
        ({ body }) => {
          setShifts(body);
          setFault(undefined);
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setFault(asFault(error));
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [teamId, text]);
  const nowMs = now.value;
  return (
    <section class="oncall-preview lines gap-3 pad-4 packed" aria-label="The next four weeks" aria-live="polite">
      <h3>The next four weeks</h3>
      {isEmpty ? (
        <p class="soft">Nobody takes turns yet.</p>
      ) : fault ? (
        <p class="soft">{fault.sentences.join(' ')}</p>
      ) : (
        <ul class="list lines gap-2">
          {shifts?.slice(0, SHOWN_SHIFTS).map(({ user, source, start, end }) => (
            <li key={start} class="flex center gap-2">
              <span class="oncall-dot" style={colouring(user)} />
              <span class="lines grow">
                <span class={user ? undefined : 'state-unavailable'}>
                  {user ? nameOf(user) : 'Nobody'}
                  {source === 'override' && <span class="chip">override</span>}
                </span>
                <span class="soft small num">
                  {momentText(Date.parse(start), nowMs)} – {momentText(Date.parse(end), nowMs)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {shifts && shifts.length > SHOWN_SHIFTS && (
        <p class="soft small">And {shifts.length - SHOWN_SHIFTS} more. Overrides are kept.</p>
      )}
      <p class="soft small">Times in {OWN_ZONE.replaceAll('_', ' ')}.</p>
    </section>
  );
}
