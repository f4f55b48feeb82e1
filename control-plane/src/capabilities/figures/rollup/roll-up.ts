import type { Clock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Database, Tx } from '../../../platform/db/database.js';
import { HOUR_OPEN_MS, storedDays } from '../../results/index.js';
import { keptFrom } from './retention.js';
import { LatencyHistogram } from './histogram.js';
import { type DirtyBucket, markDirtyBuckets } from '../../verdicts/index.js';
import { dirtyBucketStore } from './dirty-bucket-store.js';
import { addPackedTotals, unpackChecks } from './packed-results.js';
import { progressStore } from './progress-store.js';
import { rollupStore } from './rollup-store.js';
import { decodeSpans, encodeSpans, joinSpans, spansOf } from './span-codec.js';

export interface RollUpDeps {
  db: Database;
  clock: Clock;
}

/** An hour is closed this long after its end: transactions that still treated it as open have committed by then. */
const CLOSE_AFTER_MS = 300_000;
/** By how much the clocks of two processes may differ without a part of the work being done twice. */
const SKEW_MS = 60_000;
/** Buckets per transaction, and about how many rows: a writer to one of these buckets waits for the transaction. */
const BATCH = 500;
const BATCH_ROWS = 30_000;
/** Before all buckets. */
const FIRST: DirtyBucket = { startsMs: 0, monitorKey: 0 };
const DROP_BATCH = 10_000;
/** A run ends after this time; the next one continues. */
const RUN_MS = 50_000;

/**
 * Closes the hours that have ended, and computes the rollups of dirty buckets: after a downtime of days as after a
 * minute. Any number of processes can run it at the same time.
 * @param signal once aborted, the rest is left to the next run
 * @returns the number of buckets rolled up
 */
export async function rollUpResults(deps: RollUpDeps, signal?: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  let hours: Portion = { after: FIRST, limit: BATCH, buckets: 0 };
  let days = hours;
  let done = 0;
  while (performance.now() - startedMs < RUN_MS) {
    if (signal?.aborted) break;
    // Closed hours are rolled up before more hours are closed, so that dirty buckets do not accumulate.
    hours = await rollUpHours(deps, hours);
    if (hours.buckets === 0) days = await rollUpDays(deps, days);
    const rolledUp = hours.buckets > 0 ? hours.buckets : days.buckets;
    done += rolledUp;
    if (rolledUp > 0) continue;
    if (!(await closeHour(deps))) break;
    // The hours just marked may be older than late results that are rolled up already.
    hours = { ...hours, after: FIRST };
    days = { ...days, after: FIRST };
  }
  return done;
}

/** The last portion of the dirty buckets, which are taken in the order of their starts. */
interface Portion {
  /** The last bucket that was taken. Buckets before it that become dirty again are left to the next run. */
  after: DirtyBucket;
  /** Buckets of the next portion. */
  limit: number;
  /** How many buckets were taken. */
  buckets: number;
}

async function closeHour({ db, clock }: RollUpDeps): Promise<boolean> {
  return db.transaction(async (tx) => {
    const progress = await progressStore.lock(tx);
    if (!progress) return false;
    const latestMs = Math.floor((clock.now() + SKEW_MS - CLOSE_AFTER_MS) / HOUR_MS) * HOUR_MS;
    if (progress.closedUntilMs !== null && progress.closedUntilMs > latestMs) {
      // A clock that was ahead has closed hours before their results were there: they are closed again in time.
      await progressStore.set(tx, new Date(latestMs));
      return false;
    }
    const startMs = progress.closedUntilMs ?? (await firstHour(tx, clock.now()));
    const endMs = startMs + HOUR_MS;
    const overMs = clock.now() - endMs;
    if (overMs < CLOSE_AFTER_MS || (await progressStore.oldestWriterMs(tx)) >= overMs - HOUR_OPEN_MS) {
      if (progress.closedUntilMs === null) await progressStore.set(tx, new Date(startMs));
      return false;
    }
    await dirtyBucketStore.markAll(tx, new Date(startMs));
    await progressStore.set(tx, new Date(endMs));
    return true;
  });
}

/**
 * The first hour to close: that of the oldest result. It is no hour that a transaction may still treat as open, because its
 * results would mark no bucket as dirty.
 */
async function firstHour(tx: Tx, nowMs: number): Promise<number> {
  const firstMs = Math.min((await oldestResultMs(tx)) ?? nowMs, nowMs - CLOSE_AFTER_MS);
  return Math.floor(firstMs / HOUR_MS) * HOUR_MS;
}

