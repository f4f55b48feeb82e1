import { Worker } from 'node:worker_threads';
import { Fault } from '@watchpost/shared/fault';

/** What the worker answers. */
export type YamlAnswer =
  | { value: unknown; places: ReadonlyMap<string, readonly [line: number, column: number]> }
  | { faults: readonly { message: string; at: readonly [line: number, column: number] | null }[] };

const DEADLINE_MS = 10_000;
/** Of a process, one for each owner. */
const MOST_AT_ONCE = 4;
const MEMORY_MB = 256;

/** The owners whose texts are being read. */
const running = new Set<string>();

/**
 * Reads a text in YAML 1.2 on a thread of its own: a large one takes seconds, in which the process goes on serving others.
 * @throws Fault unavailable while another text of the owner is being read, or several of others; validation_failed where it
 * takes too long
 */
export async function readYaml(text: string, ownerId: string): Promise<YamlAnswer> {
  if (running.has(ownerId) || running.size >= MOST_AT_ONCE)
    throw new Fault('unavailable', 'Another document is being read; try again in a second.', [], 1);
  running.add(ownerId);
  const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<YamlAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(tooComplex()), DEADLINE_MS);
      worker.once('message', resolve);
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError ? tooComplex() : error),
      );
    });
  } finally {
    clearTimeout(timer);
    running.delete(ownerId);
    await worker.terminate();
  }
}

function tooComplex(): Fault {
  return new Fault('validation_failed', 'Correct the document.', [
    { path: 'document', message: 'is too complex to read as YAML: make it simpler, or send it as JSON' },
  ]);
}
