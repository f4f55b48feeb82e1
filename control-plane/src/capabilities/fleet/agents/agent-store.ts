import type { AgentHeartbeat, AgentHello, PlaceEgress } from '@watchpost/shared/wire/messages';
import type { Tx } from '../../../platform/db/database.js';
import { insertUnlessThere } from '../../../platform/db/insert-unless-there.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { valuesOf } from '../../../platform/db/values-of.js';
import type { Place, Region } from '@watchpost/shared/region';
import { Not } from 'typeorm';
import { AgentEntity, type AgentStatus } from './agent.entity.js';

export type AgentRow = Pick<AgentEntity, 'id' | 'key' | 'name' | 'region' | 'status'>;

export interface AdmittedAgent extends AgentRow, AgentCredentialState, Pick<AgentEntity, 'workspaceId'> {
  /** Of its private location; null for an agent of a region. */
  locationCode: number | null;
}

const EGRESS = `CASE WHEN agent.workspace_id IS NOT NULL THEN (
  SELECT jsonb_build_object('allowCidrs', allow_cidrs, 'denyCidrs', deny_cidrs) FROM private_location
  WHERE id = agent.region::uuid) END AS egress`;

export const ADMITTED = `agent.id, agent.key, agent.name, agent.region, agent.status, agent.enrolled_key AS "enrolledKey",
  agent.workspace_id AS "workspaceId", CASE WHEN agent.workspace_id IS NOT NULL
    THEN (SELECT code FROM private_location WHERE id = agent.region::uuid) END AS "locationCode", ${EGRESS}`;

/** Decides whether an agent's streams may stay open, and what they send to it. A changed key means that the agent enrolled again. */
export interface AgentCredentialState extends Pick<AgentEntity, 'status' | 'enrolledKey'> {
  /** The ranges of its private location; null for an agent of a region. */
  egress: PlaceEgress | null;
}

type AgentReport = Pick<
  AgentEntity,
  | 'version'
  | 'platform'
  | 'canTrace'
  | 'capabilities'
  | 'lastSeen'
  | 'checks'
  | 'spoolDepth'
  | 'lagP99Us'
  | 'visibility'
  | 'created'
>;

export interface AgentDetails extends AgentRow, AgentReport {
  /** When the last of its certificates expires; null if it has none. */
  certificateExpires: Date | null;
}

/** @returns false if another agent of the place, not revoked, has this name */
export async function insertAgent(
  tx: Tx,
  agent: Pick<AgentEntity, 'id' | 'name' | 'region' | 'workspaceId' | 'tokenHash'>,
  nowMs: number,
): Promise<boolean> {
  const now = new Date(nowMs);
  return insertUnlessThere(tx, AgentEntity, { ...agent, created: now, lastModified: now });
}

export async function findAgentByTokenHash(
  tx: Tx,
  tokenHash: Buffer,
): Promise<(AdmittedAgent & { spent: boolean }) | undefined> {
  return tx.one(`SELECT ${ADMITTED}, token_spent IS NOT NULL AS spent FROM agent WHERE token_hash = $1`, [tokenHash]);
}

/**
 * Replaces an agent's token. The former one is invalid at once. Certificates stay valid until the new token is used.
 * @returns false if the agent is revoked
 */
export async function replaceToken(tx: Tx, id: string, tokenHash: Buffer, nowMs: number): Promise<boolean> {
  const unspent = { tokenHash, tokenSpent: null, enrolledKey: null, lastModified: new Date(nowMs) };
  return (await tx.manager.update(AgentEntity, { id, status: Not('revoked') }, unspent)).affected === 1;
}

const DETAILS = `SELECT id, key, name, region, status, version, platform, can_trace AS "canTrace", capabilities, last_seen AS "lastSeen", checks, spool_depth AS "spoolDepth",
    lag_p99_us AS "lagP99Us", visibility, created,
    (SELECT max(expires) FROM agent_certificate WHERE agent_id = agent.id) AS "certificateExpires"
  FROM agent`;

/** Every agent, the revoked ones last. */
export async function selectAgents(tx: Tx): Promise<AgentDetails[]> {
  return await tx.query<AgentDetails>(`${DETAILS} ORDER BY status = 'revoked', region, name, created`);
}

