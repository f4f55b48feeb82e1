import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap/root.mjs';

export async function git(...args) {
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 1 << 26 });
  return stdout.trim();
}

/** @returns the tags of releases at a commit, the newest version first */
export async function tagsAt(commit) {
  const tags = await git('tag', '--list', 'v*', '--points-at', commit, '--sort=-v:refname');
  return tags.split('\n').filter(Boolean);
}
