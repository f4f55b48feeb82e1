import type { AgentHeartbeat, Visibility } from '@watchpost/shared/wire/messages';
import type { Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import type { Region } from '@watchpost/shared/region';

export type AgentStatus = 'active' | 'draining' | 'revoked';

export interface AgentRow {
  id: string;
  key: number;
  name: string;
  region: Region;
  status: AgentStatus;
}

/** Decides whether an agent's streams may stay open. A changed key means that the agent enrolled again. */
export interface AgentCredentialState {
  status: AgentStatus;
  /** SHA-256 of the public key that used the agent's token; null if the token is unused. */
  enrolledKey: Buffer | null;
}

export interface AgentDetails extends AgentRow {
  version: string | null;
  lastSeen: Date | null;
  checks: number;
  spoolDepth: number;
  lagP99Us: number;
  visibility: Visibility;
  created: Date;
  /** When the last of its certificates expires; null if it has none. */
  certificateExpires: Date | null;
}

/** @returns false if another agent of the region, not revoked, has this name */
export async function insertAgent(
  tx: Tx,
  agent: { id: string; name: string; region: Region; tokenHash: Buffer },
  nowMs: number,
): Promise<boolean> {
  const inserted = await tx.execute(
    `INSERT INTO agent (id, name, region, token_hash, created, last_modified) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (region, name) WHERE status <> 'revoked' DO NOTHING`,
    [agent.id, agent.name, agent.region, agent.tokenHash, new Date(nowMs)],
  );
  return inserted === 1;
}

export async function findAgentByTokenHash(
  tx: Tx,
  tokenHash: Buffer,
): Promise<(AgentRow & AgentCredentialState & { spent: boolean }) | undefined> {
  const rows = await tx.query<AgentRow & AgentCredentialState & { spent: boolean }>(
    `SELECT id, key, name, region, status, enrolled_key AS "enrolledKey", token_spent IS NOT NULL AS spent
       FROM agent WHERE token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/**
 * Replaces an agent's token. The former one is invalid at once. Certificates stay valid until the new token is used.
 * @returns false if the agent is revoked
 */
export async function replaceToken(tx: Tx, id: string, tokenHash: Buffer, nowMs: number): Promise<boolean> {
  const replaced = await tx.execute(
    `UPDATE agent SET token_hash = $2, token_spent = NULL, enrolled_key = NULL, last_modified = $3
     WHERE id = $1 AND status <> 'revoked'`,
    [id, tokenHash, new Date(nowMs)],
  );
  return replaced === 1;
}

/** Every agent, the revoked ones last. */
export async function selectAgents(tx: Tx): Promise<AgentDetails[]> {
  return await tx.query<AgentDetails>(
    `SELECT id, key, name, region, status, version, last_seen AS "lastSeen", checks, spool_depth AS "spoolDepth",
            lag_p99_us AS "lagP99Us", visibility, created,
            (SELECT max(expires) FROM agent_certificate WHERE agent_id = agent.id) AS "certificateExpires"
       FROM agent ORDER BY status = 'revoked', region, name, created`,
  );
}

/** By region: how many agents have sent a heartbeat since then, and the longest start lag of those, 99th percentile. */
export async function selectRegionAgents(
  tx: Tx,
  since: Date,
): Promise<{ region: Region; connected: number; lagP99Us: number | null }[]> {
  return await tx.query(
    `SELECT region, count(*) AS connected, max(lag_p99_us) AS "lagP99Us" FROM agent
     WHERE status <> 'revoked' AND last_seen > $1 GROUP BY region`,
    [since],
  );
}

/** Finds agents by id, or by name and optionally region. Revoked agents are found only by id. */
export async function findAgents(
  tx: Tx,
  by: { id: string } | { name: string; region: Region | null },
): Promise<AgentRow[]> {
  const columns = 'SELECT id, key, name, region, status FROM agent';
  if ('id' in by) return await tx.query<AgentRow>(`${columns} WHERE id = $1`, [by.id]);
  return await tx.query<AgentRow>(
    `${columns} WHERE name = $1 AND ($2::text IS NULL OR region = $2) AND status <> 'revoked' ORDER BY region`,
    [by.name, by.region],
  );
}

/** Has no effect on a revoked agent. */
export async function setAgentStatus(tx: Tx, id: string, status: AgentStatus, nowMs: number): Promise<void> {
  await tx.query(`UPDATE agent SET status = $2, last_modified = $3 WHERE id = $1 AND status <> 'revoked'`, [
    id,
    status,
    new Date(nowMs),
  ]);
}

/** @returns false if the agent has been seen since then */
export async function removeAgent(tx: Tx, id: string, silentSince: Date): Promise<boolean> {
  return (
    (await tx.execute('DELETE FROM agent WHERE id = $1 AND coalesce(last_seen < $2, true)', [id, silentSince])) > 0
  );
}

export async function recordHello(tx: Tx, id: string, version: string, nowMs: number): Promise<void> {
  await tx.query('UPDATE agent SET version = $2, last_seen = $3 WHERE id = $1', [id, version, new Date(nowMs)]);
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
    [
      heartbeats.map(({ agentId }) => agentId),
      heartbeats.map(({ receivedAtMs }) => receivedAtMs),
      heartbeats.map(({ checks }) => checks),
      heartbeats.map(({ spoolDepth }) => spoolDepth),
      heartbeats.map(({ lagP99Us }) => lagP99Us),
      heartbeats.map(({ visibility }) => visibility),
    ],
  );
}

export async function selectCredentialStates(
  tx: Tx,
  ids: readonly string[],
): Promise<(AgentCredentialState & { id: string })[]> {
  return await keptStatements(tx).query(
    'SELECT id, status, enrolled_key AS "enrolledKey" FROM agent WHERE id = ANY($1::uuid[])',
    [ids],
  );
}
