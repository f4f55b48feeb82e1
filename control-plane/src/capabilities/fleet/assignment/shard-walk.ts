import type { CheckSpec } from '@watchpost/shared/check';
import type { Place } from '@watchpost/shared/region';
import { shardOf } from '@watchpost/shared/ownership-shard';
import { MONITORS_PER_TURN, type WalkReads } from './bounded-reads.js';
import type { MonitorCheckSource } from '../../monitors/index.js';

/** About how many monitors are read at once. */
const BATCH_MONITORS = 500;
const FIRST_SHARDS = 64;
const MAX_SHARDS = 4_096;

/** What a walk reads at once. */
export interface WalkBatch {
  /** That of the first batch: changes are read from there. */
  horizon: number;
  /** By the monotonic clock, ms. */
  readAt: number;
  /** How many shards there are in this batch and after it. */
  shardsLeft: number;
}

/**
 * Reads the checks of a region in these shards, in batches, and makes them in turns with those of other walks. The number of
 * shards in a batch follows from the number of monitors in the last one.
 * @param onBatch called with each batch before its checks; an error that it throws ends the walk
 */
export async function* walkShards(
  { reads, checks }: { reads: Pick<WalkReads, 'readJoined' | 'turn'>; checks: Pick<MonitorCheckSource, 'inShards'> },
  { region, isOver }: { region: Place; isOver(): boolean },
  shards: readonly number[],
  onBatch?: (batch: WalkBatch) => void,
): AsyncGenerator<CheckSpec> {
  let horizon: number | undefined;
  let count = FIRST_SHARDS;
  // Without shards there is one batch too, because a snapshot needs a horizon.
  for (let from = 0; from === 0 || from < shards.length;) {
    const batch = shards.slice(from, from + count);
    const answer = await reads.readJoined({
      name: `monitors of ${region}`,
      keys: batch,
      mostKeys: FIRST_SHARDS,
      run: (tx, keys) => checks.inShards(tx, region, keys),
      make: async ({ monitors, horizon: read }) => ({ monitors: await makeChecks(reads, monitors), horizon: read }),
    });
    const asked = new Set(batch);
    const monitors = answer.monitors.filter(({ monitorKey }) => asked.has(shardOf(monitorKey)));
    horizon ??= answer.horizon;
    onBatch?.({ horizon, readAt: performance.now(), shardsLeft: shards.length - from });
    if (isOver()) throw new Error('the session is over');
    for (const monitor of monitors) yield* monitor.checks;
    from += Math.max(1, batch.length);
    const perShard = Math.max(monitors.length, 1) / Math.max(batch.length, 1);
    count = Math.max(1, Math.min(MAX_SHARDS, Math.round(BATCH_MONITORS / perShard)));
  }
}

async function makeChecks(
  { turn }: Pick<WalkReads, 'turn'>,
  read: Awaited<ReturnType<MonitorCheckSource['inShards']>>['monitors'],
): Promise<{ monitorKey: number; checks: readonly CheckSpec[] }[]> {
  const made = [];
  for (let at = 0; at < read.length; at += MONITORS_PER_TURN) {
    const together = read.slice(at, at + MONITORS_PER_TURN);
    await turn(together.length);
    for (const monitor of together) made.push({ monitorKey: monitor.monitorKey, checks: monitor.makeChecks() });
  }
  return made;
}
