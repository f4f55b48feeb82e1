import type { SecretBox } from '../../../platform/db/secret-box.js';
import { type Actor, roleAllows } from '../../../platform/identity/caller.js';
import { openPingToken } from './ping-token.js';

/** Makes the ping URL of a monitor; null where it has none, or where the caller may not see it. */
export type PingUrlOf = (row: { id: string; pingToken: Buffer | null }) => string | null;

export interface PingUrlDeps {
  secretBox: SecretBox;
  /** Without a slash at the end. */
  baseUrl: string;
}

/** Ping URLs as this caller sees them: who knows one can report for the job, so only Editors see them. */
export function pingUrlsFor({ secretBox, baseUrl }: PingUrlDeps, { workspace }: Pick<Actor, 'workspace'>): PingUrlOf {
  if (!roleAllows(workspace.role, 'Editor')) return () => null;
  return ({ id, pingToken }) =>
    pingToken === null ? null : `${baseUrl}/ping/${openPingToken(secretBox, id, pingToken)}`;
}
