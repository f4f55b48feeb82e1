import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { now } from '../../data/clock.js';
import { incidentSpans } from '../../data/incident-spans.js';
import { useResource } from '../../data/resources.js';
import { Facts, Tabs } from '../../parts/section.js';
import { latencyText } from '../../parts/format.js';
import { LatencyChart } from '../../parts/latency-chart.js';
import { NotLoaded } from '../../parts/loaded.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { evenSeries } from './even-series.js';
import type { Range } from './range.js';
import { usePlaces, useReloadAfter } from './reading.js';

const POINTS = 120;
const STEP_MS = 300_000;
/** The newest are marked. */
const MOST_INCIDENTS = 100;

/** How long successful checks take: of all regions, or of the one that the address names (`region=…`). */
export function LatencySection({ monitor, range }: { monitor: MonitorView; range: Range }) {
  const placeOf = usePlaces();
  const { url } = useLocation();
  const named = paramsOf(url).get('region');
  const latency = useResource<Latency>(`/api/v1/monitor/${monitor.id}/latency`, { ...range.query, points: POINTS });
  useReloadAfter(monitor.lastChecked, range.name === '24h' ? latency.reload : undefined);
  // In whole steps, so that the address stays the same for a while.
  const startMs = Math.floor(range.startMs / STEP_MS) * STEP_MS;
  const incidents = useResource<IncidentSummary[]>(`/api/v1/monitor/${monitor.id}/incident`, {
    endedAfter: new Date(startMs).toISOString(),
    endDate: range.query.endDate,
    pageSize: MOST_INCIDENTS,
  });
  const { data } = latency;
  if (data === undefined) return <NotLoaded of={latency} rows={6} />;
  const own = data.regions.find(({ region }) => region === named);
  const shown = own ?? data;
  const to = (region?: string) => addressWith(url, { region });
  return (
    <div class="card card-body stack">
      {data.regions.length > 1 && (
        <Tabs
          label="Region"
          tabs={[
            { href: to(), label: 'All regions', isCurrent: own === undefined },
            ...data.regions.map(({ region }) => ({
              href: to(region),
              label: placeOf(region),
              isCurrent: own?.region === region,
            })),
          ]}
        />
      )}
      <Facts
        look="figures"
        facts={[
          own === undefined && ['p50', latencyText(data.p50)],
          ['p95', latencyText(shown.p95)],
          ['p99', latencyText(shown.p99)],
          ['Average', latencyText(shown.average)],
        ]}
      />
      <LatencyChart
        series={evenSeries(shown.series, range)}
        label={`Latency of ${monitor.name} from ${own ? placeOf(own.region) : 'all regions'}`}
        incidents={incidentSpans(incidents.data ?? [], now.value)}
      />
      {own === undefined && Object.values(data.phases).some((ms) => ms !== null && ms > 0) && (
        <div>
          <h3 class="below-2 soft small medium">Average time per phase</h3>
          <PhaseBar phases={data.phases} />
        </div>
      )}
    </div>
  );
}
