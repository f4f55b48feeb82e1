import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Whose spool and assignment a data folder holds. */
export interface Identity {
  /** Names the token without telling it. */
  credential: string;
  region: string;
}

/** A name for a token: the token has 256 random bits, so that its hash gives nothing away. */
export function credentialOf(token: string): string {
  return createHash('sha256').update(`watchpost agent ${token}`).digest('hex').slice(0, 32);
}

export function readIdentity(path: string): Identity | undefined {
  try {
    const { credential, region } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Identity>;
    return typeof credential === 'string' && typeof region === 'string' ? { credential, region } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file at once or not at all. @throws where the disk refuses */
export function writeIdentity(path: string, identity: Identity): void {
  writeFileSync(`${path}.new`, JSON.stringify(identity), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
