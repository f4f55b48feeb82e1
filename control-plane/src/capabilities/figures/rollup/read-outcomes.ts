import { AVAILABILITY_CODES, CHECK_KIND_CODES } from '@watchpost/shared/check';
import { FIRST_LOCATION_CODE, HOME_REGION, regionCode, regionOfCode } from '@watchpost/shared/region';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { readHeartbeatSpans } from '../../heartbeats/index.js';
import { readAdvisory } from '../../verdicts/index.js';
import { decideBucketPlan, joined, type BucketPlan, type Range, type RollupState } from './decide-bucket-plan.js';
import { decideMinutes, type Minutes } from './decide-minutes.js';
import type { SeriesCounts } from './inside-count-store.js';
import { unpackChecks } from './packed-results.js';
import {
  bucketStore,
  type CountPart,
  type RolledMonitor,
  type StepChecks,
  type StoredOutcome,
} from './bucket-store.js';
import { decodeSpans, encodeSpans, joinSpans, spansOf, type Span } from './span-codec.js';

/** Longer than any result is fresh: two intervals of an hour and a timeout of a minute. */
const LONGEST_FRESH_MS = 3 * HOUR_MS;

export interface SeriesOutcomes {
  monitorKey: number;
  kind: number;
  region: number;
  /** The place only advises, as it is set now. */
  advisory: boolean;
  /** Conclusive checks scheduled in the period. */
  up: number;
  down: number;
  /** In order, without overlaps; the first may begin before the period, the last end after it. */
  spans: Span[];
}

/** The outcomes of one series in one or more ranges, and whether its place only advises. */
export interface OutcomePart extends StoredOutcome {
  advisory: boolean;
}

/**
 * @param period starts on a whole hour or day where the rows, or the hours, are no longer kept
 * @param hoursFromMs since when hours are kept
 */
export async function readSeriesOutcomes(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  hoursFromMs = -Infinity,
): Promise<SeriesOutcomes[]> {
  return decodeOutcomes(await readOutcomeParts(tx, workspaceId, monitors, period, hoursFromMs), period);
}

/** The same, still encoded. Decoding a day of many monitors takes so long that callers do it in slices. */
export async function readOutcomeParts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  hoursFromMs = -Infinity,
): Promise<OutcomePart[]> {
  const parts: StoredOutcome[] = [];
  for (const { monitorKeys, state } of groupByState(monitors)) {
    const query = { monitorKeys, kinds: AVAILABILITY_CODES, plan: planWithLookback(period, state, hoursFromMs) };
    parts.push(...(await bucketStore.outcomes(workspaceId, tx, query, new Date(period.startMs))));
  }
  parts.push(...(await readTimedParts(tx, workspaceId, monitors, period)));
  return withAdvisory(tx, workspaceId, parts);
}

async function withAdvisory(tx: Tx, workspaceId: string, parts: readonly StoredOutcome[]): Promise<OutcomePart[]> {
  const seen = groupBy(
    parts.filter(({ region }) => region >= FIRST_LOCATION_CODE),
    ({ monitorKey }) => monitorKey,
  );
  const codes = new Map([...seen].map(([key, own]) => [key, [...new Set(own.map(({ region }) => region))]]));
  const advisory = codes.size === 0 ? null : await readAdvisory(workspaceId, tx, codes);
  return parts.map((part) => ({
    ...part,
    advisory: advisory?.get(part.monitorKey)?.has(regionOfCode(part.region)) ?? false,
  }));
}

/** Of heartbeats, which are not checked: minutes take the place of checks. Kinds of checks have other codes. */
export const TIMED_KIND = 0;

async function readTimedParts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
): Promise<StoredOutcome[]> {
  const keys = monitors.map(({ monitorKey }) => monitorKey);
  const spans = await readHeartbeatSpans(tx, workspaceId, keys, period);
  return [...spans].map(([monitorKey, own]) => ({
    monitorKey,
    kind: TIMED_KIND,
    region: regionCode(HOME_REGION),
    ...wholeOf(decideMinutes(own, [period], null)),
    spans: encodeSpans(own),
    checks: null,
  }));
}

/** The only step. */
function wholeOf([all]: readonly Minutes[]): { up: number; down: number } {
  return { up: all?.up ?? 0, down: all?.down ?? 0 };
}

/** The minutes of heartbeats in ranges of time, in steps of `stepMs`; null: one step. Monitors that are none have no minutes. */
export async function readTimedInside(
  tx: Tx,
  workspaceId: string,
  ranges: ReadonlyMap<number, readonly Range[]>,
  stepMs: number | null,
): Promise<SeriesCounts[]> {
  const all = [...ranges.values()].flat();
  if (all.length === 0) return [];
  const startMs = Math.min(...all.map((range) => range.startMs));
  const endMs = Math.max(...all.map((range) => range.endMs));
  const spans = await readHeartbeatSpans(tx, workspaceId, [...ranges.keys()], { startMs, endMs });
  return [...spans].flatMap(([monitorKey, own]) =>
    decideMinutes(own, ranges.get(monitorKey) ?? [], stepMs).map((minutes) => ({
      monitorKey,
      kind: TIMED_KIND,
      region: regionCode(HOME_REGION),
      ...minutes,
    })),
  );
}

