import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap/root.mjs';

/** @returns the path and the text of each file that matches a pattern, in order, without those that git ignores */
export async function readCheckout(...patterns) {
  const options = { cwd: ROOT, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    options,
  );
  const texts = await Promise.all(
    stdout
      .split('\n')
      .filter(Boolean)
      .toSorted()
      .map(async (path) => [path, await readFile(join(ROOT, path), 'utf8').catch(() => null)]),
  );
  return texts.filter(([, text]) => text !== null);
}
