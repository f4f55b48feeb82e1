import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FairShare, type HeldSlot, type Tenancy } from '@watchpost/shared/fair-share';
import { Fault } from '@watchpost/shared/fault';
import type { FaultyText, YamlText } from '@watchpost/shared/read-yaml';
import { TurnQueue } from '@watchpost/shared/queues/turn-queue';
import { abortableWork, RequestOver, throwIfOver } from '../../platform/db/request-context.js';

/** What the worker answers. */
type YamlAnswer = YamlText | FaultyText;

const DEADLINE_MS = 10_000;
const MEMORY_MB = 256;
/** One processor is left to what everybody waits for. */
const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
const MOST_WAITING = 200;
const MOST_WAITING_OF_OWNER = 10;

const threads = new FairShare(THREADS);
/** Texts that wait for a thread. */
const waiting = new TurnQueue<(thread: HeldSlot) => void>();

/**
 * Reads a text in YAML 1.2 on a thread of its own: a large one takes seconds, in which the process goes on serving others.
 * Owners share the threads and take turns, so that the costly texts of one do not keep others from being read.
 * @throws Fault unavailable where too many texts wait; validation_failed where it takes too long
 */
export async function readYaml(text: string, ownerId: string): Promise<YamlAnswer> {
  const thread = await threadFor({ ownerKey: ownerId });
  try {
    throwIfOver();
    return await readOnThread(text);
  } finally {
    threads.giveBack(thread);
    startWaiting();
  }
}

async function threadFor(owner: { ownerKey: string }): Promise<HeldSlot> {
  if (threads.refusal(owner) === null) return threads.take(owner);
  if (waiting.size >= MOST_WAITING || waiting.sizeOf(owner) >= MOST_WAITING_OF_OWNER)
    throw new Fault('unavailable', 'Too many documents wait to be read; try again in a second.', [], 1);
  return new Promise((start) => waiting.add(owner, (thread) => start(thread)));
}

function startWaiting(): void {
  let next: Tenancy = {};
  const refusal = (owner: Tenancy) => {
    next = owner;
    return threads.refusal(owner);
  };
  for (let start = waiting.take(0, refusal); start; start = waiting.take(0, refusal)) start(threads.take(next));
}

async function readOnThread(text: string): Promise<YamlAnswer> {
  const worker = new Worker(new URL('./yaml-worker.js', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  let forget: (() => void) | undefined;
  try {
    return await new Promise<YamlAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(tooComplex()), DEADLINE_MS);
      forget = abortableWork()?.onOver(() => reject(new RequestOver()));
      worker.once('message', resolve);
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError ? tooComplex() : error),
      );
    });
  } finally {
    clearTimeout(timer);
    forget?.();
    await worker.terminate();
  }
}

function tooComplex(): Fault {
  return new Fault('validation_failed', 'Correct the document.', [
    { path: 'document', message: 'is too complex to read as YAML: make it simpler, or send it as JSON' },
  ]);
}
