import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import { AVAILABILITY_KINDS } from '../series/series.js';
import { decidePieces, joined, type Pieces, type Range, type RollupState } from './decide-bucket-plan.js';
import { unpackSaid } from './packed-results.js';
import { pieceStore, type CountPart, type RolledMonitor, type SaidPart } from './bucket-store.js';
import { decodeSpans, joinSpans, spansOf, type Span } from './span-codec.js';

const KINDS = [...AVAILABILITY_KINDS].map((kind) => CHECK_KIND_CODES[kind]);
/** The longest that a result speaks: two intervals of an hour and a timeout of a minute, and to spare. */
const LONGEST_FRESH_MS = 3 * HOUR_MS;

/** What one kind of check in one region said over a period. */
export interface SaidSeries {
  monitorKey: number;
  kind: number;
  region: number;
  /** Conclusive checks that were due in the period. */
  up: number;
  down: number;
  /** In order, without overlaps; the first may begin before the period, the last end after it. */
  spans: Span[];
}

/**
 * @param period begins on a whole hour or day where the rows, or the hours, are no longer kept
 * @param hoursFromMs since when hours are kept
 */
export async function readSaid(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  hoursFromMs = -Infinity,
): Promise<SaidSeries[]> {
  return decodeSeries(await readSaidParts(tx, workspaceId, monitors, period, hoursFromMs), period);
}

/** The same as it is stored. Decoding a day of many monitors takes long enough to be done in slices. */
export async function readSaidParts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  hoursFromMs = -Infinity,
): Promise<SaidPart[]> {
  const parts: SaidPart[] = [];
  for (const { monitorKeys, state } of alike(monitors)) {
    const asked = { monitorKeys, kinds: KINDS, pieces: withLookback(period, state, hoursFromMs) };
    parts.push(...(await pieceStore.said(workspaceId, tx, asked, new Date(period.startMs))));
  }
  return parts;
}

export function decodeSeries(parts: readonly SaidPart[], period: Pick<Range, 'startMs'>): SaidSeries[] {
  const series = new Map<string, SaidSeries>();
  for (const part of parts) {
    const { monitorKey, kind, region } = part;
    const key = `${monitorKey}/${kind}/${region}`;
    const own = series.get(key) ?? { monitorKey, kind, region, up: 0, down: 0, spans: [] };
    series.set(key, own);
    own.up += part.up;
    own.down += part.down;
    if (part.spans) for (const span of decodeSpans(part.spans)) own.spans.push(span);
    if (part.said) for (const span of spansOf(unpackSaid(part.said))) own.spans.push(span);
  }
  return [...series.values()].map((own) => {
    const spans = joinSpans(own.spans).filter(({ endMs }) => endMs > period.startMs);
    return { ...own, spans };
  });
}

/** Conclusive checks that were due in a short, recent period: from the rows alone, and without what came before. */
export async function readRecentSaid(
  tx: Tx,
  workspaceId: string,
  monitorKeys: readonly number[],
  period: Range,
): Promise<SaidPart[]> {
  const asked = { monitorKeys, kinds: KINDS, pieces: { days: [], hours: [], rows: [period] } };
  return pieceStore.said(workspaceId, tx, asked, new Date(period.startMs));
}

/** Conclusive checks over all regions, by stretches of `stepMs`, or (null) over the whole period. */
export async function readSaidCounts(
  tx: Tx,
  workspaceId: string,
  monitors: readonly RolledMonitor[],
  period: Range,
  stepMs: number | null,
): Promise<CountPart[]> {
  const counts: CountPart[] = [];
  for (const { monitorKeys, state } of alike(monitors)) {
    const pieces = countedIn(period, state, stepMs);
    counts.push(...(await pieceStore.counts(workspaceId, tx, { monitorKeys, kinds: KINDS, pieces }, stepMs)));
  }
  return counts.toSorted((a, b) => a.monitorKey - b.monitorKey || a.startMs - b.startMs);
}

/** Where stretches are no whole buckets, only the rows know which of them a check was due in. */
function countedIn(period: Range, state: RollupState, stepMs: number | null): Pieces {
  if (stepMs !== null && stepMs % HOUR_MS !== 0) return { days: [], hours: [], rows: [period] };
  return decidePieces(period, state, stepMs === null || stepMs % DAY_MS === 0 ? 'day' : 'hour');
}

/** The pieces of a period, and of what before it may still speak into it. */
function withLookback(period: Range, state: RollupState, hoursFromMs: number): Pieces {
  const isOld = period.startMs < hoursFromMs;
  const beforeMs = isOld
    ? period.startMs - DAY_MS
    : Math.floor((period.startMs - LONGEST_FRESH_MS) / HOUR_MS) * HOUR_MS;
  const before = decidePieces({ startMs: beforeMs, endMs: period.startMs }, state, isOld ? 'day' : 'hour');
  const own = decidePieces(period, state, 'day');
  return {
    days: joined([...before.days, ...own.days]),
    hours: joined([...before.hours, ...own.hours]),
    rows: joined([...before.rows, ...own.rows]),
  };
}

/** Monitors that are read from the same places: one statement for all of them, most of the time. */
function alike(monitors: readonly RolledMonitor[]): { monitorKeys: number[]; state: RollupState }[] {
  const groups = new Map<string, { monitorKeys: number[]; state: RollupState }>();
  for (const { monitorKey, closedUntilMs, marks } of monitors) {
    const state = { closedUntilMs, marks };
    const key = JSON.stringify(state);
    const group = groups.get(key) ?? { monitorKeys: [], state };
    group.monitorKeys.push(monitorKey);
    groups.set(key, group);
  }
  return [...groups.values()];
}
