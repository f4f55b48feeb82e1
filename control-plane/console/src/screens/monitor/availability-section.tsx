import type { Availability } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { RegionTimelines } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { Button } from '../../parts/button.js';
import { FaultNote, Skeleton } from '../../parts/loaded.js';
import { clockText, durationText, localText, momentText, percentText } from '../../parts/format.js';
import { timeTicks } from '../../parts/plot.js';
import { Section } from '../../parts/section.js';
import type { Slot } from '../../parts/slots.js';
import { StateBar } from '../../parts/state-bar.js';
import { Time } from '../../parts/marks.js';
import { around, RANGES, type Range } from './range.js';
import { uptimeMeaning } from './uptime-meaning.js';
import { usePlaces, useReloadAfter } from './reading.js';

const DAY_MS = 86_400_000;
/** What another range removes from the address; the results begin on their first page. */
const OTHER_RANGE = { range: undefined, from: undefined, to: undefined, page: undefined };

/** The uptime of a range, its bar, and the same of each region below it. A click on a stretch leads closer. */
export function AvailabilitySection({ monitor, range }: { monitor: MonitorView; range: Range }) {
  const placeOf = usePlaces();
  const { url, route } = useLocation();
  const path = `/api/v1/monitor/${monitor.id}`;
  const availability = useResource<Availability>(`${path}/availability`, range.query);
  const timelines = useResource<RegionTimelines>(`${path}/region-timelines`, { ...range.query, steps: range.steps });
  const latest = monitor.heartbeat === null ? monitor.lastChecked : monitor.heartbeat.lastPing;
  useReloadAfter(latest, range.name === '24h' ? availability.reload : undefined);
  useReloadAfter(latest, range.name === '24h' ? timelines.reload : undefined);
  const { data } = availability;
  const lines = timelines.data;
  const closer = (stretch: Slot) => route(addressWith(url, { ...OTHER_RANGE, ...around(stretch) }));
  const fault = availability.fault ?? timelines.fault;
  return (
    <Section title="Availability" aside={<RangePicker range={range} />}>
      <div class="card card-body stack">
        {fault !== undefined && (
          <FaultNote fault={fault} onRetry={fault === availability.fault ? availability.reload : timelines.reload} />
        )}
        {data !== undefined && (
          <div class="monitor-uptime wrap baseline gap-1-3">
            <strong class="num">{percentText(data.uptimePercentage, 3)}</strong>
            <span class="soft">
              {uptimeMeaning({ ...data, created: monitor.created, isHeartbeat: monitor.heartbeat !== null })}
            </span>
            {data.maintenanceSeconds > 0 && (
              <span class="soft">
                {durationText(data.maintenanceSeconds * 1_000)} of maintenance are left out; with them it is{' '}
                <strong class="num">{percentText(data.uptimePercentageWithMaintenance, 3)}</strong>.
              </span>
            )}
          </div>
        )}
        {lines === undefined ? (
          fault === undefined && <Skeleton rows={2} />
        ) : (
          <div class="region-grid">
            <div class="region-row lines center is-all">
              <span class="max-12 soft small">
                {lines.regions.length === 1
                  ? placeOf(lines.regions[0]!.region)
                  : monitor.heartbeat === null
                    ? 'All regions'
                    : 'Reports'}
              </span>
              <div class="bar-large">
                <StateBar
                  bar={barOf(lines, lines.states)}
                  label={`Availability of ${monitor.name}`}
                  isFocusable
                  onChoose={closer}
                />
              </div>
              {lines.regions.length > 1 && <span />}
            </div>
            {lines.regions.length > 1 &&
              lines.regions.map(({ region, states }) => {
                const own = data?.regions.find((each) => each.region === region);
                return (
                  <div key={region} class="region-row lines center">
                    <span class="max-12 soft small">{placeOf(region)}</span>
                    <StateBar
                      bar={barOf(lines, states)}
                      label={`From ${placeOf(region)}`}
                      isFocusable
                      onChoose={closer}
                    />
                    <span class="num soft region-uptime">{percentText(own?.uptimePercentage)}</span>
                  </div>
                );
              })}
            <Axis startMs={Date.parse(lines.periodStart)} endMs={Date.parse(lines.periodEnd)} />
          </div>
        )}
      </div>
    </Section>
  );
}

const barOf = ({ periodStart, stepSeconds }: RegionTimelines, states: string) => ({
  start: periodStart,
  stepSeconds,
  states,
});

/** Moments below the bars. */
function Axis({ startMs, endMs }: { startMs: number; endMs: number }) {
  const text = (ms: number) =>
    endMs - startMs <= 2 * DAY_MS ? clockText(ms) : momentText(ms, Date.now()).replace(/,.*/, '');
  return (
    <svg class="region-axis" aria-hidden="true">
      {timeTicks(startMs, endMs, 8).map((ms) => (
        <text
          key={ms}
          class="chart-label"
          x={`${((ms - startMs) / (endMs - startMs)) * 100}%`}
          y="12"
          text-anchor="middle"
        >
          {text(ms)}
        </text>
      ))}
    </svg>
  );
}

/** The ranges, each with an address; two moments make another. */
function RangePicker({ range }: { range: Range }) {
  const { url, route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const to = (params: Record<string, string>) => addressWith(url, { ...OTHER_RANGE, ...params });
  return (
    <div class="to-end lines gap-2">
      <nav class="range-choices wrap" aria-label="Range">
        {RANGES.map(({ name, label }) => (
          <a
            key={name}
            href={to(name === '24h' ? {} : { range: name })}
            aria-current={range.name === name ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
        <button
          type="button"
          aria-expanded={isOpen}
          class={range.name === 'custom' ? 'is-current' : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {range.name === 'custom' ? (
            <>
              <Time at={range.startMs} as="moment" /> – <Time at={range.endMs} as="moment" />
            </>
          ) : (
            'Custom'
          )}
        </button>
      </nav>
      {isOpen && (
        <form
          class="wrap gap-2 small end"
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const times = ['from', 'to'].map((name) => Date.parse(data.get(name) as string));
            // Also where they were entered the other way round.
            const from = Math.min(...times);
            const until = Math.max(...times, from + 60_000);
            setOpen(false);
            route(to({ from: new Date(from).toISOString(), to: new Date(until).toISOString() }));
          }}
        >
          <label>
            From
            <input class="input" type="datetime-local" name="from" required defaultValue={localText(range.startMs)} />
          </label>
          <label>
            To
            <input class="input" type="datetime-local" name="to" required defaultValue={localText(range.endMs)} />
          </label>
          <Button text="Show" type="submit" />
        </form>
      )}
    </div>
  );
}
