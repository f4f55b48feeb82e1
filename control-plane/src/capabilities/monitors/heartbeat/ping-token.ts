import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';

/** The forms of a ping token: the hash finds the monitor of a ping, and the sealed one is for showing the URL. */
export interface PingToken {
  hash: Buffer;
  sealed: Buffer;
}

const TOKEN_BYTES = 24;
/** What a ping token looks like; others are refused without a look at the database. */
export const PING_TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** What a token of another product may look like: those of Uptime Kuma have 10 or 32 random letters and digits. */
export const IMPORTED_TOKEN = /^[A-Za-z0-9_-]{10,100}$/;

const contextOf = (monitorId: string): string => `ping ${monitorId}`;

export const SEALED_PING_TOKENS: SealedColumn = {
  table: 'ping_token',
  column: 'sealed',
  reads: ['monitor_id'],
  context: ({ monitor_id: id }) => contextOf(id!),
};

export function newPingToken(box: SecretBox, monitorId: string): PingToken {
  const token = makeToken(TOKEN_BYTES);
  return { hash: hashToken(token), sealed: box.seal(token, contextOf(monitorId)) };
}

/** The prefix keeps a token from leading anywhere in the address of the other kind. */
export function hashImportedToken(token: string): Buffer {
  return hashToken(`imported ${token}`);
}

/** @throws SecretBoxError where it was sealed with a missing key or for another monitor */
export function openPingToken(box: SecretBox, monitorId: string, sealed: Buffer): string {
  return box.open(sealed, contextOf(monitorId)).toString();
}
