import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, treeCpuMs } from '../process-usage.js';
import { readMetrics } from './read-metrics.js';
import type { Cell } from './start-cell.js';

/** What it took until the agents had all checks. */
export interface JoiningFigures {
  tookMs: number;
  /** Changes of the members of all regions. */
  epochs: number;
  /** Checks in snapshots and deltas. */
  checksSent: number;
  transactions: number;
  reconnects: number;
  /** Assignment steps that failed and were repeated. */
  failures: number;
  controlPlaneCpuMs: number;
  postgresCpuMs: number;
  /** How often a control plane handled nothing else for over 0.25 s. */
  longBlocks: number;
}

export interface JoiningFleet {
  agents: number;
  series: number;
  count(): Promise<{ checks: number; reconnects: number; failure: string | null }>;
}

const EVENT_LOOP_DELAY = 'watchpost_event_loop_delay_seconds';
const POLL_MS = 100;
const PROGRESS_MS = 5_000;

/** Watches the agents get their checks, and prints the progress. @throws Error that names what happened instead */
export async function watchJoining(cell: Cell, fleet: JoiningFleet, withinMs: number): Promise<JoiningFigures> {
  const startedMs = performance.now();
  const before = await readTotals(cell);
  let nextProgressMs = startedMs + PROGRESS_MS;
  const figuresAt = async (reconnects: number): Promise<{ connected: number; figures: JoiningFigures }> => {
    const now = await readTotals(cell);
    return {
      connected: now.connected,
      figures: {
        tookMs: performance.now() - startedMs,
        epochs: now.epochs - before.epochs,
        checksSent: now.checksSent - before.checksSent,
        transactions: now.transactions - before.transactions,
        reconnects,
        failures: now.failures - before.failures,
        controlPlaneCpuMs: now.controlPlaneCpuMs - before.controlPlaneCpuMs,
        postgresCpuMs: now.postgresCpuMs - before.postgresCpuMs,
        longBlocks: now.longBlocks - before.longBlocks,
      },
    };
  };
  for (;;) {
    const { checks, reconnects, failure } = await fleet.count();
    const nowMs = performance.now();
    const ended = cell.controlPlanes.find(({ process }) => !process.running);
    if (ended) throw new Error(`control plane ${ended.number} ended: ${ended.process.output().slice(-500)}`);
    if (failure !== null) throw new Error(`an agent cannot work: ${failure}`);
    if (checks === fleet.series) return (await figuresAt(reconnects)).figures;
    if (nowMs >= nextProgressMs) {
      const { connected, figures } = await figuresAt(reconnects);
      const state = describeJoining(fleet, checks, connected, figures);
      process.stdout.write(`\n  ${state}`);
      if (nowMs - startedMs > withinMs) throw new Error(`The agents did not get all checks in time. ${state}`);
      nextProgressMs = nowMs + PROGRESS_MS;
    }
    await sleep(POLL_MS);
  }
}

function describeJoining(
  { agents, series }: Pick<JoiningFleet, 'agents' | 'series'>,
  checks: number,
  connected: number,
  figures: JoiningFigures,
): string {
  const { tookMs, epochs, checksSent, reconnects, failures, controlPlaneCpuMs, postgresCpuMs, longBlocks } = figures;
  const cores = (ms: number): string => (ms / tookMs).toFixed(2);
  return [
    `${Math.round(tookMs / 1_000)} s: ${checks} of ${series} checks are at agents`,
    `${connected} of ${agents} agents connected`,
    `${epochs} epochs`,
    `${(checksSent / series).toFixed(2)} checks sent for each one`,
    `${reconnects} reconnections`,
    `${failures} failed steps`,
    `control planes ${cores(controlPlaneCpuMs)} cores, PostgreSQL ${cores(postgresCpuMs)}`,
    `control planes were blocked ${longBlocks} times for over 0.25 s`,
  ].join(', ');
}

async function readTotals({ client, controlPlanes, metricsPorts, postgresPid }: Cell) {
  const metric = await readMetrics(metricsPorts);
  const { rows } = await client.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return {
    connected: metric('watchpost_agents_connected'),
    epochs: metric('watchpost_region_epochs_total'),
    checksSent: metric('watchpost_assignment_checks_total', /direction="upsert"/),
    failures: metric('watchpost_assignment_failures_total'),
    longBlocks: metric(`${EVENT_LOOP_DELAY}_count`) - metric(`${EVENT_LOOP_DELAY}_bucket`, /le="0.25"/),
    transactions: Number(rows[0]!.count),
    controlPlaneCpuMs: controlPlanes.reduce((sum, { process }) => sum + (process.running ? cpuMs(process.pid) : 0), 0),
    postgresCpuMs: treeCpuMs(postgresPid).get('postgres') ?? 0,
  };
}
