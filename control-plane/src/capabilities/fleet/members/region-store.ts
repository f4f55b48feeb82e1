import type { CheckKind } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { AgentStatus } from '../agents/agent-store.js';

/** Which agents share a region's checks. The epoch moves on whenever the members do, or what one of them can run. */
export interface Membership {
  epoch: number;
  /** Agent ids, sorted. */
  members: readonly string[];
  /** What each member can run, by its id. */
  capabilities: Capabilities;
}

/** Who shared the checks at an epoch that is over. */
export interface FormerMembership {
  epoch: number;
  /** When it ended, by the database's clock; ms since the epoch. */
  endedMs: number;
  /** What each member could run, and up to which epoch it had acknowledged what it gained when this one ended. */
  members: Readonly<Record<string, { kinds: readonly CheckKind[]; gained: number | null }>>;
}

export type Capabilities = Readonly<Record<string, readonly CheckKind[]>>;

/** An agent of a region that is a member, or connected to some process. */
export interface RegionAgent {
  agentId: string;
  status: AgentStatus;
  isMember: boolean;
  /** What it is taken to run at the region's epoch. */
  decided: readonly CheckKind[];
  /** Its newest stream; null where it has had none. */
  sessionId: string | null;
  /** What it can run as it said on that stream. */
  capabilities: readonly CheckKind[] | null;
  gainedEpoch: number | null;
  /** That stream is open, at a process that is alive. */
  isLive: boolean;
  /** How long it is still waited for, ms; at most 0 where it is not. */
  awaitedMs: number;
}

export interface RegionFacts {
  membership: Membership;
  agents: readonly RegionAgent[];
  /** Of the last minute, newest first. */
  former: readonly FormerMembership[];
  /** The moment of all this, by the database's clock; ms since the epoch. */
  nowMs: number;
  /** Whether the process that asks counts as alive: otherwise nothing may be decided by these facts. */
  isAlive: boolean;
}

export interface RegionQuery {
  region: Region;
  /** Who asks. */
  processId: string;
  /** After how long without a sign of life a process counts as dead, ms. */
  leaseMs: number;
  /** How long an agent whose stream broke is waited for, ms. */
  departureMs: number;
  /** How long agents are waited for after their process died, and after a time in which no process was there, ms. */
  graceMs: number;
}

/**
 * Everything that the members of a region follow from, in one statement and thus at one moment. All times are the
 * database's: the clocks of processes may differ.
 */
export async function readRegion(tx: Tx, question: RegionQuery): Promise<RegionFacts> {
  const { region, processId, leaseMs, departureMs, graceMs } = question;
  const rows = await tx.query<
    RegionAgent & { epoch: number; isAlive: boolean; former: FormerMembership[]; nowMs: number }
  >(
    `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
          live AS MATERIALIZED (
            SELECT id, live_since FROM fleet_process, moment
             WHERE NOT stopped AND seen > now - make_interval(secs => $3::float8 / 1000)
          ),
          up AS (SELECT min(live_since) AS since, coalesce(bool_or(id = $2), false) AS alive FROM live)
     SELECT region.epoch, region.former, (extract(epoch FROM now) * 1000)::float8 AS "nowMs", up.alive AS "isAlive", agent.id AS "agentId", agent.status, agent.capabilities AS decided,
            agent.id = ANY(region.members) AS "isMember", lease.session_id AS "sessionId", lease.capabilities,
            lease.gained_epoch AS "gainedEpoch", coalesce(lease.connected AND live.id IS NOT NULL, false) AS "isLive",
            coalesce(greatest(round(extract(epoch FROM
              CASE WHEN lease.connected THEN greatest(process.seen, up.since) + make_interval(secs => $5::float8 / 1000)
                   WHEN lease.left_at >= up.since THEN lease.left_at + make_interval(secs => $4::float8 / 1000)
                   ELSE up.since + make_interval(secs => $5::float8 / 1000) END - now) * 1000), -1), 0)::int AS "awaitedMs"
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
      capabilities: Object.fromEntries(members.map(({ agentId, decided }) => [agentId, decided])),
    },
    agents: rows,
    former: rows[0]?.former ?? [],
    nowMs: rows[0]?.nowMs ?? 0,
    isAlive: rows[0]?.isAlive ?? false,
  };
}

/** Makes a region where it is new. Its epoch is the time, so that one made again after a loss of data is never taken for the old one. */
export async function createRegion(tx: Tx, region: Region, nowMs: number): Promise<void> {
  await tx.query('INSERT INTO fleet_region (region, epoch) VALUES ($1, $2) ON CONFLICT (region) DO NOTHING', [
    region,
    nowMs,
  ]);
}

/** Keeps a region's membership as it is until the transaction ends: one process decides at a time. */
export async function lockRegion(tx: Tx, region: Region): Promise<void> {
  await tx.query('SELECT FROM fleet_region WHERE region = $1 FOR UPDATE', [region]);
}

/** Members, epoch, who they were before, and what each can run, under the region's lock alone: at one epoch everybody sees the same. */
export async function saveMembership(
  tx: Tx,
  region: Region,
  { epoch, members }: Membership,
  learnt: Capabilities,
  former: readonly FormerMembership[] = [],
): Promise<void> {
  await tx.query('UPDATE fleet_region SET epoch = $2, members = $3::uuid[], former = $4::jsonb WHERE region = $1', [
    region,
    epoch,
    members,
    JSON.stringify(former),
  ]);
  for (const [agentId, kinds] of Object.entries(learnt))
    await tx.query('UPDATE agent SET capabilities = $2 WHERE id = $1', [agentId, kinds]);
}
