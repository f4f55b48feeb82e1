import { readFile, stat } from 'node:fs/promises';

export interface Identity {
  /** Set when this process is root, which PostgreSQL refuses to run as. */
  spawnAs: { uid: number; gid: number } | undefined;
}

/** Used when no account database can be read: the number that nearly every system gives to `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * Ourselves, or, as root, the owner of the data folder where there is one already (so that a folder made by an
 * ordinary user goes on working), else `postgres`, else `nobody`.
 */
export async function identityFor(dataFolder: string): Promise<Identity> {
  if (process.geteuid?.() !== 0) return { spawnAs: undefined };
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { spawnAs: { uid: owner.uid, gid: owner.gid } };
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return { spawnAs: accountNamed(accounts, 'postgres') ?? accountNamed(accounts, 'nobody') ?? NOBODY };
}

function accountNamed(accounts: string, name: string): { uid: number; gid: number } | undefined {
  for (const line of accounts.split('\n')) {
    const [found, , uid, gid] = line.split(':');
    if (found === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
