import type { AgentHeartbeat } from '@watchpost/shared/wire/messages';
import type { Tx } from '../../../platform/db/database.js';
import type { Region } from '@watchpost/shared/region';

export type AgentStatus = 'active' | 'draining' | 'revoked';

export interface AgentRow {
  id: string;
  key: number;
  name: string;
  region: Region;
  status: AgentStatus;
}

/** What an agent is known by now: another public key than before is another machine, or another life of this one. */
export interface AgentCredentialState {
  status: AgentStatus;
  /** SHA-256 of the key that spent its token; null: none has. */
  enrolledKey: Buffer | null;
}

export interface AgentDetails extends AgentRow {
  version: string | null;
  lastSeen: Date | null;
  checks: number;
  spoolDepth: number;
  lagP99Us: number;
  sight: AgentHeartbeat['visibility'];
  created: Date;
  /** Of the certificate that holds longest; null: it has none. */
  certificateExpires: Date | null;
}

/** @returns false where another agent of that region, not revoked, has that name */
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

/** The token of before is not known any more; certificates stay until the new one is used. @returns false where the agent is revoked */
export async function replaceToken(tx: Tx, id: string, tokenHash: Buffer, nowMs: number): Promise<boolean> {
  const replaced = await tx.execute(
    `UPDATE agent SET token_hash = $2, token_spent = NULL, enrolled_key = NULL, last_modified = $3
     WHERE id = $1 AND status <> 'revoked'`,
    [id, tokenHash, new Date(nowMs)],
  );
  return replaced === 1;
}

/** Every agent, those that are revoked last. */
export async function selectAgents(tx: Tx): Promise<AgentDetails[]> {
  return await tx.query<AgentDetails>(
    `SELECT id, key, name, region, status, version, last_seen AS "lastSeen", checks, spool_depth AS "spoolDepth",
            lag_p99_us AS "lagP99Us", sight, created,
            (SELECT max(expires) FROM agent_certificate WHERE agent_id = agent.id) AS "certificateExpires"
       FROM agent ORDER BY status = 'revoked', region, name, created`,
  );
}

/** Agents by id, or by name where that is what the text is; those that are revoked only by id. */
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

/** A revoked agent stays revoked. */
export async function setAgentStatus(tx: Tx, id: string, status: AgentStatus, nowMs: number): Promise<void> {
  await tx.query(`UPDATE agent SET status = $2, last_modified = $3 WHERE id = $1 AND status <> 'revoked'`, [
    id,
    status,
    new Date(nowMs),
  ]);
}

export async function recordHello(tx: Tx, id: string, version: string, nowMs: number): Promise<void> {
  await tx.query('UPDATE agent SET version = $2, last_seen = $3 WHERE id = $1', [id, version, new Date(nowMs)]);
}

export interface ReceivedHeartbeat extends AgentHeartbeat {
  agentId: string;
  seenMs: number;
}

/** One statement for the whole fleet of this process. */
export async function recordHeartbeats(tx: Tx, pulses: readonly ReceivedHeartbeat[]): Promise<void> {
  await tx.query(
    `UPDATE agent SET last_seen = greatest(agent.last_seen, to_timestamp(pulse.seen_ms / 1000.0)), checks = pulse.checks,
            spool_depth = pulse.spool_depth, lag_p99_us = pulse.lag_p99_us, sight = pulse.sight
       FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::text[])
         AS pulse (id, seen_ms, checks, spool_depth, lag_p99_us, sight)
      WHERE agent.id = pulse.id`,
    [
      pulses.map((pulse) => pulse.agentId),
      pulses.map((pulse) => pulse.seenMs),
      pulses.map((pulse) => pulse.checks),
      pulses.map((pulse) => pulse.spoolDepth),
      pulses.map((pulse) => pulse.lagP99Us),
      pulses.map((pulse) => pulse.visibility),
    ],
  );
}

export async function selectCredentialStates(
  tx: Tx,
  ids: readonly string[],
): Promise<(AgentCredentialState & { id: string })[]> {
  return await tx.query('SELECT id, status, enrolled_key AS "enrolledKey" FROM agent WHERE id = ANY($1::uuid[])', [
    ids,
  ]);
}
