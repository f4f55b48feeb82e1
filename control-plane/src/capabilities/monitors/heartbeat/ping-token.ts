import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';

/** The forms of a ping token: the hash finds the monitor of a ping, and the sealed one is for showing the URL. */
export interface PingToken {
  hash: Buffer;
  sealed: Buffer;
}

const TOKEN_BYTES = 24;
const PING_TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** What a token of another product may look like: those of Uptime Kuma have 10 or 32 random letters and digits. */
export const IMPORTED_TOKEN = /^[A-Za-z0-9_-]{10,100}$/;

/** The text to which the seal of a token is bound. */
export const sealContext = (monitorId: string): string => `ping ${monitorId}`;

export function newPingToken(box: SecretBox, monitorId: string): PingToken {
  const token = makeToken(TOKEN_BYTES);
  return { hash: hashToken(token), sealed: box.seal(token, sealContext(monitorId)) };
}

/** The prefix keeps a token from leading anywhere in the address of the other kind. */
export function hashImportedToken(token: string): Buffer {
  return hashToken(`imported ${token}`);
}

/** The hash of what may be a ping token; others are refused without a look at the database. */
export function readPingToken(text: string): Buffer | undefined {
  return PING_TOKEN.test(text) ? hashToken(text) : undefined;
}

/** The same of a token of another product. */
export function readImportedToken(text: string): Buffer | undefined {
  return IMPORTED_TOKEN.test(text) ? hashImportedToken(text) : undefined;
}

/** @throws SecretBoxError where it was sealed with a missing key or for another monitor */
export function openPingToken(box: SecretBox, monitorId: string, sealed: Buffer): string {
  return box.open(sealed, sealContext(monitorId)).toString();
}