/** The agents of a place that are not revoked, newest first. */
export async function selectAgentsAt(tx: Tx, region: Place): Promise<AgentDetails[]> {
  return await tx.query<AgentDetails>(
    `${DETAILS} WHERE region = $1 AND status <> 'revoked' ORDER BY created DESC, id DESC`,
    [region],
  );
}

/** By region: how many agents have sent a heartbeat since then, and the longest start lag of those, 99th percentile. */
export async function selectRegionAgents(
  tx: Tx,
  since: Date,
): Promise<{ region: Region; connected: number; lagP99Us: number | null }[]> {
  return await tx.query(
    `SELECT region, count(*) AS connected, max(lag_p99_us) AS "lagP99Us" FROM agent
     WHERE status <> 'revoked' AND workspace_id IS NULL AND last_seen > $1 GROUP BY region`,
    [since],
  );
}

/** Finds agents by id, or by name and optionally region. Revoked agents are found only by id. */
export async function findAgents(
  tx: Tx,
  by: { id: string } | { name: string; region: Place | null },
): Promise<AgentRow[]> {
  if ('id' in by) return tx.manager.findBy(AgentEntity, by);
  const where = { name: by.name, ...(by.region && { region: by.region }), status: Not('revoked' as const) };
  return tx.manager.find(AgentEntity, { where, order: { region: 'ASC' } });
}

/** Has no effect on a revoked agent. */
export async function setAgentStatus(tx: Tx, id: string, status: AgentStatus, nowMs: number): Promise<void> {
  await tx.manager.update(AgentEntity, { id, status: Not('revoked') }, { status, lastModified: new Date(nowMs) });
}

export async function revokeAgentsAt(tx: Tx, region: Place, nowMs: number): Promise<void> {
  const revoked = { status: 'revoked' as const, lastModified: new Date(nowMs) };
  await tx.manager.update(AgentEntity, { region, status: Not('revoked') }, revoked);
}

/** @returns false if the agent has been seen since then */
export async function removeAgent(tx: Tx, id: string, silentSince: Date): Promise<boolean> {
  return (
    (await tx.execute('DELETE FROM agent WHERE id = $1 AND coalesce(last_seen < $2, true)', [id, silentSince])) > 0
  );
}

export async function recordHello(
  tx: Tx,
  id: string,
  { agentVersion: version, platform, canTrace }: Pick<AgentHello, 'agentVersion' | 'platform' | 'canTrace'>,
  nowMs: number,
): Promise<void> {
  await tx.manager.update(
    AgentEntity,
    { id },
    { version, ...(platform && { platform }), canTrace: canTrace ?? null, lastSeen: new Date(nowMs) },
  );
}

export interface ReceivedHeartbeat extends AgentHeartbeat {
  agentId: string;
  receivedAtMs: number;
}

/** Stores the heartbeats of many agents in one statement, which locks the agents in order: another process may store some too. */
export async function recordHeartbeats(tx: Tx, heartbeats: readonly ReceivedHeartbeat[]): Promise<void> {
  await keptStatements(tx).query(
    `WITH locked AS MATERIALIZED (SELECT id FROM agent WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)
     UPDATE agent SET last_seen = greatest(agent.last_seen, to_timestamp(heartbeat.received_ms / 1000.0)),
            checks = heartbeat.checks, spool_depth = heartbeat.spool_depth, lag_p99_us = heartbeat.lag_p99_us,
            visibility = heartbeat.visibility
       FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::text[])
         AS heartbeat (id, received_ms, checks, spool_depth, lag_p99_us, visibility)
       JOIN locked USING (id)
      WHERE agent.id = heartbeat.id`,
    valuesOf(heartbeats, 'agentId', 'receivedAtMs', 'checks', 'spoolDepth', 'lagP99Us', 'visibility'),
  );
}

export async function selectCredentialStates(
  tx: Tx,
  ids: readonly string[],
): Promise<(AgentCredentialState & { id: string })[]> {
  return await keptStatements(tx).query(
    `SELECT id, status, enrolled_key AS "enrolledKey", ${EGRESS} FROM agent WHERE id = ANY($1::uuid[])`,
    [ids],
  );
}
