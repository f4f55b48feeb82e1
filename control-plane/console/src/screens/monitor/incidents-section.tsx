import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { incidentState } from '../../parts/state.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { StateMark, Duration, Time } from '../../parts/marks.js';
import { Table, type Columns } from '../../parts/table.js';

const SHOWN = 5;

export function IncidentsSection({ monitorId }: { monitorId: string }) {
  const incidents = useResource<IncidentSummary[]>(`/api/v1/monitor/${monitorId}/incident`, { pageSize: SHOWN });
  const { total } = incidents;
  const columns: Columns<IncidentSummary> = {
    Reason: ({ failureReason }) => failureReason,
    State: { width: 'narrow', cell: (incident) => <StateMark {...incidentState(incident)} /> },
    Began: { width: 'narrow', cell: ({ started }) => <Time at={started} as="moment" /> },
    Duration: { isNumber: true, cell: ({ started, ended }) => <Duration from={started} to={ended} /> },
  };
  return (
    <Section
      title="Incidents"
      aside={total !== null && total > SHOWN && <a href={pathTo('/incidents', { monitorId })}>All {total} incidents</a>}
    >
      <Loaded of={incidents} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="card card-body soft">No incidents.</p>
          ) : (
            <Table
              label="Incidents, newest first"
              rows={rows}
              columns={columns}
              rowHref={({ id }) => pathTo(`/incidents/${id}`)}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
