import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FairShare, type HeldSlot, type Tenancy } from '@watchpost/shared/fair-share';
import { Fault } from '@watchpost/shared/fault';
import { TurnQueue } from '@watchpost/shared/queues/turn-queue';
import { abortableWork, RequestOver, throwIfOver } from '../db/request-context.js';

/** The work of a thread took too much time or memory. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex';
}

const DEADLINE_MS = 10_000;
const MEMORY_MB = 256;
/** One processor is left to what everybody waits for. */
const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
const MOST_WAITING = 200;
const MOST_WAITING_OF_OWNER = 10;

const threads = new FairShare(THREADS);
/** Work that waits for a thread. */
const waiting = new TurnQueue<(thread: HeldSlot) => void>();

/**
 * Does work on a thread of its own: what is costly takes seconds, in which the process goes on serving others. Owners share
 * the threads and take turns, so that the costly work of one does not keep that of others from being done.
 * @param module the module to run with `workerData`; it posts one message
 * @returns the message
 * @throws Fault `unavailable` where too much waits; TooComplex
 */
export async function onOwnThread<Answer>(module: URL, workerData: unknown, ownerId: string): Promise<Answer> {
  const thread = await threadFor({ ownerKey: ownerId });
  try {
    throwIfOver();
    return await run<Answer>(module, workerData);
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

async function run<Answer>(module: URL, workerData: unknown): Promise<Answer> {
  const worker = new Worker(module, { workerData, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  let timer: NodeJS.Timeout | undefined;
  let forget: (() => void) | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => reject(new TooComplex()), DEADLINE_MS);
      forget = abortableWork()?.onOver(() => reject(new RequestOver()));
      worker.once('message', resolve);
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError ? new TooComplex() : error),
      );
    });
  } finally {
    clearTimeout(timer);
    forget?.();
    await worker.terminate();
  }
}
