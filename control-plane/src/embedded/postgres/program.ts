import type { ClusterPaths } from './cluster-paths.js';
import type { Identity } from './run-as.js';

/** PostgreSQL's programs see nothing of ours: no secrets, no locale, no PGDATA of somebody else. */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * How the programs get their data folder: they are started inside it. Another account than ours may not be
 * allowed to walk the path to it (root's home is closed), but may always use its working folder.
 */
export function dataFolderArgument(paths: ClusterPaths, identity: Identity): string {
  return identity.spawnAs !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : paths.data;
}
