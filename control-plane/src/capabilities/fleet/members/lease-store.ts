import type { CheckKind } from '@watchpost/shared/check';
import type { Place } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { jsonText } from '../../../platform/db/json-text.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { valuesOf } from '../../../platform/db/values-of.js';

/** The claim of a process on a connected agent, held through the agent's assignment stream. */
export interface Lease {
  agentId: string;
  region: Place;
  /** Identifies the stream. */
  sessionId: string;
  capabilities: readonly CheckKind[];
}

/** The row of a process without a sign of life for this long is deleted. */
const FORGET_AFTER = '1 day';

/**
 * Stores a sign of life of a process. If the last one is older than `leaseMs`, the process counts as live from now on
 * only, so that the agents that left meanwhile get their full time to return.
 */
export async function renewProcess(tx: Tx, processId: string, leaseMs: number): Promise<void> {
  await keptStatements(tx).query(
    `WITH forgotten AS (DELETE FROM fleet_process WHERE seen < now() - interval '${FORGET_AFTER}' AND id <> $1)
     INSERT INTO fleet_process AS process (id, live_since, seen) VALUES ($1, clock_timestamp(), clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, stopped = false,
       live_since = CASE WHEN process.stopped OR process.seen < excluded.seen - make_interval(secs => $2::float8 / 1000)
                         THEN excluded.seen ELSE process.live_since END`,
    [processId, leaseMs],
  );
}

/** Marks a process as stopped: its agents are awaited from now on. */
export async function stopProcess(tx: Tx, processId: string): Promise<void> {
  await tx.query('UPDATE fleet_process SET stopped = true, seen = clock_timestamp() WHERE id = $1', [processId]);
}

/** Stores these streams as the newest of their agents, in place of streams of any process. */
export async function takeLeases(tx: Tx, processId: string, leases: readonly Lease[]): Promise<void> {
  await tx.query(
    `INSERT INTO fleet_lease (agent_id, region, process_id, session_id, connected, taken_at, capabilities)
     SELECT id, lease.region, $1, session, true, clock_timestamp(), ARRAY(SELECT jsonb_array_elements_text(kinds))
       FROM jsonb_to_recordset($2::jsonb) AS lease (id uuid, region text, session uuid, kinds jsonb)
       JOIN agent USING (id) ORDER BY id
     ON CONFLICT (agent_id) DO UPDATE SET region = excluded.region, process_id = excluded.process_id,
       session_id = excluded.session_id, connected = true, taken_at = excluded.taken_at, left_at = NULL,
       capabilities = excluded.capabilities, taken_over_epoch = NULL`,
    [
      processId,
      jsonText(
        leases.map(({ agentId, region, sessionId, capabilities }) => ({
          id: agentId,
          region,
          session: sessionId,
          kinds: capabilities,
        })),
      ),
    ],
  );
}

/** Stores that these streams are over. Agents with a newer stream are left unchanged. */
export async function dropLeases(tx: Tx, leases: readonly Lease[]): Promise<void> {
  await tx.query(
    `UPDATE fleet_lease lease SET connected = false, left_at = clock_timestamp()
       FROM unnest($1::uuid[]) AS over (session_id)
      WHERE lease.session_id = over.session_id AND lease.agent_id = ANY($2::uuid[]) AND connected`,
    valuesOf(leases, 'sessionId', 'agentId'),
  );
}

/** Stores the newest epoch of which each agent has taken over all its checks. */
export async function recordTakeovers(tx: Tx, takeovers: readonly { lease: Lease; epoch: string }[]): Promise<void> {
  await tx.query(
    `UPDATE fleet_lease lease SET taken_over_epoch = takeover.epoch
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS takeover (agent_id, session_id, epoch)
      WHERE lease.agent_id = takeover.agent_id AND lease.session_id = takeover.session_id`,
    [
      takeovers.map(({ lease }) => lease.agentId),
      takeovers.map(({ lease }) => lease.sessionId),
      takeovers.map(({ epoch }) => epoch),
    ],
  );
}

/** The processes with connected agents of a region that can run a kind, those with most agents first. */
export async function processesWithAgents(
  tx: Tx,
  { region, kind, leaseMs }: { region: Place; kind: CheckKind; leaseMs: number },
): Promise<string[]> {
  return tx.column(
    `SELECT lease.process_id AS "processId"
       FROM fleet_lease lease JOIN fleet_process process ON process.id = lease.process_id JOIN agent ON agent.id = agent_id
      WHERE lease.region = $1 AND connected AND $2 = ANY(lease.capabilities) AND agent.status <> 'revoked'
        AND NOT stopped AND seen > clock_timestamp() - make_interval(secs => $3::float8 / 1000)
      GROUP BY lease.process_id ORDER BY count(*) DESC, lease.process_id`,
    [region, kind, leaseMs],
  );
}

/** Counts the connected agents over all live processes. */
export async function countConnected(tx: Tx, leaseMs: number): Promise<number> {
  return tx.value(
    `SELECT count(*) AS count FROM fleet_lease lease JOIN fleet_process process ON process.id = lease.process_id
      WHERE connected AND NOT stopped AND seen > clock_timestamp() - make_interval(secs => $1::float8 / 1000)`,
    [leaseMs],
  );
}
