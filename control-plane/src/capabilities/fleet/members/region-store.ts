import type { CheckKind } from '@watchpost/shared/check';
import type { Place } from '@watchpost/shared/region';
import { insertUnlessThere } from '../../../platform/db/insert-unless-there.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { jsonText } from '../../../platform/db/json-text.js';
import type { Tx } from '../../../platform/db/database.js';
import type { AgentStatus } from '../agents/agent.entity.js';
import { FleetRegionEntity } from './membership.entity.js';

/** The agents among which a region's checks are divided. Each change of members or their capabilities starts an epoch. */
export interface Membership {
  epoch: number;
  /** Agent ids, sorted. */
  members: readonly string[];
  capabilities: Capabilities;
}

/** The membership of an epoch that is over. */
export interface FormerMembership {
  epoch: number;
  /** When it ended, by the database's clock; ms since the epoch. */
  endedMs: number;
  /** By agent id: its capabilities, and the newest epoch of which it had taken over all its checks when this one ended. */
  members: Readonly<Record<string, { kinds: readonly CheckKind[]; takenOverEpoch: number | null }>>;
}

/** The kinds of checks that each agent can run, by agent id. */
export type Capabilities = Readonly<Record<string, readonly CheckKind[]>>;

export interface RegionAgent {
  agentId: string;
  status: AgentStatus;
  isMember: boolean;
  /** Its capabilities in the region's present epoch. */
  epochCapabilities: readonly CheckKind[];
  /** Its newest stream; null if it never had one. */
  sessionId: string | null;
  /** The capabilities that it reported on that stream. */
  reportedCapabilities: readonly CheckKind[] | null;
  takenOverEpoch: number | null;
  /** Whether that stream is open, at a live process. */
  isLive: boolean;
  /** For how long that stream has been open, ms. */
  connectedMs: number;
  /** For how long the agent is still awaited, ms. If it is not: 0, or since when it is not as a negative number. */
  awaitedMs: number;
}

export interface RegionFacts {
  membership: Membership;
  agents: readonly RegionAgent[];
  /** Memberships that ended in the last minute, newest first. */
  former: readonly FormerMembership[];
  /** When the facts were read, by the database's clock; ms since the epoch. */
  nowMs: number;
  /** Whether the asking process counts as alive. If not, it must not decide by these facts. */
  isAlive: boolean;
}

export interface RegionQuery {
  region: Place;
  processId: string;
  /** A process without a sign of life for this long counts as dead, ms. */
  leaseMs: number;
  /** For how long an agent is awaited after its stream broke, ms. */
  departureMs: number;
  /** For how long agents are awaited after their process died, and after a time without any live process, ms. */
  graceMs: number;
}

/** Ages above it make no difference. */
const AGE_LIMIT_MS = 60_000;

/**
 * Reads all facts from which the members of a region are decided. One statement reads them, so that they belong to one
 * moment. All times are the database's, because the clocks of processes may differ.
 */
export async function readRegion(tx: Tx, query: RegionQuery): Promise<RegionFacts> {
  const { region, processId, leaseMs, departureMs, graceMs } = query;
  const rows = await keptStatements(tx).query<
    RegionAgent & { epoch: number; isAlive: boolean; former: FormerMembership[]; nowMs: number }
  >(
    `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
          live AS MATERIALIZED (
            SELECT id, live_since FROM fleet_process, moment
             WHERE NOT stopped AND seen > now - make_interval(secs => $3::float8 / 1000)
          ),
          up AS (SELECT min(live_since) AS since, coalesce(bool_or(id = $2), false) AS alive FROM live)
     SELECT region.epoch, region.former, (extract(epoch FROM now) * 1000)::float8 AS "nowMs", up.alive AS "isAlive",
            agent.id AS "agentId", agent.status, agent.capabilities AS "epochCapabilities",
            agent.id = ANY(region.members) AS "isMember", lease.session_id AS "sessionId",
            lease.capabilities AS "reportedCapabilities", lease.taken_over_epoch AS "takenOverEpoch",
            coalesce(lease.connected AND live.id IS NOT NULL, false) AS "isLive",
            coalesce(greatest(round(extract(epoch FROM
              CASE WHEN lease.connected THEN greatest(process.seen, up.since) + make_interval(secs => $5::float8 / 1000)
                   WHEN lease.left_at >= up.since THEN lease.left_at + make_interval(secs => $4::float8 / 1000)
                   ELSE up.since + make_interval(secs => $5::float8 / 1000) END - now) * 1000), ${-AGE_LIMIT_MS}), 0)::int AS "awaitedMs",
            -- A process of a former version stores no time: such an agent joins at once.
            coalesce(least(extract(epoch FROM now - lease.taken_at) * 1000, ${AGE_LIMIT_MS}), ${AGE_LIMIT_MS})::int AS "connectedMs"
       FROM fleet_region region CROSS JOIN moment CROSS JOIN up
       JOIN agent ON agent.region = region.region
       LEFT JOIN fleet_lease lease ON lease.agent_id = agent.id
       LEFT JOIN fleet_process process ON process.id = lease.process_id
       LEFT JOIN live ON live.id = lease.process_id
      WHERE region.region = $1 AND (agent.id = ANY(region.members) OR (lease.connected AND live.id IS NOT NULL))`,
    [region, processId, leaseMs, departureMs, graceMs],
  );
  const members = rows.filter(({ isMember }) => isMember).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
  return {
    membership: {
      epoch: rows[0]?.epoch ?? 0,
      members: members.map(({ agentId }) => agentId),
      capabilities: Object.fromEntries(members.map(({ agentId, epochCapabilities }) => [agentId, epochCapabilities])),
    },
    agents: rows,
    former: rows[0]?.former ?? [],
    nowMs: rows[0]?.nowMs ?? 0,
    isAlive: rows[0]?.isAlive ?? false,
  };
}

/**
 * Creates a region if it is new. Its first epoch is the present time: if the region is created again after a loss of data,
 * no agent takes the epoch for one that it knows.
 */
export async function createRegion(tx: Tx, region: Place, nowMs: number): Promise<void> {
  await insertUnlessThere(tx, FleetRegionEntity, { region, epoch: nowMs });
}

/**
 * Ends the membership of an agent that is deleted, as a new epoch. The caller holds the region's lock. The former epoch is not
 * kept: the agent was silent for so long that nobody catches up with what it had.
 */
export async function forgetMember(tx: Tx, region: Place, agentId: string): Promise<void> {
  await tx.query(
    `UPDATE fleet_region SET epoch = epoch + 1, members = array_remove(members, $2)
     WHERE region = $1 AND $2 = ANY(members)`,
    [region, agentId],
  );
}

/** Locks a region's membership until the transaction ends, so that one process decides at a time. */
export async function lockRegion(tx: Tx, region: Place): Promise<void> {
  await tx.query('SELECT FROM fleet_region WHERE region = $1 FOR UPDATE', [region]);
}

/** Stores a new membership. The caller holds the region's lock, so that every process reads the same members for an epoch. */
export async function saveMembership(
  tx: Tx,
  region: Place,
  { epoch, members }: Membership,
  changed: Capabilities,
  former: readonly FormerMembership[] = [],
): Promise<void> {
  await tx.query('UPDATE fleet_region SET epoch = $2, members = $3::uuid[], former = $4::jsonb WHERE region = $1', [
    region,
    epoch,
    members,
    jsonText(former),
  ]);
  // In the order in which heartbeats lock agents.
  for (const [agentId, kinds] of Object.entries(changed).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await tx.query('UPDATE agent SET capabilities = $2 WHERE id = $1', [agentId, kinds]);
}
