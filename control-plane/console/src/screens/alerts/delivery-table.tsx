import { Button, Icon, type IconName } from '../../parts/button.js';
import type {
  DeliveryDetail,
  DeliveryView,
} from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Dialog, show } from '../../parts/dialog.js';
import { Facts } from '../../parts/section.js';
import { latencyText } from '../../parts/format.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { eventText, outcomeText } from './group-text.js';
import { useChannels } from './use-channels.js';

const OUTCOMES: Readonly<Record<DeliveryDetail['attemptLog'][number]['outcome'], string>> = {
  sent: 'Sent',
  failed: 'Failed',
  unavailable: 'Server unavailable',
  rejected: 'Rejected',
  gone: 'Receiver is gone',
};

export function DeliveryTable({ rows, isStale = false }: { rows: readonly DeliveryView[]; isStale?: boolean }) {
  const channels = useChannels();
  return (
    <>
      <Table
        label="Deliveries"
        rows={rows}
        isStale={isStale}
        columns={{
          Message: (delivery) => (
            <>
              <button
                type="button"
                class="bare block row-link"
                data-row-link
                onClick={() => show(<DeliveryDialog delivery={delivery} />)}
              >
                {eventText(delivery.eventType)}
              </button>
              <Subject of={delivery} />
              <span class="soft small max-32 cut block normal">{delivery.destination}</span>
            </>
          ),
          State: { width: 'narrow', isPlain: true, cell: ({ state }) => <DeliveryState state={state} /> },
          Channel: {
            from: 768,
            cell: ({ actionGroupName, channel, userId }) => (
              <>
                {actionGroupName ?? (userId ? 'Page to a person' : 'A person')}{' '}
                <span class="soft">{channels.nameOf(channel)}</span>
              </>
            ),
          },
          Answer: { width: 'wide', from: 1024, cell: (delivery) => outcomeText(delivery) },
          Attempts: { isNumber: true, from: 1024, cell: ({ attempts }) => attempts },
          When: { isNumber: true, cell: ({ created }) => <Time at={created} /> },
        }}
      />
    </>
  );
}

/** The monitor that a message is about, which leads to the incident where there is one. */
function Subject({ of: { monitorId, monitorName, incidentId } }: { of: DeliveryView }) {
  if (monitorName === null) return null;
  const path = incidentId ? `/incidents/${incidentId}` : `/monitors/${monitorId}`;
  return (
    <a class="max-32 cut block above-2" href={pathTo(path)}>
      {monitorName}
    </a>
  );
}

/** The last attempts, oldest first. */
function Attempts({ of }: { of: DeliveryView }) {
  const { data } = useResource<DeliveryDetail>(
    of.attempts === 0 && of.nextAttempt === null ? null : `/api/v1/deliveries/${of.id}`,
  );
  if (data === undefined || data.attemptLog.length === 0) return null;
  return (
    <section>
      <h3>Attempts</h3>
      <ol class="small">
        {data.attemptLog.map(({ at, outcome, answer, statusCode, durationMs, nextAttempt }) => (
          <li key={at}>
            <Time at={at} as="second" />: <strong>{OUTCOMES[outcome]}</strong>
            {statusCode !== null && `, ${statusCode}`}
            {durationMs !== null && `, ${latencyText(durationMs)}`}. {answer}
            {nextAttempt !== null && <Time at={nextAttempt} as="second" before=" Next " after="." />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function DeliveryDialog({ delivery }: { delivery: DeliveryView }) {
  const { incidentId, monitorId, actionGroupId, actionGroupName, statusCode, attempts } = delivery;
  const channels = useChannels();
  const moments = [
    ['Queued', delivery.created],
    ['Last attempt', delivery.lastAttempt],
    ['Next attempt', delivery.nextAttempt],
    ['Finished', delivery.finished],
  ] as const;
  return (
    <Dialog title={eventText(delivery.eventType)}>
      <p>
        <DeliveryState state={delivery.state} />
      </p>
      <p>{outcomeText(delivery)}</p>
      <Facts
        facts={[
          ['About', delivery.monitorName],
          ['To', delivery.destination],
          [
            'By',
            <>
              {actionGroupId ? (
                <a href={pathTo('/alerts', { channel: actionGroupId })}>{actionGroupName}</a>
              ) : (
                'a page to a person'
              )}{' '}
              ({channels.nameOf(delivery.channel)})
            </>,
          ],
          ['Attempts', `${attempts}${statusCode === null ? '' : `, the last answered ${statusCode}`}`],
          ...moments.map(([label, at]) => [label, at && <Time at={at} as="moment" />] as const),
          ['Message id', delivery.eventId, 'mono'],
        ]}
      />
      <Attempts of={delivery} />
      <div class="row">
        {incidentId && <Button text="The incident" href={pathTo(`/incidents/${incidentId}`)} />}
        {monitorId && <Button text="The monitor" href={pathTo(`/monitors/${monitorId}`)} />}
      </div>
    </Dialog>
  );
}

const LOOKS: Record<DeliveryView['state'], { icon: IconName; look: string; word: string }> = {
  delivered: { icon: 'check', look: 'available', word: 'Delivered' },
  failed: { icon: 'close', look: 'unavailable', word: 'Failed' },
  waiting: { icon: 'clock', look: 'partial', word: 'Waiting' },
  cancelled: { icon: 'pause', look: 'unknown', word: 'Cancelled' },
};

export function DeliveryState({ state }: { state: DeliveryView['state'] }) {
  const { icon, look, word } = LOOKS[state];
  return (
    <span class={`state state-${look}`}>
      <Icon name={icon} />
      <span class="state-word">{word}</span>
    </span>
  );
}
