import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { UnheardMonitor } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { paramsOf } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Screen } from '../../frame/screen.js';
import { Tabs } from '../../parts/section.js';
import { AlertMe, attachGroups } from '../monitor/alerts-section.js';
import { Channel } from './channel.js';
import { ChannelForm } from './channel-form.js';
import { ChannelGallery } from './channel-gallery.js';
import { Channels, newChannelLink } from './channels.js';
import { Deliveries } from './deliveries.js';
import { useChannels } from './use-channels.js';
import { EmptyState, NotLoaded } from '../../parts/loaded.js';
import { actions, List, usePage } from '../../parts/table.js';

/** By which channels alerts go out, what was delivered, and what nobody would hear of. */
export function AlertsScreen() {
  const { url, route } = useLocation();
  const [made, setMade] = useState<string>();
  const channels = useChannels();
  const address = paramsOf(url);
  const tab = address.get('tab') ?? 'channels';
  const channelId = address.get('channel');
  const type = address.get('type') ?? '';
  const channel = channels.of(type);
  const unheard = useResource<UnheardMonitor[]>('/api/v1/alert-coverage', { pageSize: 50 });
  const lead = (
    <Tabs
      label="Alerts"
      tabs={[
        { href: pathTo('/alerts'), label: 'Channels', isCurrent: tab === 'channels' },
        { href: pathTo('/alerts', { tab: 'deliveries' }), label: 'Deliveries', isCurrent: tab === 'deliveries' },
        {
          href: pathTo('/alerts', { tab: 'coverage' }),
          label: 'Coverage',
          isCurrent: tab === 'coverage',
          count: unheard.total || undefined,
        },
      ]}
    />
  );
  return (
    <Screen title="Alerts" lead={lead} actions={tab === 'channels' && channelId === null && newChannelLink()}>
      {tab === 'deliveries' ? (
        <Deliveries address={address} />
      ) : tab === 'coverage' ? (
        <Coverage />
      ) : channelId === 'new' ? (
        channels.read.data === undefined ? (
          <NotLoaded of={channels.read} rows={8} />
        ) : channel === undefined ? (
          <ChannelGallery />
        ) : (
          <ChannelForm
            key={type}
            channel={channel}
            onMade={(id) => {
              setMade(id);
              route(pathTo('/alerts', { channel: id }), true);
            }}
          />
        )
      ) : channelId !== null ? (
        <Channel key={channelId} id={channelId} isNew={made === channelId} />
      ) : (
        <Channels coverage={unheard} />
      )}
    </Screen>
  );
}

/** The monitors of which nobody would hear. */
function Coverage() {
  const monitors = usePage<UnheardMonitor>('/api/v1/alert-coverage');
  return (
    <>
      {monitors.data !== undefined && monitors.data.length > 0 && (
        <p class="below-4">If one of these monitors failed now, nobody would be notified.</p>
      )}
      <List
        of={monitors}
        room={6}
        none={
          <EmptyState icon="check" title="Somebody would hear of every outage">
            Each enabled monitor notifies a channel, or pages somebody who can be reached now.
          </EmptyState>
        }
        label="Monitors that nobody would hear of"
        rowKey={({ monitorId }) => monitorId}
        rowHref={({ monitorId }) => pathTo(`/monitors/${monitorId}`)}
        columns={{
          Monitor: ({ name }) => name,
          Why: { width: 'wide', isPlain: true, cell: ({ why }) => why },
          ...(hasRole('Editor') &&
            actions<UnheardMonitor>(({ monitorId }) => <AlertMe onMade={(id) => attachGroups(monitorId, [id], [])} />)),
        }}
      />
    </>
  );
}
