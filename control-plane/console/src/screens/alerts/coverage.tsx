import type { UnheardMonitor } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { pathTo } from '../../data/session.js';
import { EmptyState } from '../../parts/empty-state.js';
import { List, usePage } from '../../parts/list.js';

/** The monitors of which nobody would hear. */
export function Coverage() {
  const monitors = usePage<UnheardMonitor>('/api/v1/alert-coverage');
  return (
    <>
      {monitors.data !== undefined && monitors.data.length > 0 && (
        <p class="alerts-note">If one of these monitors failed now, nobody would be notified.</p>
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
        columns={[
          { label: 'Monitor', cell: ({ name }) => name },
          { label: 'Why', width: 'wide', isPlain: true, cell: ({ why }) => why },
        ]}
      />
    </>
  );
}
