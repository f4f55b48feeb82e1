import { regionOfCode } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Cell } from './start-cell.js';
import type { RunState, SeriesRun } from './run-log.js';

/** What became of the runs that have no result in the database. */
export interface MissingRuns {
  /** No living agent ran the check, and none that was lost later. */
  neverRun: number;
  /** The check was run, and the agent was lost with the result: a real one has it on disk. */
  withLostAgents: number;
  /** A living agent has the result, and it was not acknowledged. */
  notAcknowledged: number;
  /** The agent was sent an acknowledgement: there must be none. */
  acknowledged: number;
  /** When the checks that were never run were due, in seconds of the run: the first and the last one. */
  neverRunAtS: [first: number, last: number] | null;
}

/** The runs of some agents, and whether these agents are lost. */
export interface KnownRuns {
  isLost: boolean;
  stateOf(runs: readonly SeriesRun[]): Promise<RunState[]>;
}

/** More than these are not looked up. */
const MOST_RUNS = 100_000;

/** Finds the series without a result in a minute, and asks the agents what became of each. */
export async function examineMissing(
  { client }: Cell,
  agents: readonly KnownRuns[],
  fromMs: number,
  toMs: number,
): Promise<MissingRuns> {
  const { rows } = await client.query<{ monitorKey: string; region: number; minute: Date; dueMs: number | null }>(
    `SELECT monitor_key AS "monitorKey", region, minute, due.ms AS "dueMs"
     FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 minute', interval '1 minute') AS minute
       CROSS JOIN series
       LEFT JOIN LATERAL (
         SELECT (extract(epoch FROM last_scheduled_at) * 1000 - floor(extract(epoch FROM last_scheduled_at) / 60) * 60000)::float8 AS ms) AS due ON true
     WHERE NOT EXISTS (
       SELECT FROM check_result result
       WHERE result.monitor_key = series.monitor_key AND result.region = series.region
         AND result.scheduled_at >= minute AND result.scheduled_at < minute + interval '1 minute')
     LIMIT ${MOST_RUNS}`,
    [new Date(fromMs), new Date(toMs)],
  );
  const runs = rows.map(({ monitorKey, region, minute }) => ({
    monitorKey: Number(monitorKey),
    region: regionOfCode(region),
    minute: minute.getTime() / MINUTE_MS,
  }));
  const states = await Promise.all(
    agents.map(async ({ isLost, stateOf }) => ({ isLost, states: await stateOf(runs) })),
  );
  const missing: MissingRuns = {
    neverRun: 0,
    withLostAgents: 0,
    notAcknowledged: 0,
    acknowledged: 0,
    neverRunAtS: null,
  };
  for (const [index, { minute, dueMs }] of rows.entries()) {
    const is = (state: RunState, lost?: boolean): boolean =>
      states.some((own) => own.states[index] === state && (lost === undefined || own.isLost === lost));
    if (is('acknowledged')) missing.acknowledged++;
    else if (is('done', false)) missing.notAcknowledged++;
    else if (is('done', true)) missing.withLostAgents++;
    else {
      missing.neverRun++;
      // A series has the same second in each minute.
      const atS = (minute.getTime() + (dueMs ?? 0) - fromMs) / SECOND_MS;
      const [first, last] = missing.neverRunAtS ?? [atS, atS];
      missing.neverRunAtS = [Math.min(first, atS), Math.max(last, atS)];
    }
  }
  return missing;
}
