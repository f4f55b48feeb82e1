import type { WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, pageOf, paramsOf } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/use-resource.js';
import { useKeys } from '../../frame/keys.js';
import { Screen } from '../../frame/screen.js';
import { Age } from '../../parts/age.js';
import { ButtonLink } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { capitalized } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { NoMatch } from '../../parts/nothing.js';
import { Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { repeatText } from './repeat.js';
import { WindowState } from './window-state.js';
import { scopeText, timeText } from './window-values.js';

const PAGE_SIZE = 50;
const STATES = ['active', 'scheduled', 'finished'] as const;

/** The maintenance windows of the workspace; the address has the state (`state=active`) and the page. */
export function MaintenanceScreen() {
  const { url, path, route } = useLocation();
  const params = paramsOf(url);
  const page = pageOf(params);
  const state = STATES.find((each) => each === params.get('state'));
  const windows = useResource<WindowView[]>('/api/v1/maintenance-windows', { state, page, pageSize: PAGE_SIZE });
  const isEditor = hasRole('Editor');
  const toNew = pathTo('/maintenance/new');
  useKeys(isEditor ? [{ key: 'n', label: 'New maintenance window', run: () => route(toNew) }] : []);
  const create = isEditor && (
    <ButtonLink href={toNew} look="primary" icon="plus">
      New window
    </ButtonLink>
  );
  return (
    <Screen
      title={
        <>
          Maintenance <Age receivedMs={windows.receivedMs} />
        </>
      }
      documentTitle="Maintenance"
      actions={create}
      lead={
        <Tabs
          label="State"
          tabs={[undefined, ...STATES].map((each) => ({
            href: addressWith(url, { page: undefined, state: each }),
            label: capitalized(each ?? 'all'),
            isCurrent: each === state,
          }))}
        />
      }
    >
      <Loaded of={windows} rows={4}>
        {(rows) =>
          rows.length > 0 ? (
            <>
              <Table
                label="Maintenance windows, newest first"
                rows={rows}
                rowKey={({ id }) => id}
                rowHref={({ id }) => pathTo(`/maintenance/${id}`)}
                isStale={windows.isPrevious}
                columns={[
                  { key: 'name', label: 'Name', width: 'wide', cell: ({ name }) => name },
                  { key: 'state', label: 'State', width: 'narrow', cell: (window) => <WindowState window={window} /> },
                  {
                    key: 'next',
                    label: 'Next',
                    width: 'narrow',
                    cell: ({ nextOccurrence: next }) => (next ? <Time at={next.start} as="moment" /> : '–'),
                  },
                  {
                    key: 'repeats',
                    label: 'Repeats',
                    cell: (window) => (
                      <span class="window-when">
                        <span>{repeatText(window.recurrence)}</span>
                        <span class="soft small">{timeText(window)}</span>
                      </span>
                    ),
                  },
                  { key: 'scope', label: 'Covers', from: 768, cell: ({ scope }) => scopeText(scope) },
                ]}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={windows.total ?? rows.length} />
            </>
          ) : state !== undefined || page > 1 ? (
            <NoMatch all={path}>No maintenance window is {state}.</NoMatch>
          ) : (
            <EmptyState icon="maintenance" title="No maintenance is planned" action={create}>
              During maintenance nobody is paged and uptime is not affected.
            </EmptyState>
          )
        }
      </Loaded>
    </Screen>
  );
}
