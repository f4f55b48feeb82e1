import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Prints a message of the scripts themselves to standard error. Standard output belongs to the program that they run. */
export function printMessage(text) {
  process.stderr.write(`${text}\n`);
}

/** The same for what goes on before the program starts. With `--json`, standard error is read by a program, too. */
export function printProgress(text) {
  if (!process.argv.includes('--json')) printMessage(text);
}
