import { show, ask } from '../../parts/dialog.js';
import { useDelete } from '../../parts/use-delete.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  ActionGroupView,
  GroupMonitor,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/channels/samples/message-preview-schemas';
import type { DeliveryView, TestResult } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useKeys } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { FaultNote, Loaded } from '../../parts/loaded.js';
import { countText } from '../../parts/format.js';
import { Destinations, Uses } from './channel-parts.js';
import { ChannelEditor, SecretDialog } from './channel-form.js';
import { ChannelMessages } from './channel-messages.js';
import { DeliveryState, DeliveryTable } from './delivery-table.js';
import { outcomeText } from './group-text.js';
import { useChannels } from './use-channels.js';

/** The API sends a test to up to fifty mailboxes before it answers. */
const TEST_DEADLINE_MS = 65_000;
const SHOWN_MONITORS = 100;
const SHOWN_DELIVERIES = 10;

/** A channel: where it sends to, whether it arrives, and who uses it. A new one is tested at once. */
export function Channel({ id, isNew }: { id: string; isNew: boolean }) {
  const read = useResource<ActionGroupView>(`/api/v1/action-groups/${id}`);
  const monitors = useResource<GroupMonitor[]>(`/api/v1/action-groups/${id}/monitors`, { pageSize: SHOWN_MONITORS });
  const deliveries = useResource<DeliveryView[]>('/api/v1/deliveries', {
    actionGroupId: id,
    pageSize: SHOWN_DELIVERIES,
  });
  const messages = useResource<MessagePreview[]>(`/api/v1/action-groups/${id}/messages`);
  const channels = useChannels();
  const channel = read.data && channels.of(read.data.type);
  const askToDelete = useDelete();
  const [test, setTest] = useState<{ isBusy?: boolean; result?: TestResult; fault?: ApiFault }>({});
  const isSending = useRef(false);
  const mayChange = hasRole('Editor');

  const send = () => {
    // Two presses may come before the first is shown.
    if (!mayChange || isSending.current) return;
    isSending.current = true;
    setTest({ isBusy: true });
    change<TestResult>('POST', `/api/v1/action-groups/${id}/test`, { deadlineMs: TEST_DEADLINE_MS })
      .then(
        ({ body }) => setTest({ result: body }),
        (error: unknown) => setTest({ fault: asFault(error) }),
      )
      .finally(() => (isSending.current = false));
  };
  useEffect(() => {
    if (isNew) send();
  }, []);
  useKeys([{ key: 's', label: 'Send a test', run: send }]);
  const rotate = () =>
    ask({
      title: 'Rotate the signing secret',
      action: 'Make a new secret',
      isDanger: false,
      consequences: ['The former secret signs messages too for 24 hours; after that, only the new one.'],
      onConfirm: async () => {
        const { body } = await change<{ secret: string }>('POST', `/api/v1/action-groups/${id}/rotate-secret`);
        show(<SecretDialog secret={body.secret} isRotated />);
      },
    });
  const remove = ({ name, monitorCount }: ActionGroupView) =>
    askToDelete({
      name,
      path: `/api/v1/action-groups/${id}`,
      etag: read.etag,
      back: pathTo('/alerts'),
      typedName: name,
      consequences: [
        monitorCount === 0
          ? 'No monitor uses it.'
          : `${countText(monitorCount, 'monitor')} no longer ${monitorCount === 1 ? 'alerts' : 'alert'} by it.`,
        'It leaves the defaults of the workspace, so new monitors do not get it.',
        'Messages that wait to be sent are cancelled.',
      ],
    });

  // What comes first must not move when what is above it comes.
  const pending = [read, channels.read, monitors, messages, deliveries].find(
    ({ data, fault }) => data === undefined && fault === undefined,
  );
  return (
    <Loaded of={pending ? { ...read, data: undefined } : read} rows={8}>
      {(group) => (
        <div class="stack">
          <header class="section-head end">
            <div>
              <a class="small" href={pathTo('/alerts')}>
                All channels
              </a>
              <h2 class="alerts-name above-1">
                {group.name} <span class="chip">{channels.nameOf(group.type)}</span>
                {!group.isEnabled && <span class="chip">disabled</span>}
              </h2>
            </div>
            {mayChange && (
              <div class="row">
                <Button
                  text={test.isBusy ? 'Sending …' : 'Send a test'}
                  look="primary"
                  isBusy={test.isBusy === true}
                  onClick={send}
                />
                {channel && (
                  <Button
                    text="Edit"
                    icon="edit"
                    onClick={() => show(<ChannelEditor group={group} channel={channel} />)}
                  />
                )}
                {channel?.signed && <Button text="Rotate the secret" icon="refresh" onClick={rotate} />}
                <Button icon="trash" label="Delete the channel" onClick={() => remove(group)} />
              </div>
            )}
          </header>
          <div aria-live="polite" class="stack">
            {test.fault && <FaultNote fault={test.fault} />}
            {test.result && <TestAnswer result={test.result} />}
          </div>
          {channel && <Destinations group={group} channel={channel} mayChange={mayChange} />}
          <section>
            <div class="section-head">
              <h3>Used by {countText(monitors.total ?? group.monitorCount, 'monitor')}</h3>
            </div>
            <Loaded of={monitors}>{(used) => <Uses group={group} monitors={used} mayChange={mayChange} />}</Loaded>
          </section>
          <ChannelMessages read={messages} />
          <section>
            <div class="section-head">
              <h3>Last deliveries</h3>
              <a href={pathTo('/alerts', { tab: 'deliveries', actionGroupId: id })}>All {deliveries.total ?? ''}</a>
            </div>
            <Loaded of={deliveries}>
              {(rows) =>
                rows.length === 0 ? (
                  <p class="soft">Nothing was sent by this channel yet. Send a test to see that it arrives.</p>
                ) : (
                  <DeliveryTable rows={rows} />
                )
              }
            </Loaded>
          </section>
        </div>
      )}
    </Loaded>
  );
}

/** What each destination answered. */
function TestAnswer({ result: { delivered, deliveries } }: { result: TestResult }) {
  return (
    <div class={delivered ? 'note note-available' : 'note note-unavailable'}>
      <p>
        <strong>{delivered ? 'The test was delivered.' : 'The test did not arrive everywhere.'}</strong>
      </p>
      <ul class="alerts-answers">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="wrap gap-0-3">
            <DeliveryState state={delivery.state} />
            <span>{delivery.destination}</span>
            <span class="soft">
              {delivery.statusCode !== null && <span class="num">{delivery.statusCode} · </span>}
              {outcomeText(delivery)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
