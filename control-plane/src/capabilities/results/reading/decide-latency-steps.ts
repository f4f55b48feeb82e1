import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { type Range } from '../rollup/decide-bucket-plan.js';

/**
 * The stretches of a latency series that is read from rollups: whole hours, or whole days (UTC) where they are that
 * long or hours are no longer kept; no more than `points` of them.
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
