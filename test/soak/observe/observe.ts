import { regionOfCode, type Region } from '@watchpost/shared/region';
import type { MonitorRow, Request, StoredIncident, StoredResult } from '../judge/observation.js';
import type { SoakWorld } from '../world/soak-world.js';

export interface Stored {
  results: StoredResult[];
  incidents: StoredIncident[];
  monitors: Map<string, MonitorRow>;
  livingKeys: Set<number>;
  /** Messages that wait to be sent. */
  waiting: number;
}

export async function readStored(world: SoakWorld): Promise<Stored> {
  const results = await readResults(world);
  const incidents = await world.client.sql<StoredIncident>(
    `SELECT id, monitor_id AS "monitorId", incident_type AS type, is_closed AS "isClosed", failure_reason AS reason,
       (extract(epoch FROM started) * 1000)::float8 AS "startedMs", (extract(epoch FROM created) * 1000)::float8 AS "createdMs",
       (extract(epoch FROM ended) * 1000)::float8 AS "endedMs" FROM incident ORDER BY started`,
  );
  const [queue] = await world.client.sql<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM delivery WHERE state = 'waiting')::int
       + (SELECT count(*) FROM alert_event WHERE NOT fanned_out)::int AS waiting`,
  );
  const monitors = await world.client.sql<MonitorRow & { id: string; key: number; isDeleted: boolean }>(
    `SELECT id, key::int AS key, name, check_interval_ms AS "intervalMs", monitoring_status AS status,
       deleted_at IS NOT NULL AS "isDeleted" FROM monitor`,
  );
  const living = monitors.filter(({ isDeleted }) => !isDeleted);
  return {
    results,
    incidents,
    monitors: new Map(living.map((row) => [row.id, row])),
    livingKeys: new Set(living.map(({ key }) => key)),
    waiting: queue!.waiting,
  };
}

async function readResults(world: SoakWorld): Promise<StoredResult[]> {
  const rows = await world.client.sql<Omit<StoredResult, 'region'> & { code: number }>(
    `SELECT monitor_key::int AS key, kind, region AS code, outcome,
       (extract(epoch FROM scheduled_at) * 1000)::float8 AS "scheduledMs" FROM check_result`,
  );
  return rows.map(({ code, ...row }) => ({ ...row, region: regionOfCode(code) }));
}

/** What the targets saw, by subject. */
export async function readRequests(world: SoakWorld): Promise<Map<string, Request[]>> {
  const regionOf = new Map<string, Region>(world.agents.map(({ agent }) => [agent.address, agent.region]));
  const requests = new Map<string, Request[]>();
  for (const [subject, from, atMs, isGood] of await world.targets.seen()) {
    const own = requests.get(subject) ?? [];
    requests.set(subject, own);
    own.push({ region: regionOf.get(from) ?? null, atMs, isGood });
  }
  return requests;
}

/** The totals over REST of some monitors, and their stored conclusive results, of one period. */
export async function readTotals(
  world: SoakWorld,
  monitors: readonly { id: string; key: number; subject: string }[],
  results: readonly StoredResult[],
  fromMs: number,
  toMs: number,
): Promise<{ subject: string; reported: number; stored: number }[]> {
  const period = `startDate=${new Date(fromMs).toISOString()}&endDate=${new Date(toMs).toISOString()}`;
  const totals = [];
  for (const { id, key, subject } of monitors) {
    const { body } = await world.client.call<{ totalChecks: number }>(
      'GET',
      `/api/v1/monitor/${id}/availability?${period}`,
    );
    const stored = results.filter(
      (one) =>
        one.key === key &&
        one.kind !== SSL &&
        one.outcome !== INCONCLUSIVE &&
        one.scheduledMs >= fromMs &&
        one.scheduledMs < toMs,
    ).length;
    totals.push({ subject, reported: body.totalChecks, stored });
  }
  return totals;
}

const SSL = 2;
const INCONCLUSIVE = 3;
