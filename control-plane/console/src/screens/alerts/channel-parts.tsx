import { show } from '../../parts/dialog.js';
import type {
  ActionGroupView,
  ChannelView,
  GroupMonitor,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import { change, useResource } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/edit-form.js';
import { Field } from '../../parts/form.js';
import { destinationField, destinationText, silentRecipients, textOf } from './group-text.js';
import { useState } from 'preact/hooks';
import { Chips } from '../../parts/section.js';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { pathTo } from '../../data/session.js';

interface DestinationsProps {
  group: ActionGroupView;
  channel: ChannelView;
  mayChange: boolean;
}

/** Where a channel sends to, and which recipients did not agree to it. */
export function Destinations({ group, channel, mayChange }: DestinationsProps) {
  const { pending, refused } = silentRecipients(group);
  if (!channel.personal) {
    const { name: destination } = destinationField(group, channel);
    const others = channel.fields.filter(({ name }) => name !== destination && (group[name] ?? null) !== null);
    return (
      <div class="card card-body">
        <p class="mono">{destinationText(group, channel)}</p>
        {others.map(({ name, title, kind }) =>
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
    <ul class="card list divided">
      {(group.recipients ?? group.phoneNumbers ?? []).map((recipient) => {
        const isPending = pending.includes(recipient);
        return (
          <li key={recipient} class="wrap center gap-2 tall-3 pad-1-4">
            <span class="fill-12">{recipient}</span>
            {refused.includes(recipient) ? (
              <span class="chip chip-unavailable" title="It refused alerts, so nothing is sent to it.">
                refused
              </span>
            ) : isPending ? (
              <>
                <span class="chip chip-partial" title="Nothing is sent to it before it confirms.">
                  not confirmed yet
                </span>
                {mayChange && group.phoneNumbers && (
                  <Button
                    text="Enter the code"
                    onClick={() => show(<ConfirmNumber type={type} id={id} number={recipient} />)}
                  />
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

function ConfirmNumber({ type, id, number }: { type: string; id: string; number: string }) {
  return (
    <FormDialog
      title={`Confirm ${number}`}
      action="Confirm"
      initial={{ code: '' }}
      onSubmit={async ({ code }) => {
        const body = { phoneNumber: number, code };
        await change('POST', `/api/v1/action-groups/${type}/${id}/confirm-recipient`, { body });
        toast(`${number} is confirmed.`);
      }}
    >
      {() => <Field name="code" label="Code" hint="The six digits of the message that was sent to the number." />}
    </FormDialog>
  );
}

export function Uses(props: { group: ActionGroupView; monitors: readonly GroupMonitor[]; mayChange: boolean }) {
  const { group, monitors, mayChange } = props;
  const [search, setSearch] = useState('');
  const found = useResource<MonitorView[]>(search.trim() === '' ? null : '/api/v1/monitor', {
    search: search.trim(),
    pageSize: 8,
  });
  const pathOf = (monitorId: string) => `/api/v1/action-groups/${group.id}/monitors/${monitorId}`;
  const others =
    search.trim() === '' ? [] : (found.data ?? []).filter(({ id }) => !monitors.some((one) => one.monitorId === id));
  return (
    <div class="stack gap-3">
      {group.attachTo.all && <p>It is attached to all monitors, also to new ones.</p>}
      {!group.attachTo.all && group.attachTo.tags.length > 0 && (
        <p class="wrap center gap-2">
          It is attached to monitors that have one of these tags: <Chips values={group.attachTo.tags} />
        </p>
      )}
      {monitors.length > 0 ? (
        <ul class="alerts-chips wrap list gap-2">
          {monitors.map(({ monitorId, name }) => (
            <li key={monitorId} class="chip">
              <a href={pathTo(`/monitors/${monitorId}`)}>{name}</a>
              {mayChange && !group.attachTo.all && (
                <Button
                  look="plain"
                  icon="close"
                  label={`Detach from ${name}`}
                  onClick={() => void change('DELETE', pathOf(monitorId)).catch(toastFault)}
                />
              )}
            </li>
          ))}
          {group.monitorCount > monitors.length && (
            <li class="soft">and {group.monitorCount - monitors.length} more</li>
          )}
        </ul>
      ) : (
        <p class="soft">No monitors use this channel yet.</p>
      )}
      {mayChange && (
        <>
          <input
            class="input max-24"
            type="search"
            placeholder="Attach a monitor: type its name"
            aria-label="Find a monitor to attach"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          {others.length > 0 && (
            <ul class="alerts-chips wrap list gap-2">
              {others.map(({ id, name }) => (
                <li key={id}>
                  <Button
                    text={name}
                    icon="plus"
                    onClick={() => {
                      setSearch('');
                      void change('POST', pathOf(id)).catch(toastFault);
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
