import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Key, certificate and trusted authorities of an agent, in one file, because key and certificate change together. */
export interface StoredCredential {
  /** The name of the token with which the agent enrolled. */
  credential: string;
  /** PKCS #8, PEM. */
  key: string;
  /** Encrypts what the agent keeps on disk where it has no token; unlike the key, it stays at renewals. */
  fileSecret: string;
  /** PEM; null before the first response. */
  certificate: string | null;
  /** PEM: authorities that it trusts beside the public ones. */
  authorities: string[];
  /** ms since the epoch, by the control plane's clock. */
  renewAfterMs: number;
  expiresMs: number;
}

/** @returns undefined where the file is missing or invalid */
export function readCredential(path: string): StoredCredential | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<StoredCredential>;
    const isWhole =
      typeof stored.credential === 'string' &&
      typeof stored.key === 'string' &&
      typeof stored.fileSecret === 'string' &&
      (stored.certificate === null || typeof stored.certificate === 'string') &&
      Array.isArray(stored.authorities) &&
      stored.authorities.every((one) => typeof one === 'string') &&
      typeof stored.renewAfterMs === 'number' &&
      typeof stored.expiresMs === 'number';
    return isWhole ? (stored as StoredCredential) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically, readable by its owner only. @throws where the write fails */
export function writeCredential(path: string, stored: StoredCredential): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(stored));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  // Windows has no such operation for folders, and its file system keeps a journal of renames.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
