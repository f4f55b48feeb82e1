import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes `SHA256SUMS` of these files of a folder, for `sha256sum -c`. @returns its lines, in the order of the names */
export async function writeChecksums(folder, names) {
  const lines = [];
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.map((line) => `${line}\n`).join(''));
  return lines;
}
