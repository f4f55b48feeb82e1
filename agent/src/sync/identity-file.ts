import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Whose spool and assignment a data folder holds. */
export interface Identity {
  /** Names the token without telling it. */
  credential: string;
  region: string;
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
