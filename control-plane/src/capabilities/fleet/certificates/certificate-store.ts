import type { Tx } from '../../../platform/db/database.js';
import type { AgentRow, AgentCredentialState } from '../agents/agent-store.js';

/** How many certificates of an agent are remembered beside the one that it shows: those whose answer may be under way. */
const KEPT = 3;

/**
 * Spends an agent's token for a public key.
 * @param tokenHash of the token that was shown: another one may have taken its place since it was looked up
 * @param keyHash SHA-256 of the public key
 * @returns false where another key has spent it, it was replaced, or the agent is revoked
 */
export async function spendToken(
  tx: Tx,
  agentId: string,
  { tokenHash, keyHash }: { tokenHash: Buffer; keyHash: Buffer },
  nowMs: number,
): Promise<boolean> {
  const spent = await tx.execute(
    `UPDATE agent SET token_spent = coalesce(token_spent, $3), enrolled_key = $2
     WHERE id = $1 AND token_hash = $4 AND status <> 'revoked' AND (token_spent IS NULL OR enrolled_key = $2)`,
    [agentId, keyHash, new Date(nowMs), tokenHash],
  );
  return spent === 1;
}

/**
 * Holds an agent, and says whether a certificate of it still counts: who renews and who enrols anew wait for each other,
 * so that no certificate is renewed past the enrolment that ended it.
 */
export async function lockAgentCertificate(tx: Tx, agentId: string, serial: Buffer): Promise<boolean> {
  await tx.query('SELECT FROM agent WHERE id = $1 FOR UPDATE', [agentId]);
  // A statement of its own: it sees what was committed while the first one waited.
  const rows = await tx.query('SELECT serial FROM agent_certificate WHERE agent_id = $1 AND serial = $2', [
    agentId,
    serial,
  ]);
  return rows.length === 1;
}

/** @returns false where the agent is revoked */
export async function insertCertificate(
  tx: Tx,
  agentId: string,
  { serial, expiresMs, authorityId }: { serial: Buffer; expiresMs: number; authorityId: string },
  nowMs: number,
): Promise<boolean> {
  const inserted = await tx.execute(
    `INSERT INTO agent_certificate (serial, agent_id, issued, expires, authority_id)
     SELECT $2, id, $3, $4, $5 FROM agent WHERE id = $1 AND status <> 'revoked'`,
    [agentId, serial, new Date(nowMs), new Date(expiresMs), authorityId],
  );
  return inserted === 1;
}

/** Refuses every certificate of an agent from now on. */
export async function deleteCertificates(tx: Tx, agentId: string): Promise<void> {
  await tx.query('DELETE FROM agent_certificate WHERE agent_id = $1', [agentId]);
}

/** Forgets older certificates of an agent, whose number would grow with every renewal, and never the one in use. */
export async function forgetOlderCertificates(tx: Tx, agentId: string, inUse: Buffer): Promise<void> {
  await tx.query(
    `DELETE FROM agent_certificate WHERE agent_id = $1 AND serial <> $2 AND serial NOT IN (
       SELECT serial FROM agent_certificate WHERE agent_id = $1 ORDER BY issued DESC, expires DESC LIMIT $3)`,
    [agentId, inUse, KEPT],
  );
}

export async function findAgentByCertificate(
  tx: Tx,
  agentId: string,
  serial: Buffer,
): Promise<(AgentRow & AgentCredentialState & { isShown: boolean }) | undefined> {
  const rows = await tx.query<AgentRow & AgentCredentialState & { isShown: boolean }>(
    `SELECT agent.id, agent.key, agent.name, agent.region, agent.status, agent.enrolled_key AS "enrolledKey",
            certificate.shown IS NOT NULL AS "isShown"
       FROM agent JOIN agent_certificate certificate ON certificate.agent_id = agent.id
      WHERE agent.id = $1 AND certificate.serial = $2`,
    [agentId, serial],
  );
  return rows[0];
}

/** Notes that an agent came with a certificate. */
export async function recordFirstUse(tx: Tx, serial: Buffer, nowMs: number): Promise<void> {
  await tx.query('UPDATE agent_certificate SET shown = $2 WHERE serial = $1 AND shown IS NULL', [
    serial,
    new Date(nowMs),
  ]);
}
