import type { Tx } from '../../../platform/db/database.js';
import { AgentCertificateEntity } from './certificate.entity.js';
import { ADMITTED, type AdmittedAgent } from '../agents/agent-store.js';

/** How many certificates of an agent are kept beside the one in use: their answers may still be on their way to the agent. */
const MAX_UNUSED_CERTIFICATES = 3;

/**
 * Uses up an agent's token for a public key. The same key can use the token again.
 * @param tokenHash of the presented token, which may have been replaced since it was looked up
 * @param keyHash SHA-256 of the public key
 * @returns false if another key has used the token, the token was replaced, or the agent is revoked
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
 * Locks an agent and checks that one of its certificates is still valid. The lock makes a renewal and an enrolment wait for
 * each other, so that no certificate is renewed after the enrolment that ended it.
 * @returns false if the certificate is not valid any more
 */
export async function lockAgentCertificate(tx: Tx, agentId: string, serial: Buffer): Promise<boolean> {
  await tx.query('SELECT FROM agent WHERE id = $1 FOR UPDATE', [agentId]);
  // A separate statement sees what was committed while the first one waited for the lock.
  return tx.manager.existsBy(AgentCertificateEntity, { agentId, serial });
}

/** @returns false if the agent is revoked */
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

export async function deleteCertificates(tx: Tx, agentId: string): Promise<void> {
  await tx.manager.delete(AgentCertificateEntity, { agentId });
}

/** Deletes older certificates of an agent, except the one in use. Otherwise each renewal would add a row. */
export async function deleteOlderCertificates(tx: Tx, agentId: string, inUse: Buffer): Promise<void> {
  await tx.query(
    `DELETE FROM agent_certificate WHERE agent_id = $1 AND serial <> $2 AND serial NOT IN (
       SELECT serial FROM agent_certificate WHERE agent_id = $1 ORDER BY issued DESC, expires DESC LIMIT $3)`,
    [agentId, inUse, MAX_UNUSED_CERTIFICATES],
  );
}

export async function findAgentByCertificate(
  tx: Tx,
  agentId: string,
  serial: Buffer,
): Promise<(AdmittedAgent & { isUsed: boolean }) | undefined> {
  return tx.one(
    `SELECT ${ADMITTED}, certificate.first_used IS NOT NULL AS "isUsed"
       FROM agent JOIN agent_certificate certificate ON certificate.agent_id = agent.id
      WHERE agent.id = $1 AND certificate.serial = $2`,
    [agentId, serial],
  );
}

/** Stores when an agent first authenticated with a certificate. */
export async function recordFirstUse(tx: Tx, serial: Buffer, nowMs: number): Promise<void> {
  await tx.query('UPDATE agent_certificate SET first_used = $2 WHERE serial = $1 AND first_used IS NULL', [
    serial,
    new Date(nowMs),
  ]);
}
