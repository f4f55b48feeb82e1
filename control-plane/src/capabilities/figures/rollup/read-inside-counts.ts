import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import { HOUR_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';
import type { Range } from './decide-bucket-plan.js';
import { decideInsideCounts } from './decide-inside-counts.js';
import { insideCountStore, type MonitorRange, type SeriesCounts } from './inside-count-store.js';
import { readTimedInside } from './read-outcomes.js';
import { decodeSpans } from './span-codec.js';

/**
 * The conclusive checks that were scheduled in ranges of time, by series: exact where single results are kept, and from the
 * hourly rollups before that. Of heartbeats the minutes, which are exact.
 * @param ranges by monitor, each in order and apart
 * @param stepMs by steps aligned to the epoch; null: one step
 */
export async function readInsideCounts(
  tx: Tx,
  workspaceId: string,
  ranges: ReadonlyMap<number, readonly Range[]>,
  { rowsFromMs, stepMs = null }: { rowsFromMs: number; stepMs?: number | null },
): Promise<SeriesCounts[]> {
  const cutMs = Math.ceil(rowsFromMs / HOUR_MS) * HOUR_MS;
  const all = [...ranges].flatMap(([monitorKey, own]) => own.map((range): MonitorRange => ({ monitorKey, ...range })));
  const recent = all
    .filter(({ endMs }) => endMs > cutMs)
    .map((range) => ({ ...range, startMs: Math.max(range.startMs, cutMs) }));
  const older = all
    .filter(({ startMs }) => startMs < cutMs)
    .map((range) => ({ ...range, endMs: Math.min(range.endMs, cutMs) }));
  const counts = await readTimedInside(tx, workspaceId, ranges, stepMs);
  if (recent.length > 0)
    counts.push(...(await insideCountStore.rows(workspaceId, tx, recent, AVAILABILITY_CODES, stepMs)));
  if (older.length > 0)
    for (const { spans, ...hour } of await insideCountStore.hours(workspaceId, tx, older, AVAILABILITY_CODES)) {
      const own = older.filter(({ monitorKey }) => monitorKey === hour.monitorKey);
      const inside = decideInsideCounts({ ...hour, spans: decodeSpans(spans) }, own);
      const startMs = stepMs === null ? 0 : Math.floor(hour.startMs / stepMs) * stepMs;
      counts.push({ ...hour, ...inside, startMs });
    }
  return counts;
}
