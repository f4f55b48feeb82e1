import { useEffect, useState } from 'preact/hooks';
import type { OnCallShiftView, Schedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Select } from '../../parts/choices.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { capitalized, momentText } from '../../parts/format.js';
import { OWN_ZONE, TimeZoneInput } from '../../parts/time-zone-input.js';
import { useEdit } from '../../parts/use-edit.js';
import { AddSelect } from './add-select.js';
import { colourOf, nameOf } from './people.js';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
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

interface RotationDialogProps {
  team: Team;
  read: { data: Schedule; etag: string | null };
  onClose: () => void;
}

/** Edits the rotation of a team, beside the shifts that it would lead to. */
export function RotationDialog({ team, read, onClose }: RotationDialogProps) {
  const pick = ({
    rotation,
    timezone,
    handoffTime,
    handoffDay,
    startDate,
    participants,
  }: Schedule): RotationValues => ({
    rotation: rotation ?? 'weekly',
    timezone: timezone ?? OWN_ZONE,
    handoffTime: handoffTime ?? '09:00',
    handoffDay: handoffDay ?? 'monday',
    startDate: startDate ?? '',
    // Those who took turns may all have left the team.
    participants: participants?.length ? participants : team.members.map(({ userId }) => userId),
  });
  const { form, conflict } = useEdit({
    method: 'PUT',
    path: `/api/v1/teams/${team.id}/schedule`,
    read,
    pick,
    toBody,
    names: {
      rotation: 'Shifts',
      timezone: 'Time zone',
      handoffTime: 'Handoff at',
      handoffDay: 'Handoff on',
      startDate: 'First shift begins',
      participants: 'Order of turns',
    },
    onSaved: () => {
      toast(`The rotation of ${team.name} is set.`);
      onClose();
    },
  });
  const values = form.values.value;
  return (
    <Dialog title={`Rotation of ${team.name}`} onClose={onClose} isWide>
      <div class="oncall-editor">
        <Form form={form} action="Save the rotation" conflict={conflict} onCancel={onClose}>
          <div class="oncall-times">
            <Field name="rotation" label="Shifts">
              {(control) => (
                <Select
                  control={control}
                  options={[
                    { value: 'weekly', label: 'Weekly' },
                    { value: 'daily', label: 'Daily' },
                  ]}
                />
              )}
            </Field>
            {values.rotation === 'weekly' && (
              <Field name="handoffDay" label="Handoff on">
                {(control) => (
                  <Select
                    control={control}
                    options={WEEKDAYS.map((day) => ({ value: day, label: capitalized(day) }))}
                  />
                )}
              </Field>
            )}
            <Field name="handoffTime" label="Handoff at">
              {(control) => (
                <input
                  id={control.id}
                  class="input num"
                  type="time"
                  value={String(control.value)}
                  aria-describedby={control.describedBy}
                  aria-invalid={control.isInvalid || undefined}
                  onInput={(event) => control.set(event.currentTarget.value)}
                />
              )}
            </Field>
          </div>
          <Field name="timezone" label="Time zone" hint="Handoffs keep to its clocks, also when they change.">
            {(control) => <TimeZoneInput control={control} />}
          </Field>
          <Field
            name="startDate"
            label="First shift begins"
            type="date"
            hint="On this day the first person takes over. Empty: the first person takes over at once."
          />
          <Field name="participants" label="Order of turns">
            {(control) => <Turns team={team} values={values.participants} onChange={control.set} id={control.id} />}
          </Field>
        </Form>
        <Preview teamId={team.id} values={values} />
      </div>
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
      <ol class="oncall-turns is-editable">
        {values.map((userId, at) => {
          const name = nameOf(team.members.find((member) => member.userId === userId));
          return (
            <li key={userId}>
              <span class={`oncall-dot oncall-colour-${colourOf(userId)}`} />
              <span class="oncall-person">{name}</span>
              <Button
                look="plain"
                icon="up"
                label={`Move ${name} up`}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              />
              <Button
                look="plain"
                icon="down"
                label={`Move ${name} down`}
                disabled={at === values.length - 1}
                onClick={() => move(at, 1)}
              />
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
          options={others.map((member) => ({ value: member.userId, label: nameOf(member) }))}
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
    <section class="oncall-preview" aria-label="The next four weeks" aria-live="polite">
      <h3>The next four weeks</h3>
      {isEmpty ? (
        <p class="soft">Nobody takes turns yet.</p>
      ) : fault ? (
        <p class="soft">{fault.sentences.join(' ')}</p>
      ) : (
        <ul>
          {shifts?.slice(0, SHOWN_SHIFTS).map(({ user, source, start, end }) => (
            <li key={start}>
              <span class={`oncall-dot ${user ? `oncall-colour-${colourOf(user.userId)}` : 'oncall-gap'}`} />
              <span class="oncall-person">
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
