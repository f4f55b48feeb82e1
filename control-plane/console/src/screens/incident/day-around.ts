import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { LatencySeries } from '../../parts/latency-chart.js';

/** How long the picture goes on after the end of the incident. */
const AFTER_MS = 2 * HOUR_MS;
/** How often it moves while the incident is open. */
const STEP_MS = 5 * MINUTE_MS;
export const DAY_STEPS = 96;

export interface Day {
  startDate: string;
  endDate: string;
}

/** The 24 hours around an incident, as in its evidence document. */
export function dayAround(incident: { started: string; ended: string | null }, nowMs: number): Day {
  const nowStepMs = Math.ceil(nowMs / STEP_MS) * STEP_MS;
  const endMs = incident.ended === null ? nowStepMs : Math.min(nowStepMs, Date.parse(incident.ended) + AFTER_MS);
  return { startDate: new Date(endMs - DAY_MS).toISOString(), endDate: new Date(endMs).toISOString() };
}

/** What a chart shows of the points of `GET /api/v1/monitor/{id}/latency`, which leaves out steps without a check. */
export function latencyOf(
  points: readonly { time: string; p50: number; p95: number; p99: number }[],
  { startDate }: Day,
): LatencySeries {
  const stepMs = DAY_MS / DAY_STEPS;
  const startMs = Date.parse(startDate);
  const empty = () => Array.from<number | null>({ length: DAY_STEPS }).fill(null);
  const [p50, p95, p99] = [empty(), empty(), empty()];
  for (const point of points) {
    const at = Math.floor((Date.parse(point.time) - startMs) / stepMs);
    if (at < 0 || at >= DAY_STEPS) continue;
    p50[at] = point.p50;
    p95[at] = point.p95;
    p99[at] = point.p99;
  }
  return { start: startDate, stepSeconds: stepMs / 1_000, p50, p95, p99 };
}
