import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Database, Tx } from '../../../platform/db/database.js';
import { partitionStore } from '../series/partition-store.js';
import { keptFrom } from './retention.js';
import { LatencyHistogram } from './histogram.js';
import { dirtyBucketStore, type DirtyBucket } from './dirty-bucket-store.js';
import { addPackedTotals, unpackChecks } from './packed-results.js';
import { progressStore } from './progress-store.js';
import { rollupStore } from './rollup-store.js';
import { decodeSpans, encodeSpans, joinSpans, spansOf } from './span-codec.js';

export interface RollUpDeps {
  db: Database;
  clock: Clock;
}

/** An hour is left open for so long after its end: until then results come in without marking it. */
const OPEN_MS = 60_000;
/** It is closed so long after its end: by then whoever still took it for open has committed. */
const CLOSE_AFTER_MS = 300_000;
/** Buckets a transaction: some 30,000 rows of minute checks from one region. */
const PORTION = 500;
const DROP_PORTION = 10_000;
/** A run ends after so long; the next one goes on. */
const RUN_MS = 50_000;

/** Results that were due before this must mark their hour, because it may be closed. */
function openFrom(nowMs: number): number {
  return Math.floor((nowMs - OPEN_MS) / HOUR_MS) * HOUR_MS;
}

/** Has the hours of those results that came late rolled up again. In the transaction that writes them. */
export async function markLateBuckets(
  tx: Tx,
  nowMs: number,
  results: readonly { result: { key: { monitorKey: number }; scheduledAtMs: number } }[],
): Promise<void> {
  const openMs = openFrom(nowMs);
  const late = results.filter(({ result }) => result.scheduledAtMs < openMs);
  await dirtyBucketStore.mark(
    tx,
    late.map(({ result: { key, scheduledAtMs } }) => ({
      monitorKey: key.monitorKey,
      startsMs: Math.floor(scheduledAtMs / HOUR_MS) * HOUR_MS,
    })),
    false,
  );
}

/**
 * Closes the hours that are over, and makes the rollups that are missing or no longer right: after a downtime of days
 * as after a minute. Any number of processes can be at it.
 * @returns how many buckets were done
 */
export async function rollUpResults(deps: RollUpDeps): Promise<number> {
  const startedMs = performance.now();
  let done = 0;
  while (performance.now() - startedMs < RUN_MS) {
    // What is closed is rolled up before more is closed, so that marks never pile up.
    const hours = await rollUpHours(deps);
    const days = hours > 0 ? 0 : await rollUpDays(deps);
    done += hours + days;
    if (hours + days === 0 && !(await closeHour(deps))) break;
  }
  return done;
}

async function closeHour({ db, clock }: RollUpDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const progress = await progressStore.lock(tx);
    if (!progress) return false;
    const startMs = progress.closedUntilMs ?? (await firstHour(tx, clock.now()));
    const endMs = startMs + HOUR_MS;
    const overMs = clock.now() - endMs;
    if (overMs < CLOSE_AFTER_MS || (await progressStore.oldestWriterMs(tx)) >= overMs - OPEN_MS) {
      if (progress.closedUntilMs === null) await progressStore.set(tx, new Date(startMs));
      return false;
    }
    await dirtyBucketStore.markAll(tx, new Date(startMs));
    await progressStore.set(tx, new Date(endMs));
    return true;
  });
}

/** Where rows begin that nobody has marked: those of a time when there were no rollups. */
async function firstHour(tx: Tx, nowMs: number): Promise<number> {
  const days = await partitionStore.days(tx);
  return days.size > 0 ? Math.min(...days) * DAY_MS : Math.floor(nowMs / HOUR_MS) * HOUR_MS;
}

async function rollUpHours({ db }: RollUpDeps): Promise<number> {
  return db.transaction(async (tx) => {
    const hours = await dirtyBucketStore.takeHours(tx, PORTION);
    if (hours.length === 0) return 0;
    const sources = await rollupStore.hourSources(tx, hours);
    const rollups = sources.map(({ said, totals, ...numbers }) => {
      const histogram = new LatencyHistogram();
      addPackedTotals(histogram, totals);
      return { ...numbers, spans: encodeSpans(spansOf(unpackChecks(said))), histogram: histogram.encode() };
    });
    await rollupStore.write(tx, 'check_rollup', rollups);
    await dirtyBucketStore.mark(tx, daysOf(sources), true);
    return hours.length;
  });
}

async function rollUpDays({ db }: RollUpDeps): Promise<number> {
  return db.transaction(async (tx) => {
    const days = await dirtyBucketStore.takeDays(tx, PORTION);
    if (days.length === 0) return 0;
    const sources = await rollupStore.daySources(tx, days);
    const rollups = sources.map((source) => {
      const histogram = new LatencyHistogram();
      histogram.addEncoded(source.histogram);
      return { ...source, spans: encodeSpans(joinSpans(decodeSpans(source.spans))), histogram: histogram.encode() };
    });
    await rollupStore.write(tx, 'check_rollup_day', rollups);
    return days.length;
  });
}

function daysOf(hours: readonly { monitor_key: number; starts_ms: number }[]): DirtyBucket[] {
  return hours.map(({ monitor_key, starts_ms }) => ({
    monitorKey: monitor_key,
    startsMs: Math.floor(starts_ms / DAY_MS) * DAY_MS,
  }));
}

/** Until when results may be dropped, as far as rollups go: what is not in them yet is kept. ms since the epoch. */
export async function rolledUpUntil({ db }: RollUpDeps): Promise<number> {
  return (await db.read((tx) => progressStore.rolledUpUntil(tx))) ?? 0;
}

/** How many buckets wait for their rollup, and since when (ms since the epoch; null before the first hour is closed). */
export async function readRollupProgress({ db }: RollUpDeps): Promise<{ waiting: number; untilMs: number | null }> {
  return db.read(async (tx) => ({
    waiting: await dirtyBucketStore.waiting(tx),
    untilMs: await progressStore.rolledUpUntil(tx),
  }));
}

/** Deletes the hours that are past their time; their days stay. @returns how many went */
export async function dropExpiredHours(deps: RollUpDeps & { retentionDays: number }): Promise<number> {
  const { hoursFromMs } = keptFrom({ nowMs: deps.clock.now(), retentionDays: deps.retentionDays });
  // A day to spare: what was said before a period may still speak into it.
  const first = new Date(hoursFromMs - DAY_MS);
  for (let dropped = 0; ;) {
    const went = await deps.db.transaction((tx) => rollupStore.dropHours(tx, first, DROP_PORTION));
    if (went === 0) return dropped;
    dropped += went;
  }
}
