import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of this checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the scripts say themselves: never on standard output, which belongs to the program that is run. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
