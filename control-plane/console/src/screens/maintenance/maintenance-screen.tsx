import type { WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { hasRole, pathTo } from '../../data/session.js';
import { Screen } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { EmptyState, NoMatch } from '../../parts/loaded.js';
import { capitalized } from '../../parts/format.js';
import { List, usePage } from '../../parts/table.js';
import { Tabs } from '../../parts/section.js';
import { Time } from '../../parts/marks.js';
import { MaintenanceCalendar } from './maintenance-calendar.js';
import { repeatText } from './repeat.js';
import { WindowState } from './window-fields.js';
import { scopeText, timeText } from './window-values.js';

const STATES = ['active', 'scheduled', 'finished'] as const;
const CALENDAR = 'calendar';

/** The maintenance windows of the workspace; the address has the state (`state=active`) and the page. */
export function MaintenanceScreen() {
  const { url, path } = useLocation();
  const state = STATES.find((each) => each === paramsOf(url).get('state'));
  const isCalendar = paramsOf(url).get('state') === CALENDAR;
  const windows = usePage<WindowView>(isCalendar ? null : '/api/v1/maintenance-windows', { state });
  const isEditor = hasRole('Editor');
  const create = isEditor && <Button text="New window" href={pathTo('/maintenance/new')} look="primary" icon="plus" />;
  return (
    <Screen
      title="Maintenance"
      receivedMs={windows.receivedMs}
      actions={create}
      lead={
        <Tabs
          label="State"
          tabs={[undefined, ...STATES, CALENDAR].map((each) => ({
            href: addressWith(url, { page: undefined, state: each, view: undefined, date: undefined }),
            label: capitalized(each ?? 'all'),
            isCurrent: each === (isCalendar ? CALENDAR : state),
          }))}
        />
      }
    >
      {isCalendar ? <MaintenanceCalendar /> : <Windows of={windows} state={state} all={path} create={create} />}
    </Screen>
  );
}

function Windows(props: {
  of: ReturnType<typeof usePage<WindowView>>;
  state: string | undefined;
  all: string;
  create: ComponentChildren;
}) {
  const { of: windows, state, all, create } = props;
  return (
    <List
      of={windows}
      none={
        state !== undefined || windows.page > 1 ? (
          <NoMatch all={all}>No maintenance window is {state}.</NoMatch>
        ) : (
          <EmptyState icon="maintenance" title="No maintenance is planned" action={create}>
            During maintenance nobody is paged and uptime is not affected.
          </EmptyState>
        )
      }
      label="Maintenance windows, newest first"
      rowHref={({ id }) => pathTo(`/maintenance/${id}`)}
      columns={{
        Name: { width: 'wide', cell: ({ name }) => name },
        State: { width: 'narrow', cell: (window) => <WindowState window={window} /> },
        Next: {
          width: 'narrow',
          cell: ({ nextOccurrence: next }) => (next ? <Time at={next.start} as="moment" /> : '–'),
        },
        Repeats: (window) => (
          <span class="lines">
            <span>{repeatText(window.recurrence)}</span>
            <span class="soft small">{timeText(window)}</span>
          </span>
        ),
        Covers: { from: 768, cell: ({ scope }) => scopeText(scope) },
      }}
    />
  );
}
