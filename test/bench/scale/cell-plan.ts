import type { BenchOptions } from '../bench.js';

export interface CellPlan {
  monitors: number;
  agents: number;
  controlPlanes: number;
  minutes: number;
  /** Over how long the agents connect, one after the other, ms. */
  connectWithinMs: number;
  hasFaults: boolean;
}

/** Minutes that a run takes beside the measured ones: loading, certificates, the steady state, counting. */
const BESIDE_MINUTES = 12;
const SECONDS_A_MINUTE = 60;
const CHECKS_OF_AGENT = 1_667;
/** One process connects hundreds of agents, which takes it some milliseconds for each: agents have machines of their own. */
const CONNECTION_MS = 20;
const [LEAST_AGENTS, MOST_AGENTS] = [32, 480];

export function scaleDeadlineSeconds(options: BenchOptions): number {
  const plans = plansOf(options);
  return plans.reduce((sum, { minutes }) => sum + (minutes + BESIDE_MINUTES) * SECONDS_A_MINUTE, 0);
}

export function plansOf(options: BenchOptions): CellPlan[] {
  const { monitors = [100_000], controlPlanes = [1], minutes = 10, agents, connectWithin, calm = false } = options;
  return monitors.flatMap((count) =>
    controlPlanes.map((processes) => ({
      monitors: count,
      controlPlanes: processes,
      minutes,
      agents: agents ?? usualAgents(count * 8),
      connectWithinMs:
        connectWithin === undefined ? (agents ?? usualAgents(count * 8)) * CONNECTION_MS : connectWithin * 1_000,
      hasFaults: !calm,
    })),
  );
}

function usualAgents(series: number): number {
  const wanted = Math.round(series / CHECKS_OF_AGENT / 8) * 8;
  return Math.min(MOST_AGENTS, Math.max(LEAST_AGENTS, wanted));
}
