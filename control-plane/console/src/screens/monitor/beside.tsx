import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../../data/address.js';
import type { ApiFault } from '../../data/api-fault.js';
import { useResource } from '../../data/resources.js';
import { Choice } from '../../parts/inputs.js';
import type { OtherLine } from '../../parts/latency-chart.js';
import { MonitorsInput } from '../../parts/pickers.js';
import { evenSeries } from '@watchpost/shared/design/even-series';
import type { Range } from './range.js';
import { usePlaces } from './reading.js';

/** The number of points of a latency that is drawn. */
export const POINTS = 120;
/** The first colour is that of the monitor itself. */
const COLORS = [2, 3, 4, 5, 6, 7, 8];
const ID = /^[0-9a-f-]{36}$/;

/** The address names what is drawn beside the latency: `regions`, `before`, `monitor` (to be chosen), or the id of one. */
function useNamed(): string {
  return paramsOf(useLocation().url).get('beside') ?? '';
}

/** The p95 of what is compared. */
export function useBeside(
  monitor: MonitorView,
  range: Range,
  data: Latency | undefined,
): { lines: OtherLine[]; fault: ApiFault | undefined } {
  const placeOf = usePlaces();
  const named = useNamed();
  const lengthMs = range.endMs - range.startMs;
  const otherId = ID.test(named) && named !== monitor.id ? named : null;
  const readId = named === 'before' ? monitor.id : otherId;
  const latency = useResource<Latency>(readId && `/api/v1/monitor/${readId}/latency`, {
    ...(named === 'before'
      ? {
          startDate: new Date(range.startMs - lengthMs).toISOString(),
          endDate: new Date(range.startMs).toISOString(),
        }
      : range.query),
    points: POINTS,
  });
  const other = useResource<MonitorView>(otherId && `/api/v1/monitor/${otherId}`);
  const lineOf = (name: string, points: Latency['regions'][number]['series'], index: number, laterMs = 0) => {
    const moved = { startMs: range.startMs - laterMs, endMs: range.endMs - laterMs };
    const { start, stepSeconds, p95 } = evenSeries(points, moved, ['p95']);
    const color = COLORS[index % COLORS.length]!;
    return { name, color, points: p95, startMs: Date.parse(start) + laterMs, stepMs: stepSeconds * 1_000 };
  };
  const lines = () => {
    if (named === 'regions')
      return data?.regions.map(({ region, series }, index) => lineOf(`p95 from ${placeOf(region)}`, series, index));
    if (latency.data === undefined) return undefined;
    if (named === 'before') return [lineOf('p95 before', latency.data.series, 0, lengthMs)];
    return other.data && [lineOf(`p95 of ${other.data.name}`, latency.data.series, 0)];
  };
  return { lines: lines() ?? [], fault: latency.fault ?? other.fault };
}

/** Chooses what is drawn beside the latency; the address has it. */
export function BesideChoice({ monitor, hasRegions }: { monitor: MonitorView; hasRegions: boolean }) {
  const { url, route } = useLocation();
  const named = useNamed();
  const choose = (beside: string | undefined) => route(addressWith(url, { beside }), true);
  const isMonitor = named === 'monitor' || ID.test(named);
  return (
    <div class="wrap gap-2 start">
      <label class="row gap-2 small soft">
        Compare with
        <Choice
          class="auto"
          label="Compare with"
          value={isMonitor ? 'monitor' : named}
          options={[
            { value: '', label: 'nothing' },
            ...(hasRegions ? [{ value: 'regions', label: 'each region' }] : []),
            { value: 'before', label: 'the period before' },
            { value: 'monitor', label: 'another monitor' },
          ]}
          onChange={choose}
        />
      </label>
      {isMonitor && (
        <div>
          <label class="unseen" for="beside-monitor">
            The other monitor
          </label>
          <MonitorsInput
            without={monitor.id}
            control={{
              label: 'The other monitor',
              value: ID.test(named) ? [named] : [],
              set: (ids) => choose((ids as string[]).at(-1) ?? 'monitor'),
              attributes: { id: 'beside-monitor' },
            }}
          />
        </div>
      )}
    </div>
  );
}
