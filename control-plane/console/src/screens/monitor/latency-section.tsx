import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { type PhaseName, PHASES } from '@watchpost/shared/design/phases';
import { HEAT_LEVELS } from '@watchpost/shared/design/plot';
import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { ExportMenu } from '../../parts/export-menu.js';
import { Facts, Tabs } from '../../parts/section.js';
import { latencyText, percentText } from '../../parts/format.js';
import { LatencyChart, type LatencySeries } from '../../parts/latency-chart.js';
import { FaultNote, NotLoaded } from '../../parts/loaded.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { evenSeries } from '@watchpost/shared/design/even-series';
import { HeatStrip } from '../../parts/state-bar.js';
import type { Stretch } from '../../parts/time-cursor.js';
import { BesideChoice, POINTS, useBeside } from './beside.js';
import { useAnnotations } from './annotations.js';
import { exactly, OTHER_RANGE, type Range } from './range.js';
import { usePlaces, useReloadAfter } from './reading.js';

const LINES = ['p50', 'p95', 'p99'] as const;
/** A token is fetched now and then, which is no part of the others. */
const PHASE_NAMES = ['dns', 'connect', 'tls', 'firstByte', 'transfer'] as const satisfies readonly PhaseName[];
const COLUMNS = ['time', ...LINES, 'average', 'checks'] as const;

/** Shows how long successful checks take, and how many packets of pings were lost: of all regions, or of the one that the address names (`region=…`). */
export function LatencySection({ monitor, range }: { monitor: MonitorView; range: Range }) {
  const placeOf = usePlaces();
  const { url, route } = useLocation();
  const named = paramsOf(url).get('region');
  const latency = useResource<Latency>(`/api/v1/monitor/${monitor.id}/latency`, { ...range.query, points: POINTS });
  useReloadAfter(monitor.lastChecked, range.name === '24h' ? latency.reload : undefined);
  const annotations = useAnnotations(monitor, range);
  const frame = useRef<HTMLDivElement>(null);
  const { data } = latency;
  const beside = useBeside(monitor, range, data);
  if (data === undefined) return <NotLoaded of={latency} rows={6} />;
  const own = data.regions.find(({ region }) => region === named);
  const shown = own ?? data;
  const { packets } = shown;
  const hasPhases = own === undefined && Object.values(data.phases).some((ms) => ms !== null && ms > 0);
  const lost = evenSeries(packets?.series ?? [], range, ['lossPercent']);
  const of = `of ${monitor.name} from ${own ? placeOf(own.region) : 'all regions'}`;
  const closer = (stretch: Stretch) => route(addressWith(url, { ...OTHER_RANGE, ...exactly(stretch) }));
  const common = { axis: range, annotations, onZoom: closer };
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
      <div class="row between">
        <Facts
          look="figures"
          facts={[
            own === undefined && ['p50', latencyText(data.p50)],
            ['p95', latencyText(shown.p95)],
            ['p99', latencyText(shown.p99)],
            ['Average', latencyText(shown.average)],
            packets !== null && ['Packets lost', percentText(packets.lossPercent)],
          ]}
        />
        <ExportMenu
          name={`Latency ${of}`}
          of={frame}
          rows={() => rowsOf(shown.series, own === undefined ? data.series : [])}
        />
      </div>
      <BesideChoice monitor={monitor} hasRegions={data.regions.length > 1} />
      {beside.fault !== undefined && <FaultNote fault={beside.fault} />}
      <div class="region-grid" ref={frame}>
        <div class="region-row lines">
          <span class="soft small">Successful checks</span>
          <LatencyChart
            series={{ ...evenSeries(shown.series, range, LINES), others: beside.lines }}
            label={`Latency ${of}`}
            {...common}
          />
        </div>
        {own === undefined && data.regions.length > 1 && (
          <Heatmap regions={data.regions} range={range} onZoom={closer} />
        )}
        {hasPhases && (
          <div class="region-row lines">
            <span class="soft small">Average by phase</span>
            <LatencyChart series={phasesOf(data.series, range)} label={`Phases ${of}`} {...common} />
          </div>
        )}
        {packets !== null && (
          <div class="region-row lines">
            <span class="soft small">Packets lost</span>
            <LatencyChart
              series={{ start: lost.start, stepSeconds: lost.stepSeconds, lost: lost.lossPercent }}
              label={`Packets lost ${of}`}
              text={percentText}
              {...common}
            />
          </div>
        )}
      </div>
      {hasPhases && (
        <div>
          <h3 class="below-2 soft small">Average time per phase</h3>
          <PhaseBar phases={data.phases} />
        </div>
      )}
    </div>
  );
}

/** The p95 of each region over time, the darker, the slower, with the bounds of the colours. */
function Heatmap(props: { regions: Latency['regions']; range: Range; onZoom: (stretch: Stretch) => void }) {
  const { regions, range, onZoom } = props;
  const placeOf = usePlaces();
  const values = regions.flatMap(({ series }) => series.map(({ p95 }) => p95));
  if (values.length === 0) return null;
  const bounds = { least: Math.min(...values), greatest: Math.max(...values) };
  return (
    <>
      {regions.map(({ region, series, p95 }) => {
        const { start, stepSeconds, p95: points } = evenSeries(series, range, ['p95']);
        return (
          <div key={region} class="region-row lines center">
            <span class="soft small">{placeOf(region)}</span>
            <HeatStrip
              startMs={Date.parse(start)}
              stepMs={stepSeconds * 1_000}
              points={points}
              bounds={bounds}
              axis={range}
              label={`p95 from ${placeOf(region)}`}
              onZoom={onZoom}
            />
            <span class="num soft region-uptime">{latencyText(p95)}</span>
          </div>
        );
      })}
      <div class="region-row lines">
        <span />
        <span class="row gap-2 soft small">
          p95 {latencyText(bounds.least)}
          <svg class="heat-scale" viewBox={`0 0 ${HEAT_LEVELS} 1`} preserveAspectRatio="none" aria-hidden="true">
            {Array.from({ length: HEAT_LEVELS }, (_, level) => (
              <rect key={level} class={`heat-${level}`} x={level} width="1" height="1" />
            ))}
          </svg>
          {latencyText(bounds.greatest)}
        </span>
      </div>
    </>
  );
}

type Points = Latency['series'];

/** The phases over time, in the order in which they happen; those that never do are left out. */
function phasesOf(points: Points, range: Range): LatencySeries {
  const flat = points.map(({ time, phases }) => ({ time, ...phases }));
  const names = PHASE_NAMES.filter((name) => points.some(({ phases }) => (phases[name] ?? 0) > 0));
  const { start, stepSeconds, ...lines } = evenSeries(flat, range, names);
  const parts = PHASES.flatMap(([name, word, color]) =>
    name !== 'auth' && names.includes(name) ? [{ name: word, color, points: lines[name] }] : [],
  );
  return { start, stepSeconds, parts };
}

/** For a file: the names of the columns, and the values in them, ms. @param all the same points, with their phases */
function rowsOf(points: readonly Omit<Points[number], 'phases'>[], all: Points) {
  const names = all.length === 0 ? [] : PHASE_NAMES;
  return [
    [...COLUMNS, ...names],
    ...points.map((point, at) => [
      ...COLUMNS.map((name) => point[name]),
      ...names.map((name) => all[at]?.phases[name] ?? null),
    ]),
  ];
}
