import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, printProgress } from './root.mjs';
import { runProgram } from './run-program.mjs';

/** Installs the packages of the lock file, unless they are installed already. */
export async function install() {
  const missing = await firstMissing();
  if (missing === undefined) return;
  printProgress(`Installing packages (${missing}) …`);
  // Under "npm run" the running npm is used, because another one may not exist.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm && /\.c?js$/.test(npm)) await runProgram('npm ci', process.execPath, [npm, ...args]);
  else await runProgram('npm ci', 'npm', args);
}

/**
 * Compares the lock file with the one that npm leaves inside node_modules when an installation is complete.
 * @returns the first difference, or undefined if there is none
 */
async function firstMissing() {
  const wanted = await readJson(join(ROOT, 'package-lock.json'));
  const present = await readJson(join(ROOT, 'node_modules', '.package-lock.json')).catch(() => undefined);
  if (present === undefined) return 'nothing is installed yet';
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const found = present.packages[path];
    if (found === undefined) {
      // Packages for other platforms are listed and need not be installed.
      if (entry.optional || entry.peer) continue;
      return `${path} is missing`;
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) return `${path} is another version`;
    if (entry.link && !(await exists(join(ROOT, path)))) return `${path} is missing`;
  }
  return undefined;
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

async function exists(path) {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
