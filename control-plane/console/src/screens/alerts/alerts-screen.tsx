import { useLocation } from 'preact-iso';
import type { UnheardMonitor } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { pageOf, paramsOf } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { Screen } from '../../frame/screen.js';
import { ButtonLink } from '../../parts/button.js';
import { Tabs } from '../../parts/tabs.js';
import { Channel } from './channel.js';
import { ChannelForm } from './channel-form.js';
import { Channels } from './channels.js';
import { Coverage, UNHEARD_PAGE_SIZE } from './coverage.js';
import { Deliveries } from './deliveries.js';

/** By which channels alerts go out, what was delivered, and what nobody would hear of. */
export function AlertsScreen() {
  const { url } = useLocation();
  const address = paramsOf(url);
  const tab = address.get('tab') ?? 'channels';
  const channelId = address.get('channel');
  const unheard = useResource<UnheardMonitor[]>('/api/v1/alert-coverage', { pageSize: UNHEARD_PAGE_SIZE });
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
          ...(unheard.total ? { count: unheard.total } : {}),
        },
      ]}
    />
  );
  return (
    <Screen
      title="Alerts"
      lead={lead}
      actions={
        hasRole('Editor') &&
        tab === 'channels' &&
        channelId === null && (
          <ButtonLink href={pathTo('/alerts', { channel: 'new' })} icon="plus" look="primary">
            New channel
          </ButtonLink>
        )
      }
    >
      {tab === 'deliveries' ? (
        <Deliveries address={address} />
      ) : tab === 'coverage' ? (
        <Coverage />
      ) : channelId === 'new' ? (
        <ChannelForm />
      ) : channelId !== null ? (
        <Channel key={channelId} id={channelId} />
      ) : (
        <Channels page={pageOf(address)} unheard={unheard.total ?? 0} />
      )}
    </Screen>
  );
}
