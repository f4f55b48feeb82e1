import type { Tx } from '../db/database.js';

export interface Installation {
  id: string;
  keyMark: Buffer | null;
}

export async function readInstallation(tx: Tx): Promise<Installation> {
  const [row] = await tx.query<Installation>('SELECT id, key_mark AS "keyMark" FROM installation');
  return row!;
}

/** @returns the mark that holds: this one, or that of a process that was first */
export async function markKey(tx: Tx, mark: Buffer): Promise<Buffer> {
  await tx.query('UPDATE installation SET key_mark = $1 WHERE key_mark IS NULL', [mark]);
  return (await readInstallation(tx)).keyMark!;
}
