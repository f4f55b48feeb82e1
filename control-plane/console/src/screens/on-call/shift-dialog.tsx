import { useState } from 'preact/hooks';
import type {
  Override,
  Schedule,
  TeamSchedule,
  TeamShiftsView,
} from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { asFault, faultOfField } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { change, useResource } from '../../data/resources.js';
import { now } from '../../data/clock.js';
import { hasRole } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Select } from '../../parts/inputs.js';
import { Dialog, show, useClose } from '../../parts/dialog.js';
import { Facts } from '../../parts/section.js';
import { Field, Form } from '../../parts/form.js';
import { durationText, momentText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import { useForm } from '../../parts/use-form.js';
import { gapSentence, nameOf, shiftsOf, type Shift } from './people.js';

interface ShiftDialogProps {
  shift: Shift;
  team: Team | undefined;
  isRestricted: boolean;
  onOverride: () => void;
}

/** A shift or a gap, and what can be done with it. */
export function ShiftDialog({ shift, team, isRestricted, onOverride }: ShiftDialogProps) {
  const close = useClose();
  const schedule = useResource<Schedule>(shift.isOverride ? `/api/v1/teams/${shift.teamId}/schedule` : null);
  const override = schedule.data?.overrides.filter((each) => isSource(each, shift)).at(-1);
  const mayChange = hasRole('Admin') && !isRestricted && shift.endMs > now.value;
  const leads = team?.members.filter(({ teamRole }) => teamRole === 'lead').map(nameOf);
  const remove = () => {
    if (override === undefined) return;
    change('DELETE', `/api/v1/teams/${shift.teamId}/schedule/overrides/${override.id}`).then(() => {
      toast('The override is gone: the rotation counts again.');
      close();
    }, toastFault);
  };
  const askOthers = async () => {
    const path = `/api/v1/teams/${shift.teamId}/schedules`;
    const [first] = (await request<TeamSchedule[]>('GET', path)).body;
    const body = {
      shiftStart: new Date(shift.startMs).toISOString(),
      shiftEnd: new Date(shift.endMs).toISOString(),
    };
    await change('POST', `${path}/${first!.id}/swaps`, { body });
    toast('The team is asked by mail to take the shift.');
    close();
  };
  const title = shift.person ? nameOf(shift.person) : 'Nobody is on call';
  return (
    <Dialog title={title}>
      <Facts
        facts={[
          ['Team', shift.teamName],
          ['From', <Time key="from" at={shift.startMs} as="moment" />],
          [
            'To',
            <Time
              key="to"
              at={shift.endMs}
              as="moment"
              after={` (${durationText(shift.endMs - shift.startMs)} in what is shown)`}
            />,
          ],
          ['By', shift.person && (shift.isOverride ? 'Override' : 'Rotation')],
          ['Reason', override?.reason],
        ]}
      />
      {shift.person === null && <p class="note note-unavailable">{gapSentence(leads, isRestricted)}</p>}
      {shift.isMine && !shift.isOverride && shift.startMs > now.value && (
        <Button text="Ask the team to take it" onClick={() => void askOthers().catch(toastFault)} />
      )}
      {mayChange ? (
        <div class="row">
          <Button
            text={shift.person ? 'Put somebody else on call' : 'Add override'}
            look="primary"
            onClick={onOverride}
          />
          {shift.person && <Button text="Swap" onClick={() => show(<SwapDialog shift={shift} />)} />}
          {override && <Button text="Remove the override" look="danger" onClick={remove} />}
        </div>
      ) : (
        !hasRole('Admin') && <p class="soft">Admins change who is on call.</p>
      )}
    </Dialog>
  );
}

function isSource({ userId, start, end }: Override, { person, startMs, endMs }: Shift): boolean {
  return userId === person?.userId && Date.parse(start) <= startMs && Date.parse(end) >= endMs;
}

const AHEAD_MS = 60 * 86_400_000;
const BEHIND_MS = 31 * 86_400_000;

/** Exchanges two shifts of a team: each of the two people is put on call for the time of the other. */
function SwapDialog({ shift }: { shift: Shift }) {
  const close = useClose();
  const [openedMs] = useState(() => Math.floor(now.peek() / 60_000) * 60_000);
  // The calendar cuts shifts at its ends; these are whole.
  const around = useResource<TeamShiftsView[]>('/api/v1/on-call/shifts', {
    teamId: shift.teamId,
    startDate: new Date(Math.max(shift.startMs, openedMs) - BEHIND_MS).toISOString(),
    endDate: new Date(Math.max(shift.startMs, openedMs) + AHEAD_MS).toISOString(),
  });
  const all = (around.data ?? []).flatMap(shiftsOf);
  const own = all.find(({ startMs, endMs }) => startMs <= shift.startMs && endMs > shift.startMs) ?? shift;
  const others = all.filter(
    ({ person, endMs }) => person !== null && person.userId !== shift.person!.userId && endMs > openedMs,
  );
  const form = useForm({
    initial: { other: '', reason: '' },
    onSubmit: async (values) => {
      const other = others.find(({ key }) => key === (values.other || others[0]?.key));
      if (other === undefined) throw faultOfField('other', 'Not loaded yet. Try again.');
      const path = `/api/v1/teams/${shift.teamId}/schedule/overrides`;
      const bodyOf = (userId: string, { startMs, endMs }: Shift) => ({
        userId,
        start: new Date(Math.max(startMs, openedMs)).toISOString(),
        end: new Date(endMs).toISOString(),
        reason: values.reason || `Swap of ${nameOf(shift.person)} and ${nameOf(other.person)}`,
      });
      const first = await change<Override>('POST', path, { body: bodyOf(other.person!.userId, own) });
      try {
        await change('POST', path, { body: bodyOf(shift.person!.userId, other) });
      } catch (error) {
        // Half a swap would leave a shift to somebody who did not agree to both.
        await change('DELETE', `${path}/${first.body.id}`).catch(() => {});
        throw asFault(error);
      }
      toast(`${nameOf(shift.person)} and ${nameOf(other.person)} have swapped.`);
      close();
    },
  });
  const nowMs = now.value;
  const textOf = ({ person, startMs, endMs }: Shift) =>
    `${nameOf(person)}, ${momentText(Math.max(startMs, openedMs), nowMs)} – ${momentText(endMs, nowMs)}`;
  return (
    <Dialog title="Swap shifts">
      {around.data !== undefined && others.length === 0 ? (
        <p>Nobody else of {shift.teamName} has a shift in the next 60 days.</p>
      ) : (
        <Form form={form} action="Swap" onCancel={close}>
          <p>
            <strong>{textOf(own)}</strong>
          </p>
          <Field name="other" label="In exchange for" hint="Two overrides are made; each can be removed on its own.">
            {(control) => (
              <Select
                control={{ ...control, value: control.value || others[0]?.key }}
                options={others.map((other) => ({ value: other.key, label: textOf(other) }))}
              />
            )}
          </Field>
          <Field name="reason" label="Reason (optional)" />
        </Form>
      )}
    </Dialog>
  );
}
