import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { useState } from 'preact/hooks';
import type {
  OnCallShiftView,
  Override,
  Schedule,
} from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { asFault, faultOfField } from '../../data/api-fault.js';
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
import { gapSentence, nameOf, type Shift } from './people.js';
import { plannedShifts } from './planned-shifts.js';
import { AskDialog } from './swaps.js';

interface ShiftDialogProps {
  shift: Shift;
  team: Team | undefined;
  isRestricted: boolean;
  onOverride: () => void;
}

/** A shift or a gap, and what can be done with it. */
export function ShiftDialog({ shift, team, isRestricted, onOverride }: ShiftDialogProps) {
  const close = useClose();
  const schedule = useResource<Pick<Schedule, 'overrides'>>(shift.isOverride ? shift.schedulePath : null);
  const override = schedule.data?.overrides.filter((each) => isSource(each, shift)).at(-1);
  const mayChange = hasRole('Admin') && !isRestricted && shift.endMs > now.value;
  const leads = team?.members.filter(({ teamRole }) => teamRole === 'lead').map(nameOf);
  const remove = () => {
    if (override === undefined) return;
    change('DELETE', `${shift.schedulePath}/overrides/${override.id}`).then(() => {
      toast('The override is gone: the rotation counts again.');
      close();
    }, toastFault);
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
      {team && shift.isMine && !shift.isOverride && shift.startMs > now.value && (
        <Button text="Ask somebody to take it" onClick={() => show(<AskDialog shift={shift} team={team} />)} />
      )}
      {mayChange ? (
        <div class="row">
          <Button text="Add override" look="primary" onClick={onOverride} />
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

const AHEAD_MS = 60 * DAY_MS;
const BEHIND_MS = 31 * DAY_MS;

/** Exchanges two shifts of a team: each of the two people is put on call for the time of the other. */
function SwapDialog({ shift }: { shift: Shift }) {
  const close = useClose();
  const [openedMs] = useState(() => Math.floor(now.peek() / MINUTE_MS) * MINUTE_MS);
  // The calendar cuts shifts at its ends; these are whole.
  const around = useResource<OnCallShiftView[]>(`${shift.schedulePath}/preview`, {
    startDate: new Date(Math.max(shift.startMs, openedMs) - BEHIND_MS).toISOString(),
    endDate: new Date(Math.max(shift.startMs, openedMs) + AHEAD_MS).toISOString(),
  });
  const all = plannedShifts(shift, around.data ?? []);
  const own = all.find(({ startMs, endMs }) => startMs <= shift.startMs && endMs > shift.startMs) ?? shift;
  const others = all.filter(
    ({ person, endMs }) => person !== null && person.userId !== shift.person!.userId && endMs > openedMs,
  );
  const form = useForm({
    initial: { other: '', reason: '' },
    onSubmit: async (values) => {
      const other = others.find(({ key }) => key === (values.other || others[0]?.key));
      if (other === undefined) throw faultOfField('other', 'It is planned no more. Choose another shift.');
      const path = `${shift.schedulePath}/overrides`;
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
        <Form form={form} action="Swap" onCancel={close} needs={[around]}>
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
