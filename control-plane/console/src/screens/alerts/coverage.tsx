import { useLocation } from 'preact-iso';
import type { UnheardMonitor } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { pageOf, paramsOf } from '../../data/address.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Loaded } from '../../parts/loaded.js';
import { Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';

export const UNHEARD_PAGE_SIZE = 50;

/** The monitors of which nobody would hear. */
export function Coverage() {
  const { url } = useLocation();
  const page = pageOf(paramsOf(url));
  const read = useResource<UnheardMonitor[]>('/api/v1/alert-coverage', {
    pageSize: UNHEARD_PAGE_SIZE,
    page: page === 1 ? undefined : page,
  });
  return (
    <Loaded of={read} rows={6}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon="check" title="Somebody would hear of every outage">
            Each enabled monitor notifies a channel, or pages somebody who can be reached now.
          </EmptyState>
        ) : (
          <>
            <p class="alerts-note">If one of these monitors failed now, nobody would be notified.</p>
            <Table
              label="Monitors that nobody would hear of"
              rows={rows}
              rowKey={({ monitorId }) => monitorId}
              rowHref={({ monitorId }) => pathTo(`/monitors/${monitorId}`)}
              isStale={read.isPrevious}
              columns={[
                { label: 'Monitor', cell: ({ name }) => name },
                { label: 'Why', width: 'wide', isPlain: true, cell: ({ why }) => why },
              ]}
            />
            <Pager page={page} pageSize={UNHEARD_PAGE_SIZE} total={read.total ?? rows.length} />
          </>
        )
      }
    </Loaded>
  );
}
