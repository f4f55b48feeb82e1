import { createHash } from 'node:crypto';
import type { Tx } from '../../db/database.js';
import { selectAuthorities } from './authority-store.js';

/**
 * The SHA-256 of the authority that signs, by which an agent knows it the first time; null before any gateway ran
 * on this database.
 */
export async function readAuthorityPin(tx: Tx): Promise<string | null> {
  const [newest] = await selectAuthorities(tx);
  return newest ? createHash('sha256').update(newest.certificate).digest('base64url') : null;
}
