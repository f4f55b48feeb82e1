import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmCommand } from './npm-command.mjs';
import { ROOT, printProgress } from './root.mjs';
import { runProgram } from './run-program.mjs';

/** Installs the packages of the lock file, unless they are installed already. */
export async function install() {
  const missing = await firstMissing();
  if (missing === undefined) return;
  printProgress(`Installing packages (${missing}) …`);
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  await runProgram('npm ci', ...npmCommand(args));
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
    if (entry.link && !existsSync(join(ROOT, path))) return `${path} is missing`;
  }
  return undefined;
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
