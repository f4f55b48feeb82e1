import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';

const MAX_FILES = 500;
const MAX_BYTES = 16_777_216;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const fileName = z.string().regex(/^[\w-]+(?:\.[\w-]+)+$/);
const manifestSchema = z.object({
  /** The script that the page starts with. */
  entry: fileName,
  style: fileName,
  /** Scripts that the first screen needs, too. */
  preload: z.array(fileName).max(MAX_FILES),
  files: z.record(fileName, z.unknown()),
});

/** A file under a name that changes with its content. */
export interface BuiltFile {
  type: string;
  /** Without the quotes of an `ETag`. */
  digest: string;
  identity: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** The console as its build made it, in memory. */
export interface BuiltConsole {
  entry: string;
  style: string;
  preload: readonly string[];
  files: ReadonlyMap<string, BuiltFile>;
}

/**
 * Reads the built console, once at the start: a page never refers to a file that is not there.
 * @param folder with `manifest.json`, the files, and those compressed beside them
 * @throws Error with what to do where there is no build
 */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((error: unknown) => {
    throw new Error(
      `The console is not built: there is no ${join(folder, 'manifest.json')}. Run \`node control-plane/console/build.mjs\`.`,
      { cause: error },
    );
  });
  const { entry, style, preload, files: names } = manifestSchema.parse(JSON.parse(text));
  if (Object.keys(names).length > MAX_FILES) throw new Error(`The console has more than ${MAX_FILES} files.`);
  const files = new Map<string, BuiltFile>();
  let bytes = 0;
  for (const name of Object.keys(names)) {
    const file = await readBuiltFile(folder, name);
    bytes += file.identity.length + (file.br?.length ?? 0) + (file.gzip?.length ?? 0);
    if (bytes > MAX_BYTES) throw new Error(`The files of the console have more than ${MAX_BYTES} bytes.`);
    files.set(name, file);
  }
  for (const name of [entry, style, ...preload])
    if (!files.has(name)) throw new Error(`The manifest of the console names ${name}, which is not among its files.`);
  return { entry, style, preload, files };
}

async function readBuiltFile(folder: string, name: string): Promise<BuiltFile> {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`The console has a file of an unknown type: ${name}.`);
  const [identity, br, gzip] = await Promise.all([
    readFile(join(folder, name)),
    readIfThere(join(folder, `${name}.br`)),
    readIfThere(join(folder, `${name}.gz`)),
  ]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 27);
  return { type, digest, identity, br, gzip };
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
