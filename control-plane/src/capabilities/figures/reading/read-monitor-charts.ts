import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { bucketStore, type JointLatencyPart, type RolledMonitor } from '../rollup/bucket-store.js';
import { decideBucketPlan } from '../rollup/decide-bucket-plan.js';
import { LatencyHistogram } from '../rollup/histogram.js';
import { addPackedTotals } from '../rollup/packed-results.js';
import type { Range } from '../rollup/decide-bucket-plan.js';
import { readOutcomeCounts, readSeriesOutcomes, type SeriesOutcomes } from '../rollup/read-outcomes.js';
import { LATENCY_KINDS } from '../rollup/packets.js';
import { keptFrom } from '../rollup/retention.js';
import { BAR_SLOTS, type MonitorChart } from './chart-schemas.js';
import { chartStore, type ChartMonitor } from './chart-store.js';
import { barSlots, decideBar } from './decide-bar.js';
import { coverTimeline, decideTimeline, decideUptime } from './decide-timeline.js';
import type { ReportDeps } from './read-availability.js';
import { regionSpans } from './read-joint-availability.js';
import { countsOutside, readMaintenance } from './read-maintenance.js';

const QUARTER_MS = 15 * MINUTE_MS;
const LATENCY_STEPS = 24;
const UPTIME_DAYS = 30;
/** Monitors whose rollups are in different states are read by separate statements, up to this many. */
const MOST_STATES = 3;

/**
 * The charts of monitors in a list, in the order of `monitorIds`; those that do not exist in the workspace are left out. The
 * number of statements does not depend on the number of monitors.
 */
