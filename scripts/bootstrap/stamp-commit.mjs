import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './root.mjs';

/** shared/src/build.ts reads it. */
const FILE = join(ROOT, 'shared', 'dist', 'commit.json');

/** Stores from which commit the programs are built, for as long as the sources are exactly that. */
export async function stampCommit() {
  // Container files pass it, because the context of a build has no repository.
  const commit = process.env.SOURCE_COMMIT || (await cleanCommit());
  const text = commit && `${JSON.stringify({ commit })}\n`;
  if (text === (await readFile(FILE, 'utf8').catch(() => ''))) return;
  await (text ? writeFile(FILE, text) : rm(FILE)).catch((error) => {
    // An account that may not write here has built nothing either.
    if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error;
  });
}

async function cleanCommit() {
  const git = async (...args) => {
    const { stdout } = await promisify(execFile)('git', ['--no-optional-locks', ...args], { cwd: ROOT });
    return stdout.trim();
  };
  try {
    // A repository around an unpacked archive is another one.
    const isOther = (await git('rev-parse', '--show-prefix')) !== '';
    return isOther || (await git('status', '--porcelain')) !== '' ? '' : await git('rev-parse', 'HEAD');
  } catch {
    return '';
  }
}
