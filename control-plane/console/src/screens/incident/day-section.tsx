import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { RegionTimelines } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useComputed } from '@preact/signals';
import { now } from '../../data/clock.js';
import { incidentSpans } from '../../data/incident-spans.js';
import { useMarks } from '../../data/marks.js';
import { useResource } from '../../data/resources.js';
import { LatencyChart } from '../../parts/latency-chart.js';
import { Section } from '../../parts/section.js';
import { StateBar } from '../../parts/state-bar.js';
import { Time } from '../../parts/marks.js';
import { DAY_STEPS, dayAround, latencyOf } from './day-around.js';

/** The 24 hours around an incident: each region, and the latency. Shows nothing where the monitor is deleted. */
export function DayAround(props: {
  incident: { monitorId: string; started: string; ended: string | null; failureReason: string };
  places: Readonly<Record<string, string>>;
}) {
  const { monitorId, started, ended } = props.incident;
  const endDate = useComputed(() => dayAround({ started, ended }, now.value).endDate).value;
  const day = dayAround({ started, ended }, Date.parse(endDate));
  const path = `/api/v1/monitor/${monitorId}`;
  const bars = useResource<RegionTimelines>(`${path}/region-timelines`, { ...day, steps: DAY_STEPS });
  const latency = useResource<Latency>(`${path}/latency`, { ...day, points: DAY_STEPS });
  const marks = useMarks(useResource<MonitorView>(path).data?.tags, day);
  if (bars.data === undefined || bars.data.regions.every(({ states }) => /^[-n]*$/.test(states))) return null;
  const { regions, periodStart, periodEnd, stepSeconds } = bars.data;
  const points = latency.data?.series ?? [];
  return (
    <Section title="The day around it">
      <div class="card card-body stack">
        <div class="lines one-column gap-2">
          {regions.map(({ region, states }) => (
            <div key={region} class="incident-bar lines center">
              <span class="soft small">{props.places[region]}</span>
              <StateBar
                bar={{ start: periodStart, stepSeconds, states }}
                label={props.places[region]!}
                isFocusable
                marks={marks}
              />
            </div>
          ))}
          <p class="row between soft small">
            <Time at={periodStart} as="moment" />
            <span>
              Incident from <Time at={started} as="moment" />
              {ended !== null && <Time at={ended} as="moment" before=" to " />}
            </span>
            <Time at={periodEnd} as="moment" />
          </p>
        </div>
        {points.length > 0 && (
          <LatencyChart
            series={latencyOf(points, day)}
            label="Latency in the day around it"
            annotations={[...incidentSpans([props.incident], now.value), ...marks]}
          />
        )}
      </div>
    </Section>
  );
}
