import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/**
 * Has the commit that counts as the former version until there is a release. Versions from before the last migration that
 * contracts stop when it runs, so it is never one of them.
 */
const NAMED_IN = 'test/support/former-version.txt';
const PARTS = ['shared', 'control-plane', 'agent'];

export interface FormerVersion {
  commit: string;
  /** The folder in which it is built. */
  root: string;
  remove(): Promise<void>;
}

const git = async (root: string, ...args: string[]) => {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root });
  return stdout.trim();
};

/**
 * The former version is the newest release before what is checked out, beside which this one promises to run.
 * @returns its commit; undefined where the checkout does not contain it
 */
export async function findFormerVersion(root = ROOT): Promise<string | undefined> {
  const newest = ['describe', '--tags', '--abbrev=0', '--match=v[0-9]*', 'HEAD^'];
  const named = await git(root, ...newest).catch(async () => (await readFile(join(root, NAMED_IN), 'utf8')).trim());
  return git(root, 'rev-parse', '--verify', '--quiet', `${named}^{commit}`).catch(() => undefined);
}

/** Builds a commit in a temporary folder, with the installed packages of this checkout. */
export async function buildFormerVersion(commit: string): Promise<FormerVersion> {
  const root = await mkdtemp(join(tmpdir(), 'watchpost-former-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    const archive = join(root, 'source.tar');
    await git(ROOT, 'archive', '--format=tar', `--output=${archive}`, commit);
    await promisify(execFile)('tar', ['-xf', archive, '-C', root]);
    await rm(archive);
    await linkPackages(root);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-b', ...PARTS], { cwd: root });
    return { commit, root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The packages of the workspace are those of the former version, all others those of this checkout. */
async function linkPackages(root: string): Promise<void> {
  for (const folder of ['', ...PARTS]) {
    const modules = join(ROOT, folder, 'node_modules');
    const names = await readdir(modules).catch(() => []);
    if (names.length > 0) await mkdir(join(root, folder, 'node_modules'));
    for (const name of names)
      if (name !== '@watchpost') await symlink(join(modules, name), join(root, folder, 'node_modules', name));
  }
  const scope = join(root, 'node_modules', '@watchpost');
  await mkdir(scope);
  for (const part of PARTS) await symlink(resolve(root, part), join(scope, part));
}
