import { INCIDENT_WORDS } from '@watchpost/shared/incident-types';
import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { acknowledge } from '../../frame/acting.js';
import { hasRole, pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { useKeys, Screen } from '../../frame/screen.js';
import { Button, Icon } from '../../parts/button.js';
import { DateRange } from '../../parts/date-input.js';
import { EmptyState, NoMatch } from '../../parts/loaded.js';
import { FilterBox } from '../../parts/filter-box.js';
import { countText } from '../../parts/format.js';
import { incidentState } from '../../parts/state.js';
import { List, usePage, type Columns } from '../../parts/table.js';
import { StateMark, Duration, Time } from '../../parts/marks.js';
import { Tabs } from '../../parts/section.js';
import { FILTER_NAMES, readIncidentsQuery, SHOWN, type Shown, STATUS_WORDS, TYPE_WORDS } from './incidents-query.js';

const TAB_WORDS: Readonly<Record<Shown, string>> = { open: 'Open', closed: 'Closed', all: 'All' };

const COLUMNS: Columns<IncidentSummary> = {
  Monitor: ({ monitorName }) => monitorName,
  State: { width: 'narrow', cell: (incident) => <StateMark {...incidentState(incident)} /> },
  Cause: {
    width: 'wide',
    isPlain: true,
    cell: ({ failureReason, incidentType }) => (
      <span class="inline-wrap baseline gap-0-2">
        {incidentType !== 'Availability' && <span class="chip">{INCIDENT_WORDS[incidentType].label}</span>}
        <span>{failureReason}</span>
      </span>
    ),
  },
  Acknowledged: {
    width: 'narrow',
    from: 1024,
    cell: ({ acknowledged, isClosed }) =>
      acknowledged ? 'Yes' : isClosed ? <span class="soft">No</span> : <strong class="state-unavailable">No</strong>,
  },
  Started: { isNumber: true, cell: ({ started }) => <Time at={started} /> },
  Duration: { isNumber: true, cell: ({ started, ended }) => <Duration from={started} to={ended} /> },
};

/** All incidents: the open ones worst first, the others newest first. */
export function IncidentsScreen() {
  const { url, path, route } = useLocation();
  const { shown, filter, monitorId, from, to, query, fault } = readIncidentsQuery(paramsOf(url));
  const incidents = usePage<IncidentSummary>(fault === undefined ? '/api/v1/incident' : null, query);
  const monitor = useResource<MonitorView>(monitorId === undefined ? null : `/api/v1/monitor/${monitorId}`);
  const rows = fault === undefined ? incidents.data : [];
  const total = incidents.total ?? rows?.length ?? 0;
  const isFiltered =
    filter.search !== '' || Object.keys(filter.terms).length > 0 || monitorId !== undefined || from !== '' || to !== '';

  const hrefWith = (changes: Record<string, string | undefined>) => addressWith(url, { page: undefined, ...changes });
  useKeys([
    {
      key: 'a',
      label: 'Acknowledge the incident',
      run: (id) => {
        const incident = rows?.find((each) => each.id === id);
        if (incident && !incident.acknowledged && !incident.isClosed && hasRole('Responder'))
          void acknowledge(incident);
      },
    },
  ]);

  return (
    <Screen
      title="Incidents"
      receivedMs={incidents.receivedMs}
      lead={
        <Tabs
          label="Which incidents"
          tabs={SHOWN.map((each) => ({
            href: hrefWith({ show: each === 'open' ? undefined : each }),
            label: TAB_WORDS[each],
            isCurrent: each === shown,
            count: each === shown && rows !== undefined ? total : undefined,
          }))}
        />
      }
    >
      <div class="list-tools wrap center gap-2-4 below-3 incidents-tools">
        <FilterBox
          names={FILTER_NAMES}
          label="Filter incidents"
          placeholder="Monitor or cause, type:certificate, status:investigating"
          values={{ type: TYPE_WORDS, status: STATUS_WORDS }}
        />
        <DateRange
          label="When they started"
          names={['Started from', 'Started until']}
          values={[from, to]}
          onChange={(first, last) => route(hrefWith({ from: first, to: last }), true)}
        />
        {monitorId !== undefined && (
          <a class="chip" href={hrefWith({ monitorId: undefined })} title="Show those of all monitors">
            {monitor.data?.name ?? 'One monitor'}
            <Icon name="close" />
          </a>
        )}
        <span class="unseen" role="status">
          {rows === undefined ? '' : countText(total, 'incident')}
        </span>
      </div>
      {fault !== undefined ? (
        <NoMatch all={path}>{fault}</NoMatch>
      ) : (
        <List
          of={incidents}
          room={8}
          none={
            isFiltered || incidents.page > 1 ? (
              <NoMatch all={path}>No incidents match.</NoMatch>
            ) : (
              <None shown={shown} all={hrefWith({ show: 'all' })} />
            )
          }
          label={`Incidents: ${TAB_WORDS[shown].toLowerCase()}`}
          columns={COLUMNS}
          rowHref={({ id }) => pathTo(`/incidents/${id}`)}
        />
      )}
    </Screen>
  );
}

function None({ shown, all }: { shown: Shown; all: string }) {
  if (shown === 'open') {
    return (
      <EmptyState icon="check" title="No incident is open" action={<Button text="All incidents" href={all} />}>
        An incident opens when a monitor fails, and appears here at once.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="incidents" title="There was no incident yet">
      An incident opens when a monitor fails. Its evidence is kept here.
    </EmptyState>
  );
}
