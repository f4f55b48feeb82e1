import { brotliCompressSync, gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MAIN = 'console.log("the console")';
export const STYLE = 'body{color:red}';

/** Writes a build of the console with two files, of which the script is compressed as the real build does. */
export async function writeBuild(folder: string, manifest: Record<string, unknown> = {}): Promise<void> {
  const files = { 'main-ABC.js': {}, 'style-DEF.css': {} };
  const all = { entry: 'main-ABC.js', style: 'style-DEF.css', preload: [], files, ...manifest };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(all));
  await writeFile(join(folder, 'main-ABC.js'), MAIN);
  await writeFile(join(folder, 'main-ABC.js.br'), brotliCompressSync(MAIN));
  await writeFile(join(folder, 'main-ABC.js.gz'), gzipSync(MAIN));
  await writeFile(join(folder, 'style-DEF.css'), STYLE);
}