export async function readMonitorCharts(
  deps: ReportDeps,
  workspaceId: string,
  monitorIds: readonly string[],
): Promise<MonitorChart[]> {
  const nowMs = deps.clock.now();
  const slots = barSlots(nowMs, QUARTER_MS, BAR_SLOTS);
  const latencyStartMs = (Math.floor(nowMs / HOUR_MS) + 1 - LATENCY_STEPS) * HOUR_MS;
  const uptimeStartMs = Math.floor((nowMs - UPTIME_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  // The checks of the bar are counted with it, and those before it by hours and days.
  const barPeriod = { startMs: Math.floor(slots.startMs / HOUR_MS) * HOUR_MS, endMs: nowMs };
  return deps.db.read(async (tx) => {
    const found = await bucketStore.monitors(workspaceId, tx, { monitorIds }, { startMs: uptimeStartMs, endMs: nowMs });
    if (found.length === 0) return [];
    const monitors = unifyStates(found);
    const keys = monitors.map(({ monitorKey }) => monitorKey);
    const about = new Map((await chartStore.monitors(workspaceId, tx, keys)).map((one) => [one.monitorKey, one]));
    const outcomes = groupBy(
      await readSeriesOutcomes(tx, workspaceId, monitors, barPeriod),
      ({ monitorKey }) => monitorKey,
    );
    const before = new Map(
      (
        await readOutcomeCounts(tx, workspaceId, monitors, { startMs: uptimeStartMs, endMs: barPeriod.startMs }, null)
      ).map((counts) => [counts.monitorKey, counts]),
    );
    const { covered, inside } = await readMaintenance(
      tx,
      workspaceId,
      keys,
      { startMs: uptimeStartMs, endMs: nowMs },
      keptFrom({ nowMs, retentionDays: deps.retentionDays }).rowsFromMs,
    );
    const hidden = groupBy(inside, ({ monitorKey }) => monitorKey);
    const latency = groupBy(
      await readLatencyParts(tx, workspaceId, monitors, { startMs: latencyStartMs, endMs: nowMs }),
      ({ monitorKey }) => monitorKey,
    );
    const histogram = new LatencyHistogram();
    const keyOf = new Map(monitors.map(({ monitorId, monitorKey }) => [monitorId, monitorKey]));
    return [...new Set(monitorIds)].flatMap((monitorId): MonitorChart[] => {
      const monitorKey = keyOf.get(monitorId);
      if (monitorKey === undefined) return [];
      const own = outcomes.get(monitorKey) ?? [];
      const sum = (of: 'up' | 'down') =>
        own.reduce((total, series) => total + series[of], before.get(monitorKey)?.[of] ?? 0);
      const { up, down } = countsOutside({ up: sum('up'), down: sum('down') }, hidden.get(monitorKey) ?? []);
      return [
        {
          monitorId,
          bar: {
            start: new Date(slots.startMs).toISOString(),
            stepSeconds: QUARTER_MS / 1_000,
            states: barOf(own, covered.get(monitorKey) ?? [], about.get(monitorKey), slots, nowMs),
          },
          latency: {
            start: new Date(latencyStartMs).toISOString(),
            stepSeconds: HOUR_MS / 1_000,
            p95: p95Of(latency.get(monitorKey) ?? [], histogram),
          },
          uptime30Days: decideUptime(up, down),
        },
      ];
    });
  });
}

function barOf(
  series: readonly SeriesOutcomes[],
  covered: readonly Range[],
  monitor: ChartMonitor | undefined,
  slots: ReturnType<typeof barSlots>,
  nowMs: number,
): string {
  const spans = regionSpans(series);
  const firstResultMs = spans.reduce<number | null>(
    (first, { startMs }) => (first === null ? startMs : Math.min(first, startMs)),
    null,
  );
  const timeline = coverTimeline(decideTimeline(spans, slots.startMs, nowMs), covered);
  return decideBar(timeline, slots, monitor && { ...monitor, firstResultMs });
}

/** @param histogram is emptied, and used for one step after the other */
function p95Of(parts: readonly JointLatencyPart[], histogram: LatencyHistogram): (number | null)[] {
  const steps = groupBy(parts, ({ step }) => step);
  return Array.from({ length: LATENCY_STEPS }, (_, step) => {
    const own = steps.get(step);
    if (!own) return null;
    histogram.clear();
    const bounds = { minUs: Infinity, maxUs: 0 };
    for (const { histogram: encoded, totals, minUs, maxUs } of own) {
      if (encoded) histogram.addEncoded(encoded);
      if (totals) addPackedTotals(histogram, totals);
      bounds.minUs = Math.min(bounds.minUs, minUs);
      bounds.maxUs = Math.max(bounds.maxUs, maxUs);
    }
    const [p95] = histogram.quantiles([0.95], bounds);
    return p95 === undefined ? null : Math.round(p95 / 10) / 100;
  });
}

/** The durations of successful checks by monitor and hour from the start of the period on, which is a whole hour. */
export async function readLatencyParts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
): Promise<JointLatencyPart[]> {
  const parts: JointLatencyPart[] = [];
  for (const own of byState(monitors).values()) {
    const plan = decideBucketPlan(period, own[0]!, 'hour');
    const query = { monitorKeys: own.map(({ monitorKey }) => monitorKey), kinds: LATENCY_KINDS, plan };
    parts.push(
      ...(await bucketStore.jointLatency(workspaceId, tx, query, { originMs: period.startMs, stepMs: HOUR_MS })),
    );
  }
  return parts;
}

/** Nearly always all monitors are in one state. Reading rows where a rollup would do is slower and equally right. */
function unifyStates(monitors: readonly RolledMonitor[]): readonly RolledMonitor[] {
  if (byState(monitors).size <= MOST_STATES) return monitors;
  const dirty = new Map(
    monitors.flatMap(({ dirtyBuckets }) => dirtyBuckets).map((bucket) => [`${bucket.startMs} ${bucket.isDay}`, bucket]),
  );
  const dirtyBuckets = [...dirty.values()];
  return monitors.map((monitor) => ({ ...monitor, dirtyBuckets }));
}

function byState(monitors: readonly RolledMonitor[]): Map<string, RolledMonitor[]> {
  const groups = new Map<string, RolledMonitor[]>();
  for (const monitor of monitors) {
    const key = JSON.stringify([monitor.closedUntilMs, monitor.dirtyBuckets]);
    const group = groups.get(key);
    if (group) group.push(monitor);
    else groups.set(key, [monitor]);
  }
  return groups;
}
