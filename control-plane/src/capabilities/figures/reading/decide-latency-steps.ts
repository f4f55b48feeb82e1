import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Range } from '../rollup/decide-bucket-plan.js';

/**
 * The steps of a latency chart that is read from rollups: whole hours, or whole days (UTC) where a step is a day or longer
 * or hours are no longer kept; at most `points` steps.
 */
export function decideLatencySteps(
  { startMs, endMs }: Range,
  points: number,
  hoursFromMs: number,
): { originMs: number; stepMs: number } {
  for (let unitMs = startMs < hoursFromMs ? DAY_MS : HOUR_MS; ; unitMs = DAY_MS) {
    const originMs = Math.floor(startMs / unitMs) * unitMs;
    const stepMs = Math.max(1, Math.ceil((endMs - originMs) / points / unitMs)) * unitMs;
    if (unitMs === DAY_MS || stepMs < DAY_MS) return { originMs, stepMs };
  }
}
