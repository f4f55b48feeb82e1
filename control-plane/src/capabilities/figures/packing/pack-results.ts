import type { Clock } from '@watchpost/shared/clock';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { databaseErrorOf } from '../../../platform/db/database-error.js';
import type { Database, Tx } from '../../../platform/db/database.js';
import { progressStore } from '../rollup/progress-store.js';
import { dayOf, storedDays, type Day } from '../../results/index.js';
import type { PackingMetrics } from './packing-metrics.js';
import { packSeries } from './pack-series.js';
import { columnsOf, packingStore, type PackingProgress, type SeriesKey } from './packing-store.js';

export interface PackDeps {
  db: Database;
  clock: Clock;
  metrics: PackingMetrics;
}

/** A day is packed this long after its end. */
const PACK_AFTER_MS = 48 * HOUR_MS;
/**
 * The rows of a packed day are given back this long after its last portion. A dump that began before then either contains
 * all packed results or locks the rows, which makes the packer wait.
 */
const SETTLE_MS = MINUTE_MS;
/** About how many rows a transaction packs: late results wait for it. */
const PORTION_ROWS = 30_000;
const MOST_MONITORS = 500;
/** Monitors and days with late results that a transaction merges. */
const LATE_MONITORS = 4;
/** A run ends after this time; the next one continues. */
const RUN_MS = 50_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Packs the results of days that ended two days ago, and merges late results into packed ones. Progress is committed with
 * each portion. Readers and writers need not know: `result_row` reads both shapes.
 * @param signal once aborted, the rest is left to the next run
 * @returns how many results were packed, merged ones included
 */
export async function packResults(deps: PackDeps, signal?: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  let packed = 0;
  let monitors = 1;
  while (performance.now() - startedMs < RUN_MS) {
    if (signal?.aborted) break;
    const portion = await unlessLocked(() => deps.db.transaction((tx) => packPortion(deps, tx, monitors)));
    if (!portion) break;
    packed += portion.results;
    deps.metrics.packed.inc(portion.results);
    if (portion.monitors > 0)
      monitors = Math.min(
        MOST_MONITORS,
        Math.max(1, Math.floor((portion.monitors * PORTION_ROWS) / Math.max(1, portion.results))),
      );
  }
  return packed;
}

interface Portion {
  monitors: number;
  results: number;
}
const NOTHING: Portion = { monitors: 0, results: 0 };

/** @returns undefined where nothing can be done now */
async function packPortion(deps: PackDeps, tx: Tx, limit: number): Promise<Portion | undefined> {
  const progress = await packingStore.lockProgress(tx);
  if (!progress) return undefined;
  if (await packingStore.hasLate(tx)) return mergeLate(deps, tx, progress);
  const { day, completeMs } = progress;
  const days = await storedDays(tx);
  if (day === null) return beginDay(deps, tx, progress, days);
  // Retention has dropped it.
  if (!days.has(day)) return endDay(tx, day);
  if (completeMs === null) return packMonitors(deps, tx, { ...progress, day }, limit);
  if (deps.clock.now() - completeMs < SETTLE_MS) return undefined;
  await packingStore.closeRows(tx, day);
  // Late results that were stored before the lock are known now; they are merged first.
  if (await packingStore.hasLate(tx)) return NOTHING;
  await packingStore.truncateRows(tx, day);
  return endDay(tx, day);
}

async function beginDay(
  { clock }: PackDeps,
  tx: Tx,
  progress: PackingProgress,
  days: ReadonlySet<Day>,
): Promise<Portion | undefined> {
  const day = Math.min(...[...days].filter((candidate) => candidate >= (progress.packedUntil ?? 0)));
  const readyMs = Math.min(clock.now() - PACK_AFTER_MS, (await progressStore.rolledUpUntil(tx)) ?? 0);
  if (day + 1 > dayOf(readyMs)) return undefined;
  await packingStore.begin(tx, day);
  await packingStore.setProgress(tx, { ...progress, day, afterKey: 0, completeMs: null });
  return NOTHING;
}

async function packMonitors(
  { clock }: PackDeps,
  tx: Tx,
  progress: PackingProgress & { day: Day },
  limit: number,
): Promise<Portion> {
  const monitorKeys = await packingStore.monitorsAfter(tx, progress.day, progress.afterKey, limit);
  const results = await pack(tx, await packingStore.rows(tx, progress.day, monitorKeys));
  const isLast = monitorKeys.length < limit;
  await packingStore.setProgress(tx, {
    ...progress,
    afterKey: isLast ? 0 : monitorKeys.at(-1)!,
    completeMs: isLast ? clock.now() : null,
  });
  return { monitors: monitorKeys.length, results };
}

/** From the end of this transaction on, the packed results of the day are read. */
async function endDay(tx: Tx, day: Day): Promise<Portion> {
  await packingStore.setProgress(tx, { packedUntil: day + 1, day: null, afterKey: 0, completeMs: null });
  return NOTHING;
}

/** Packs some monitors again that have late results. */
async function mergeLate({ clock }: PackDeps, tx: Tx, progress: PackingProgress): Promise<Portion> {
  const monitorsByDay = new Map<Day, number[]>();
  for (const { monitorKey, day } of await packingStore.takeLate(tx, LATE_MONITORS))
    monitorsByDay.set(day, [...(monitorsByDay.get(day) ?? []), monitorKey]);
  // Results that arrive in between are merged now, and their monitors taken once more.
  await packingStore.holdLate(tx);
  const days = await storedDays(tx);
  let results = 0;
  for (const [day, monitors] of monitorsByDay) {
    if (!days.has(day)) continue;
    const isPacked = day !== progress.day;
    // The other monitors of the day that is being packed have their turn.
    const keys = monitors.filter((key) => isPacked || progress.completeMs !== null || key <= progress.afterKey);
    // Until the whole day is packed, its rows are all of its results.
    const sources = isPacked ? await packingStore.merged(tx, day, keys) : await packingStore.rows(tx, day, keys);
    await packingStore.deletePacked(tx, day, keys);
    results += await pack(tx, sources);
    if (isPacked) await packingStore.deleteRows(tx, day, keys);
    else if (progress.completeMs !== null) await packingStore.setProgress(tx, { ...progress, completeMs: clock.now() });
  }
  return { monitors: 0, results };
}

async function pack(tx: Tx, sources: readonly (SeriesKey & { results: Buffer })[]): Promise<number> {
  const packed = sources.flatMap(({ results, ...key }) =>
    packSeries(columnsOf(results)).map((series) => ({ ...key, ...series })),
  );
  await packingStore.insert(tx, packed);
  return packed.reduce((sum, { results }) => sum + results, 0);
}

/** Undefined where others hold a lock: the next run tries again. */
async function unlessLocked<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (databaseErrorOf(error)?.code !== LOCK_NOT_AVAILABLE) throw error;
    return undefined;
  }
}
