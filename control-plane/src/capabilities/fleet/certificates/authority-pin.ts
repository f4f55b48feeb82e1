import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/db/database.js';
import { selectAuthorities } from './authority-store.js';

/**
 * The SHA-256 of the authority that signs the port's certificate, by which an agent knows it the first time; null before
 * any gateway ran on this database.
 */
export async function readAuthorityPin(tx: Tx): Promise<string | null> {
  const [oldest] = await selectAuthorities(tx);
  return oldest ? authorityPin(oldest.certificate) : null;
}

/** @param certificate DER */
export function authorityPin(certificate: Buffer): string {
  return createHash('sha256').update(certificate).digest('base64url');
}
