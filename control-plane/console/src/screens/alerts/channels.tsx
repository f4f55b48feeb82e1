import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { LatestDeliveries } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { hasRole, pathTo } from '../../data/session.js';
import { type ResourceView, useResource } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { EmptyState, Skeleton } from '../../parts/loaded.js';
import { countText } from '../../parts/format.js';
import { List, usePage } from '../../parts/table.js';
import { Time } from '../../parts/marks.js';
import { DeliveryState } from './delivery-table.js';
import { destinationText, outcomeText, silentRecipients } from './group-text.js';
import { useChannels } from './use-channels.js';

export function Channels({ coverage }: { coverage: ResourceView<unknown[]> }) {
  const channels = useChannels();
  const groups = usePage<ActionGroupView>('/api/v1/action-groups');
  const latest = useResource<LatestDeliveries[]>(groups.data?.length ? '/api/v1/deliveries/latest' : null, {
    actionGroupId: groups.data?.map(({ id }) => id) ?? [],
  });
  // What is above the list is known before the list is shown, so that it stays where it is.
  if (coverage.data === undefined && coverage.fault === undefined) return <Skeleton rows={6} />;
  const unheard = coverage.total ?? 0;
  return (
    <>
      {unheard > 0 && groups.data !== undefined && groups.data.length > 0 && (
        <p class="note note-partial below-4">
          <span>
            {unheard === 1
              ? 'Nobody would hear of an outage of 1 monitor.'
              : `Nobody would hear of outages of ${unheard} monitors.`}{' '}
            <a href={pathTo('/alerts', { tab: 'coverage' })}>See which</a>
          </span>
        </p>
      )}
      <List
        of={groups}
        room={6}
        none={
          <EmptyState icon="alerts" title="No channel yet" action={newChannelLink()}>
            A channel sends alerts of monitors to people, a chat or a webhook. Without one, only people on call hear of
            an outage.
          </EmptyState>
        }
        label="Channels"
        rowHref={({ id }) => pathTo('/alerts', { channel: id })}
        columns={{
          Name: (group) => <Name group={group} />,
          Type: { width: 'narrow', cell: ({ type }) => channels.nameOf(type) },
          'Last delivery': {
            width: 'wide',
            cell: ({ id }) => <Latest of={latest.data?.find(({ actionGroupId }) => actionGroupId === id)} />,
          },
          'Used by': {
            isNumber: true,
            cell: ({ monitorCount }) =>
              monitorCount === 0 ? <span class="state-partial">no monitor</span> : countText(monitorCount, 'monitor'),
          },
        }}
      />
    </>
  );
}

/** Leads to a new channel. @returns false for those who may not make one */
export function newChannelLink() {
  return (
    hasRole('Editor') && (
      <Button text="New channel" href={pathTo('/alerts', { channel: 'new' })} icon="plus" look="primary" />
    )
  );
}

function Name({ group }: { group: ActionGroupView }) {
  const channels = useChannels();
  const { pending, refused } = silentRecipients(group);
  return (
    <>
      {group.name}
      {!group.isEnabled && <span class="chip">disabled</span>}
      {pending.length > 0 && <span class="chip chip-partial">{pending.length} not confirmed</span>}
      {refused.length > 0 && <span class="chip chip-unavailable">{refused.length} refused</span>}
      <span class="soft small max-32 cut block normal">{destinationText(group, channels.of(group.type))}</span>
    </>
  );
}

function Latest({ of }: { of: LatestDeliveries | undefined }) {
  if (of === undefined) return <span class="soft">…</span>;
  const { latest, latestFailed } = of;
  if (latest === null) return <span class="soft">Nothing yet</span>;
  const isFailing = latest.state === 'failed' || (latest.state === 'waiting' && latest.attempts > 0);
  return (
    <div class="lines">
      <span>
        <DeliveryState state={latest.state} /> <Time at={latest.lastAttempt ?? latest.created} />
      </span>
      {isFailing && <span class="small">{outcomeText(latest)}</span>}
      {!isFailing && latestFailed && (
        <Time
          at={latestFailed.lastAttempt ?? latestFailed.created}
          class="soft small"
          before="Failed "
          after={`: ${outcomeText(latestFailed)}`}
        />
      )}
    </div>
  );
}
