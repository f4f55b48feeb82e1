import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PlaceEgress } from '@watchpost/shared/wire/messages';

/** The credential and place to which the spool and the assignment of a data folder belong. */
export interface Identity {
  /** The name of the token, which does not reveal it. */
  credential: string;
  region: string;
  /** The history of the control plane's database, as in its last welcome; '' where it is not known. */
  databaseHistory: string;
  /** The ranges of a private location. */
  egress?: PlaceEgress | undefined;
}

export function readIdentity(path: string): Identity | undefined {
  try {
    const { credential, region, databaseHistory, egress } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Identity>;
    if (typeof credential !== 'string' || typeof region !== 'string') return undefined;
    const history = typeof databaseHistory === 'string' ? databaseHistory : '';
    return { credential, region, databaseHistory: history, ...(egress && { egress }) };
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically. @throws where the write fails */
export function writeIdentity(path: string, identity: Identity): void {
  writeFileSync(`${path}.new`, JSON.stringify(identity), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
