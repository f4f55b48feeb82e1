import { show } from '../../parts/dialog.js';
import type {
  ActionGroupView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { change } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { destinationText, silentRecipients, textOf } from './group-text.js';

interface DestinationsProps {
  group: ActionGroupView;
  channel: ChannelView;
  mayChange: boolean;
}

/** Where a channel sends to, and which recipients did not agree to it. */
export function Destinations({ group, channel, mayChange }: DestinationsProps) {
  const { pending, refused } = silentRecipients(group);
  if (!channel.personal) {
    return (
      <div class="card card-body">
        <p class="mono">{destinationText(group, channel)}</p>
        {channel.fields.slice(1).map(({ name, title, kind }) =>
          kind === 'headers' ? (
            Object.entries(group.headers ?? {}).map(([header, value]) => (
              <p key={header} class="mono soft">
                {header}: {value}
              </p>
            ))
          ) : (
            <p key={name} class="soft">
              {title}: <span class="mono">{textOf(group[name], kind)}</span>
            </p>
          ),
        )}
      </div>
    );
  }
  const { type, id } = group;
  const resend = (recipient: string) => {
    const body = type === 'email' ? { recipient } : { phoneNumber: recipient };
    change('POST', `/api/v1/action-groups/${type}/${id}/resend-confirmation`, { body }).then(
      () => toast(`The request was sent to ${recipient} again.`),
      toastFault,
    );
  };
  return (
    <ul class="card list divided alerts-recipients">
      {(group.recipients ?? group.phoneNumbers ?? []).map((recipient) => {
        const isPending = pending.includes(recipient);
        return (
          <li key={recipient}>
            <span class="alerts-recipient">{recipient}</span>
            {refused.includes(recipient) ? (
              <span class="chip alerts-refused" title="It refused alerts, so nothing is sent to it.">
                refused
              </span>
            ) : isPending ? (
              <>
                <span class="chip alerts-pending" title="Nothing is sent to it before it confirms.">
                  not confirmed yet
                </span>
                {mayChange && type === 'sms' && (
                  <Button text="Enter the code" onClick={() => show(<ConfirmNumber id={id} number={recipient} />)} />
                )}
                {mayChange && <Button text="Ask again" onClick={() => resend(recipient)} />}
              </>
            ) : (
              <span class="soft small">gets alerts</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ConfirmNumber({ id, number }: { id: string; number: string }) {
  return (
    <FormDialog
      title={`Confirm ${number}`}
      action="Confirm"
      initial={{ code: '' }}
      onSubmit={async ({ code }) => {
        const body = { phoneNumber: number, code };
        await change('POST', `/api/v1/action-groups/sms/${id}/confirm-recipient`, { body });
        toast(`${number} is confirmed.`);
      }}
    >
      {() => <Field name="code" label="Code" hint="The six digits of the message that was sent to the number." />}
    </FormDialog>
  );
}