/** Before the first hour is closed, nothing is packed. */
async function oldestResultMs(tx: Tx): Promise<number | undefined> {
  for (const day of [...(await storedDays(tx))].toSorted((a, b) => a - b)) {
    const oldestMs = await progressStore.oldestResultMs(tx, day);
    if (oldestMs !== null) return oldestMs;
  }
  return undefined;
}

async function rollUpHours({ db }: RollUpDeps, { after, limit }: Portion): Promise<Portion> {
  return db.transaction(async (tx) => {
    const hours = await dirtyBucketStore.takeHours(tx, after, limit);
    if (hours.length === 0) return { after, limit, buckets: 0 };
    const sources = await rollupStore.hourSources(tx, hours);
    const rollups = sources.map(({ checks, totals, ...numbers }) => {
      const histogram = new LatencyHistogram();
      addPackedTotals(histogram, totals);
      return { ...numbers, spans: encodeSpans(spansOf(unpackChecks(checks))), histogram: histogram.encode() };
    });
    await rollupStore.write(tx, 'check_rollup', rollups);
    await markDirtyBuckets(tx, daysOf(sources), true);
    const rows = sources.reduce((sum, { up, down, inconclusive }) => sum + up + down + inconclusive, 0);
    const nextLimit = Math.max(1, Math.min(BATCH, Math.floor((hours.length * BATCH_ROWS) / Math.max(1, rows))));
    return { after: lastOf(hours), limit: nextLimit, buckets: hours.length };
  });
}

async function rollUpDays({ db }: RollUpDeps, { after, limit }: Portion): Promise<Portion> {
  return db.transaction(async (tx) => {
    const days = await dirtyBucketStore.takeDays(tx, after, limit);
    if (days.length === 0) return { after, limit, buckets: 0 };
    const sources = await rollupStore.daySources(tx, days);
    const rollups = sources.map((source) => {
      const histogram = new LatencyHistogram();
      histogram.addEncoded(source.histogram);
      return { ...source, spans: encodeSpans(joinSpans(decodeSpans(source.spans))), histogram: histogram.encode() };
    });
    await rollupStore.write(tx, 'check_rollup_day', rollups);
    return { after: lastOf(days), limit, buckets: days.length };
  });
}

function lastOf(buckets: readonly DirtyBucket[]): DirtyBucket {
  return buckets.reduce((last, bucket) =>
    bucket.startsMs > last.startsMs || (bucket.startsMs === last.startsMs && bucket.monitorKey > last.monitorKey)
      ? bucket
      : last,
  );
}

function daysOf(hours: readonly { monitor_key: number; starts_ms: number }[]): DirtyBucket[] {
  return hours.map(({ monitor_key, starts_ms }) => ({
    monitorKey: monitor_key,
    startsMs: Math.floor(starts_ms / DAY_MS) * DAY_MS,
  }));
}

/** Results scheduled from here on are not in the rollups yet and must not be dropped; ms since the epoch. */
export async function rolledUpUntil({ db }: RollUpDeps): Promise<number> {
  return (await db.read((tx) => progressStore.rolledUpUntil(tx))) ?? 0;
}

/** The number of buckets to roll up, and until when all results are in the rollups (ms since the epoch; null before the first hour is closed). */
export async function readRollupProgress({ db }: RollUpDeps): Promise<{ waiting: number; untilMs: number | null }> {
  return db.read(async (tx) => ({
    waiting: await dirtyBucketStore.waiting(tx),
    untilMs: await progressStore.rolledUpUntil(tx),
  }));
}

/**
 * Deletes the hours that are past retention; their days stay.
 * @param signal once aborted, the rest is left to the next run
 * @returns the number of deleted hours
 */
export async function dropExpiredHours(
  deps: RollUpDeps & { retentionDays: number },
  signal?: AbortSignal,
): Promise<number> {
  const { hoursFromMs } = keptFrom({ nowMs: deps.clock.now(), retentionDays: deps.retentionDays });
  // A day more than is reported on: a result from before a period may still be fresh in it.
  const first = new Date(hoursFromMs - DAY_MS);
  for (let dropped = 0; ;) {
    const deleted = await deps.db.transaction((tx) => rollupStore.dropHours(tx, first, DROP_BATCH));
    dropped += deleted;
    if (deleted === 0 || signal?.aborted) return dropped;
  }
}
