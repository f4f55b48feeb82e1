import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';

/** An agent's stream, as the process that holds it writes it down. */
export interface Lease {
  agentId: string;
  region: Region;
  sessionId: string;
  capabilities: readonly CheckKind[];
}

/** A process that has not been seen for so long is forgotten. */
const FORGET_AFTER = '1 day';

/**
 * A sign of life. A process that gave none for longer than `leaseMs` begins anew: whatever it did not hear of meanwhile,
 * nobody's absence is held against them before they had time to come back.
 */
export async function renewProcess(tx: Tx, processId: string, leaseMs: number): Promise<void> {
  await tx.query(
    `WITH forgotten AS (DELETE FROM fleet_process WHERE seen < now() - interval '${FORGET_AFTER}' AND id <> $1)
     INSERT INTO fleet_process AS process (id, live_since, seen) VALUES ($1, clock_timestamp(), clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, stopped = false,
       live_since = CASE WHEN process.stopped OR process.seen < excluded.seen - make_interval(secs => $2::float8 / 1000)
                         THEN excluded.seen ELSE process.live_since END`,
    [processId, leaseMs],
  );
}

/** The process goes in good order: its agents are waited for from now on. */
export async function stopProcess(tx: Tx, processId: string): Promise<void> {
  await tx.query('UPDATE fleet_process SET stopped = true, seen = clock_timestamp() WHERE id = $1', [processId]);
}

/** These streams are the agents' newest, wherever the ones before ended. */
export async function takeLeases(tx: Tx, processId: string, leases: readonly Lease[]): Promise<void> {
  await tx.query(
    `INSERT INTO fleet_lease (agent_id, region, process_id, session_id, connected, capabilities)
     SELECT id, lease.region, $1, session, true, ARRAY(SELECT jsonb_array_elements_text(kinds))
       FROM jsonb_to_recordset($2::jsonb) AS lease (id uuid, region text, session uuid, kinds jsonb)
       JOIN agent USING (id) ORDER BY id
     ON CONFLICT (agent_id) DO UPDATE SET region = excluded.region, process_id = excluded.process_id,
       session_id = excluded.session_id, connected = true, left_at = NULL, capabilities = excluded.capabilities,
       gained_epoch = NULL`,
    [
      processId,
      JSON.stringify(
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

/** These streams are over; where a newer one took over nothing happens. */
export async function dropLeases(tx: Tx, leases: readonly Lease[]): Promise<void> {
  await tx.query(
    `UPDATE fleet_lease lease SET connected = false, left_at = clock_timestamp()
       FROM unnest($1::uuid[]) AS over (session_id)
      WHERE lease.session_id = over.session_id AND lease.agent_id = ANY($2::uuid[]) AND connected`,
    [leases.map(({ sessionId }) => sessionId), leases.map(({ agentId }) => agentId)],
  );
}

export async function recordTakeovers(tx: Tx, gains: readonly { lease: Lease; epoch: string }[]): Promise<void> {
  await tx.query(
    `UPDATE fleet_lease lease SET gained_epoch = gain.epoch
       FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS gain (agent_id, session_id, epoch)
      WHERE lease.agent_id = gain.agent_id AND lease.session_id = gain.session_id`,
    [
      gains.map(({ lease }) => lease.agentId),
      gains.map(({ lease }) => lease.sessionId),
      gains.map(({ epoch }) => epoch),
    ],
  );
}

/** The processes that hold streams of agents of a region that can run a kind, those with most of them first. */
export async function processesWithAgents(
  tx: Tx,
  { region, kind, leaseMs }: { region: Region; kind: CheckKind; leaseMs: number },
): Promise<string[]> {
  const rows = await tx.query<{ processId: string }>(
    `SELECT lease.process_id AS "processId"
       FROM fleet_lease lease JOIN fleet_process process ON process.id = lease.process_id JOIN agent ON agent.id = agent_id
      WHERE lease.region = $1 AND connected AND $2 = ANY(lease.capabilities) AND agent.status <> 'revoked'
        AND NOT stopped AND seen > clock_timestamp() - make_interval(secs => $3::float8 / 1000)
      GROUP BY lease.process_id ORDER BY count(*) DESC, lease.process_id`,
    [region, kind, leaseMs],
  );
  return rows.map(({ processId }) => processId);
}

/** How many agents are connected, over all processes that are alive. */
export async function countConnected(tx: Tx, leaseMs: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*) AS count FROM fleet_lease lease JOIN fleet_process process ON process.id = lease.process_id
      WHERE connected AND NOT stopped AND seen > clock_timestamp() - make_interval(secs => $1::float8 / 1000)`,
    [leaseMs],
  );
  return row!.count;
}
