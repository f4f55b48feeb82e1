import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { readHeartbeatSpans } from '../../heartbeats/index.js';
import { readCoveredTime } from '../../maintenance/index.js';
import { bucketStore } from '../rollup/bucket-store.js';
import { unpackChecks } from '../rollup/packed-results.js';
import {
  decodeOutcomes,
  type OutcomePart,
  readRecentOutcomes,
  readOutcomeCounts,
  readOutcomeParts,
  type SeriesOutcomes,
} from '../rollup/read-outcomes.js';
import { decideMinutes } from '../rollup/decide-minutes.js';
import { readInsideCounts } from '../rollup/read-inside-counts.js';
import { joinSpans, type ConclusiveCheck, type Span, spansOf } from '../rollup/span-codec.js';
import type { RegionSpan } from './decide-timeline.js';
import { countsOutside } from './read-maintenance.js';

export interface JointPeriod {
  startMs: number;
  endMs: number;
}

/** Conclusive checks of a monitor in all regions that were scheduled in a step of time. */
export interface MonitorCount {
  monitorKey: number;
  /** Start of the step, ms since the epoch. */
  startMs: number;
  healthy: number;
  unhealthy: number;
}

export interface RecentChecks extends Pick<RegionSpan, 'series' | 'advisory'> {
  checks: ConclusiveCheck[];
}

/** Decodes the spans of one monitor. Takes milliseconds where it failed every other minute of a day in many regions. */
export type DecodeSpans = () => RegionSpan[];

/**
 * The spans of many monitors, by monitor, still encoded; monitors of other workspaces have none. The number of statements
 * does not depend on the number of monitors.
 */
export async function readJointSpans(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
): Promise<Map<number, DecodeSpans>> {
  const monitors = await bucketStore.monitors(workspaceId, tx, { monitorKeys }, period);
  const byMonitor = groupByMonitor(await readOutcomeParts(tx, workspaceId, monitors, period));
  return new Map(
    [...byMonitor].map(([monitorKey, parts]) => [monitorKey, () => regionSpans(decodeOutcomes(parts, period))]),
  );
}

/** The latest checks of many monitors, by monitor. For a short period: only rows are read. */
export async function readJointRecent(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
): Promise<Map<number, RecentChecks[]>> {
  const byMonitor = groupByMonitor(await readRecentOutcomes(tx, workspaceId, monitorKeys, period));
  return new Map(
    [...byMonitor].map(([monitorKey, parts]) => [
      monitorKey,
      parts.map((part) => ({ series: seriesOf(part), advisory: part.advisory, checks: unpackChecks(part.checks!) })),
    ]),
  );
}

/** The spans of the heartbeats among these monitors, in which they are not checked: by monitor, cut to the period. */
export async function readJointTimed(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
): Promise<Map<number, Span[]>> {
  return readHeartbeatSpans(tx, workspaceId, monitorKeys, period);
}

/** The minutes of heartbeats outside ranges of time, in place of checks, in steps aligned to the epoch. */
export function minutesOutside(
  spans: readonly Span[],
  covered: readonly JointPeriod[],
  period: JointPeriod,
  stepMs: number,
): Omit<MonitorCount, 'monitorKey'>[] {
  const edges = [period.startMs, ...covered.flatMap(({ startMs, endMs }) => [startMs, endMs]), period.endMs];
  const outside = Array.from({ length: edges.length / 2 }, (_, index) => ({
    startMs: Math.max(edges[2 * index]!, period.startMs),
    endMs: Math.min(edges[2 * index + 1]!, period.endMs),
  }));
  return decideMinutes(spans, outside, stepMs).map(({ startMs, up, down }) => ({
    startMs,
    healthy: up,
    unhealthy: down,
  }));
}

/** Continues the last span of a series, if there is one, with later checks. */
export function continueSpans(last: RegionSpan | undefined, { checks, ...of }: RecentChecks): RegionSpan[] {
  return joinSpans([...(last ? [last] : []), ...spansOf(checks)]).map((span) => ({ ...span, ...of }));
}

export function regionSpans(series: readonly Omit<SeriesOutcomes, 'monitorKey'>[]): RegionSpan[] {
  return series.flatMap((own) => own.spans.map((span) => ({ ...span, series: seriesOf(own), advisory: own.advisory })));
}

/**
 * The number of healthy and unhealthy checks of many monitors outside maintenance, in steps of `stepMs` aligned to the epoch.
 * Steps of whole hours or days are read from rollups.
 * @param rowsFromMs since when single results are kept
 */
export async function readJointCounts(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: JointPeriod,
  stepMs: number,
  rowsFromMs: number,
): Promise<MonitorCount[]> {
  const monitors = await bucketStore.monitors(workspaceId, tx, { monitorKeys }, period);
  const counts = await readOutcomeCounts(tx, workspaceId, monitors, period, stepMs);
  const covered = await readCoveredTime(tx, workspaceId, monitorKeys, period);
  const inside = covered.size === 0 ? [] : await readInsideCounts(tx, workspaceId, covered, { rowsFromMs, stepMs });
  const hidden = groupBy(inside, ({ monitorKey, startMs }) => `${monitorKey} ${startMs}`);
  return counts.flatMap(({ monitorKey, startMs, ...step }) => {
    const { up: healthy, down: unhealthy } = countsOutside(step, hidden.get(`${monitorKey} ${startMs}`) ?? []);
    return healthy + unhealthy === 0 ? [] : [{ monitorKey, startMs, healthy, unhealthy }];
  });
}

function seriesOf({ kind, region }: { kind: number; region: number }): number {
  return kind * 256 + region;
}

function groupByMonitor(parts: readonly OutcomePart[]): Map<number, OutcomePart[]> {
  const byMonitor = new Map<number, OutcomePart[]>();
  for (const part of parts) {
    const own = byMonitor.get(part.monitorKey);
    if (own) own.push(part);
    else byMonitor.set(part.monitorKey, [part]);
  }
  return byMonitor;
}
