import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterPaths, ROLE, type ClusterPaths } from './cluster-paths.js';
import { dataFolderArgument, PROGRAM_ENVIRONMENT } from './program.js';
import type { Identity } from './run-as.js';

const run = promisify(execFile);
const INITDB_DEADLINE_MS = 60_000;

/**
 * Makes the cluster if there is none. It is made under another name and renamed when complete, so that a crash
 * on the way, or two starts at once, never leave a half-made one.
 * @returns whether it was made now
 */
export async function initCluster(dataDir: string, native: string, identity: Identity): Promise<boolean> {
  const paths = clusterPaths(dataDir);
  if (await stat(join(paths.data, 'PG_VERSION')).catch(() => undefined)) return false;
  const draftDir = await mkdtemp(join(dataDir, 'postgres.draft-'));
  try {
    const draft = clusterPaths(draftDir);
    await makeCluster(draft, native, identity);
    await rename(draft.home, paths.home);
    return true;
  } catch (error) {
    // Somebody who started at the same moment was first: theirs is as good.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draftDir, { recursive: true, force: true });
  }
}

async function makeCluster(draft: ClusterPaths, native: string, identity: Identity): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await mkdir(draft.home, { mode: 0o700 });
  await mkdir(draft.data, { mode: 0o700 });
  await writeFile(draft.password, password, { mode: 0o600 });
  // initdb reads the password as the account it runs under, and wants an empty data folder.
  const forInitdb = join(draft.home, 'initdb-password');
  await writeFile(forInitdb, password, { mode: 0o600 });
  if (identity.spawnAs !== undefined) {
    const { uid, gid } = identity.spawnAs;
    await chown(draft.data, uid, gid);
    await chown(forInitdb, uid, gid);
    await chmod(draft.home, 0o711);
  }
  const initdb = join(native, 'bin', 'initdb');
  const folder = dataFolderArgument(draft, identity);
  const args = [
    '-D',
    folder,
    '-U',
    ROLE,
    '--auth=scram-sha-256',
    '--pwfile=../initdb-password',
    '--encoding=UTF8',
    // The built-in provider sorts and compares alike on every machine, whatever its C library and locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const options = { cwd: draft.data, env: PROGRAM_ENVIRONMENT, timeout: INITDB_DEADLINE_MS, ...identity.spawnAs };
  const nameless = await run(initdb, args, options).then(
    () => false,
    (error: { stderr?: string }) => {
      if (error.stderr?.includes('could not look up effective user ID')) return true;
      throw initdbFailed(error);
    },
  );
  if (nameless) {
    // initdb wants a name for its account and a bare number has none (a container run with "--user 12345"):
    // a user namespace of its own gives it one. The server itself does not mind.
    await rm(draft.data, { recursive: true, force: true });
    await mkdir(draft.data, { mode: 0o700 });
    const named = ['--user', '--map-user=65534', '--map-group=65534', '--', initdb];
    await run('unshare', [...named, ...args], options).catch((cause: unknown) => {
      throw new Error(
        'PostgreSQL cannot be set up by an account that has no entry in /etc/passwd. Run as another account, or set DATABASE_URL to a server of your own.',
        { cause },
      );
    });
  }
  await rm(forInitdb, { force: true });
}

function initdbFailed(error: unknown): Error {
  const { stderr, stdout, message } = error as { stderr?: string; stdout?: string; message: string };
  return new Error(`initdb failed: ${[message, stdout, stderr].filter(Boolean).join('\n').slice(-2_000)}`);
}
