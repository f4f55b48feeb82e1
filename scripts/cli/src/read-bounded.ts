import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CommandError } from './command/command-error.js';
import { fileError } from './file-error.js';

/** Reads a file to its end, which may be no ordinary one. @throws CommandError, also where it has more bytes, or no end */
export async function readFileBounded(path: string, maxBytes: number, excess: CommandError): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.size > maxBytes) throw excess;
    return found.isFile() ? await readFile(path) : await readBounded(createReadStream(path), maxBytes, excess);
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(`${path} cannot be read`, error);
  }
}

/** Reads a stream to its end. @throws `excess` where it has more bytes, or no end */
export async function readBounded(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  excess: CommandError,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw excess;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
