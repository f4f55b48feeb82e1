import { CommandError } from './command/command-error.js';

/** Reads a stream to its end. @throws CommandError with `excess` where it has more bytes, or no end */
export async function readBounded(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  excess: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new CommandError(excess);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