export function decodeOutcomes(parts: readonly OutcomePart[], period: Pick<Range, 'startMs'>): SeriesOutcomes[] {
  const series = new Map<string, SeriesOutcomes>();
  for (const part of parts) {
    const { monitorKey, kind, region, advisory } = part;
    const key = `${monitorKey}/${kind}/${region}`;
    const own = series.get(key) ?? { monitorKey, kind, region, advisory, up: 0, down: 0, spans: [] };
    series.set(key, own);
    own.up += part.up;
    own.down += part.down;
    if (part.spans) for (const span of decodeSpans(part.spans)) own.spans.push(span);
    if (part.checks) for (const span of spansOf(unpackChecks(part.checks))) own.spans.push(span);
  }
  return [...series.values()].map((own) => {
    const spans = joinSpans(own.spans).filter(({ endMs }) => endMs > period.startMs);
    return { ...own, spans };
  });
}

/** Conclusive checks of a short, recent period: from the rows alone, without earlier results that are still fresh. */
export async function readRecentOutcomes(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: Range,
): Promise<OutcomePart[]> {
  const query = { monitorKeys, kinds: AVAILABILITY_CODES, plan: { days: [], hours: [], rows: [period] } };
  return withAdvisory(tx, workspaceId, await bucketStore.outcomes(workspaceId, tx, query, new Date(period.startMs)));
}

/** Conclusive checks over all regions, in steps of `stepMs`, or (null) over the whole period. */
export async function readOutcomeCounts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  stepMs: number | null,
): Promise<CountPart[]> {
  const counts: CountPart[] = [];
  for (const { monitorKeys, state } of groupByState(monitors)) {
    const plan = planCounts(period, state, stepMs);
    counts.push(
      ...(await bucketStore.counts(workspaceId, tx, { monitorKeys, kinds: AVAILABILITY_CODES, plan }, stepMs)),
    );
  }
  counts.push(...(await readTimedCounts(tx, workspaceId, monitors, period, stepMs)));
  return counts.toSorted((a, b) => a.monitorKey - b.monitorKey || a.startMs - b.startMs);
}

/** The checks of all kinds and of all these monitors together, whatever came of them, in the steps in which there are any. */
export async function readCheckCounts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  stepMs: number,
): Promise<StepChecks[]> {
  const counts: StepChecks[] = [];
  for (const { monitorKeys, state } of groupByState(monitors)) {
    const query = { monitorKeys, kinds: Object.values(CHECK_KIND_CODES), plan: planCounts(period, state, stepMs) };
    counts.push(...(await bucketStore.checks(workspaceId, tx, query, stepMs)));
  }
  return counts;
}

/** The minutes of heartbeats in the steps in which there are any. */
async function readTimedCounts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  stepMs: number | null,
): Promise<CountPart[]> {
  const keys = monitors.map(({ monitorKey }) => monitorKey);
  const spans = await readHeartbeatSpans(tx, workspaceId, keys, period);
  return [...spans].flatMap(([monitorKey, own]) => {
    const steps = decideMinutes(own, [period], stepMs);
    return steps.map(({ startMs, up, down }) => ({
      monitorKey,
      startMs: stepMs === null ? period.startMs : startMs,
      up,
      down,
      isTimed: true,
    }));
  });
}

/** Where steps are not whole buckets, only the rows contain the step of a check. */
function planCounts(period: Range, state: RollupState, stepMs: number | null): BucketPlan {
  if (stepMs !== null && stepMs % HOUR_MS !== 0) return { days: [], hours: [], rows: [period] };
  return decideBucketPlan(period, state, stepMs === null || stepMs % DAY_MS === 0 ? 'day' : 'hour');
}

/** The bucket plan of a period and of the time before it, from which results may still be fresh. */
function planWithLookback(period: Range, state: RollupState, hoursFromMs: number): BucketPlan {
  const isOld = period.startMs < hoursFromMs;
  const beforeMs = isOld
    ? period.startMs - DAY_MS
    : Math.floor((period.startMs - LONGEST_FRESH_MS) / HOUR_MS) * HOUR_MS;
  const before = decideBucketPlan({ startMs: beforeMs, endMs: period.startMs }, state, isOld ? 'day' : 'hour');
  const own = decideBucketPlan(period, state, 'day');
  return {
    days: joined([...before.days, ...own.days]),
    hours: joined([...before.hours, ...own.hours]),
    rows: joined([...before.rows, ...own.rows]),
  };
}

/** Groups monitors whose rollups are in the same state, nearly always all: one statement reads a group. */
function groupByState(monitors: readonly RolledMonitor[]): { monitorKeys: number[]; state: RollupState }[] {
  const groups = new Map<string, { monitorKeys: number[]; state: RollupState }>();
  for (const { monitorKey, closedUntilMs, dirtyBuckets } of monitors) {
    const state = { closedUntilMs, dirtyBuckets };
    const key = JSON.stringify(state);
    const group = groups.get(key) ?? { monitorKeys: [], state };
    group.monitorKeys.push(monitorKey);
    groups.set(key, group);
  }
  return [...groups.values()];
}
