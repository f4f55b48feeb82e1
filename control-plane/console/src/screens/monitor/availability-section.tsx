import type { Availability } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { RegionTimelines } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { DateRange } from '../../parts/date-input.js';
import { Segmented } from '../../parts/segmented.js';
import { FaultNote, Skeleton } from '../../parts/loaded.js';
import { durationText, isoOfLocal, localText, percentText } from '../../parts/format.js';
import { hasUptime } from '../../parts/has-uptime.js';
import { Section } from '../../parts/section.js';
import { slotsOf } from '../../parts/slots.js';
import { ExportMenu } from '../../parts/export-menu.js';
import { TimeAxis } from '../../parts/time-axis.js';
import type { Stretch } from '../../parts/time-cursor.js';
import { useAnnotations } from './annotations.js';
import { StateBar } from '../../parts/state-bar.js';
import { around, exactly, OTHER_RANGE, RANGES, type Range } from './range.js';
import { UptimeCalendar } from './uptime-calendar.js';
import { uptimeMeaning } from './uptime-meaning.js';
import { usePlaces, useReloadAfter } from './reading.js';

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
  const frame = useRef<HTMLDivElement>(null);
  const marks = useAnnotations(monitor, range).filter(({ kind }) => kind === 'mark');
  const closer = (stretch: Stretch) => route(addressWith(url, { ...OTHER_RANGE, ...around(stretch) }));
  const zoom = (stretch: Stretch) => route(addressWith(url, { ...OTHER_RANGE, ...exactly(stretch) }));
  const fault = availability.fault ?? timelines.fault;
  // It may have been a monitor of another type.
  const isCounted = hasUptime(monitor.monitorTypes) || (data?.totalChecks ?? 0) > 0;
  // Both together, so that what is below moves once.
  const isAwaited = fault === undefined && (data === undefined || lines === undefined);
  return (
    <Section
      title="Availability"
      aside={
        <div class="to-end wrap top gap-2">
          <ExportMenu
            name={`Availability of ${monitor.name}`}
            of={frame}
            rows={() => (lines === undefined ? [] : availabilityRows(lines, placeOf))}
          />
          <RangePicker range={range} />
        </div>
      }
    >
      <div class="card card-body stack">
        {fault !== undefined && (
          <FaultNote fault={fault} onRetry={fault === availability.fault ? availability.reload : timelines.reload} />
        )}
        {isAwaited && <Skeleton rows={4} />}
        {!isAwaited && data !== undefined && (
          <div class="monitor-uptime wrap baseline gap-1-3">
            <strong class="num">{percentText(data.uptimePercentage)}</strong>
            <span class="soft">
              {uptimeMeaning({ ...data, created: monitor.created, monitorTypes: monitor.monitorTypes })}
            </span>
            {data.maintenanceSeconds > 0 && (
              <span class="soft">
                {durationText(data.maintenanceSeconds * 1_000)} of maintenance are left out; with them it is{' '}
                <strong class="num">{percentText(data.uptimePercentageWithMaintenance)}</strong>.
              </span>
            )}
          </div>
        )}
        {!isAwaited && lines !== undefined && isCounted && (
          <div class="region-grid" ref={frame}>
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
                  onZoom={zoom}
                  marks={marks}
                />
              </div>
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
                      onZoom={zoom}
                      marks={marks}
                    />
                    <span class="num soft region-uptime">{percentText(own?.uptimePercentage)}</span>
                  </div>
                );
              })}
            <div class="region-row lines">
              <span />
              <TimeAxis startMs={range.startMs} endMs={range.endMs} marks={marks} />
            </div>
          </div>
        )}
        {!isAwaited && data !== undefined && (range.name === '90d' || range.name === '1y') && (
          <UptimeCalendar
            availability={data}
            label={`Days of ${monitor.name}`}
            sinceMs={Date.parse(monitor.created)}
            onChoose={zoom}
          />
        )}
      </div>
    </Section>
  );
}

function availabilityRows(lines: RegionTimelines, placeOf: (region: string) => string): string[][] {
  const columns = [
    ...(lines.regions.length > 1 ? [{ name: 'All regions', states: lines.states }] : []),
    ...lines.regions.map(({ region, states }) => ({ name: placeOf(region), states })),
  ];
  const slots = columns.map(({ states }) => slotsOf(barOf(lines, states)));
  return [
    ['Start', ...columns.map(({ name }) => name)],
    ...(slots[0] ?? []).map(({ startMs }, at) => [
      new Date(startMs).toISOString(),
      ...slots.map((own) => own[at]!.state),
    ]),
  ];
}

const barOf = ({ periodStart, stepSeconds }: RegionTimelines, states: string) => ({
  start: periodStart,
  stepSeconds,
  states,
});

/** The ranges, each with an address; two moments make another. */
function RangePicker({ range }: { range: Range }) {
  const { url, route } = useLocation();
  const to = (params: Record<string, string>) => route(addressWith(url, { ...OTHER_RANGE, ...params }));
  return (
    <div class="to-end lines gap-2">
      <Segmented
        label="Range"
        options={[...RANGES.map(({ name, label }) => ({ value: name, label })), { value: 'custom', label: 'Custom' }]}
        value={range.name}
        onChange={(name) => to(name === '24h' ? {} : name === 'custom' ? exactly(range) : { range: name })}
      />
      {range.name === 'custom' && (
        <DateRange
          label="Custom range"
          names={['From', 'To']}
          kind="datetime-local"
          values={[localText(range.startMs), localText(range.endMs)]}
          onChange={(from, until) => {
            // A text that is no date stays where it was typed.
            if ([from, until].some((each) => isoOfLocal(each) === each)) return;
            to(exactly({ startMs: Date.parse(isoOfLocal(from)), endMs: Date.parse(isoOfLocal(until)) }));
          }}
        />
      )}
    </div>
  );
}
