import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What an agent shows of itself, and whom it believes. Key and certificate are one file: they can only change together. */
export interface StoredCredential {
  /** The token that it began with, by its name. */
  credential: string;
  /** PKCS #8, PEM. */
  key: string;
  /** PEM; null while it has not been answered. */
  certificate: string | null;
  /** PEM: whom it trusts beside the public authorities. */
  authorities: string[];
  /** ms since the epoch, by the control plane's clock. */
  renewAfterMs: number;
  expiresMs: number;
}

/** @returns undefined where there is none, or none that can be read */
export function readCredential(path: string): StoredCredential | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<StoredCredential>;
    const isWhole =
      typeof stored.credential === 'string' &&
      typeof stored.key === 'string' &&
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

/** Replaces the file at once or not at all, readable by its owner only. @throws where the disk refuses */
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
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
