import { checkCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import type { AssignmentSink } from '../agents/agent-connection.js';
import type { Handover } from '@watchpost/shared/wire/messages';
import { epochText } from './epoch-text.js';
import type { FleetMetrics } from '../fleet-metrics.js';

/** Limits of one message: its number of checks, and roughly their size. */
export const MAX_CHUNK_CHECKS = 500;
export const MAX_CHUNK_BYTES = 200_000;
const MAX_CHUNK_REMOVES = 10_000;
const NO_HANDOVERS: ReadonlyMap<number, Handover> = new Map();

/** What an agent that has applied an update sends in its next hello. */
export interface Position {
  revision: number;
  epoch: string;
}

/**
 * Splits updates into messages of bounded size and sends one after the other. Only the last message of an update contains
 * the new position, so that an agent that is cut off in between requests the rest again.
 */
export class UpdateWriter {
  /** The number of sent messages that the agent acknowledges: deltas, and the last chunks of snapshots. */
  sent = 0;

  constructor(
    private readonly sink: AssignmentSink,
    private readonly metrics: FleetMetrics,
    /** Of the database. */
    private readonly history: string,
  ) {}

  /** @param findHandovers finds the handovers of checks, by code; null if the agent itself knows what it missed */
  async snapshot(
    checks: AsyncIterable<CheckSpec>,
    position: () => Position,
    findHandovers: ((checks: readonly CheckSpec[]) => Promise<ReadonlyMap<number, Handover>>) | null,
  ): Promise<void> {
    let index = 0;
    for await (const chunk of chunksOf(checks)) {
      const handovers = findHandovers ? [...(await findHandovers(chunk.checks)).values()] : null;
      const { last } = chunk;
      const message = {
        kind: 'snapshot' as const,
        ...this.onWire(position()),
        index,
        last,
        checks: chunk.checks,
        handovers,
      };
      this.count('snapshot', chunk.checks.length, 0);
      if (chunk.last) this.sent++;
      await this.sink.send(message);
      index++;
    }
  }

  /**
   * @param before the agent's position, which messages before the last one repeat
   * @param handovers of the upserts, by the code of their check
   */
  async delta(
    upserts: readonly CheckSpec[],
    removes: readonly CheckKey[],
    before: Position,
    after: Position,
    handovers: ReadonlyMap<number, Handover> = NO_HANDOVERS,
  ): Promise<void> {
    let cut = 0;
    for await (const chunk of chunksOf(upserts)) {
      if (chunk.last) await this.removeAll(chunk.checks, removes, before, after, handovers);
      else await this.sendDelta(chunk.checks, [], before, handovers);
      cut++;
    }
    if (cut === 0) await this.removeAll([], removes, before, after, handovers);
  }

  private async removeAll(
    upserts: readonly CheckSpec[],
    removes: readonly CheckKey[],
    before: Position,
    after: Position,
    handovers: ReadonlyMap<number, Handover>,
  ): Promise<void> {
    let from = 0;
    let first = upserts;
    for (; removes.length - from > MAX_CHUNK_REMOVES; from += MAX_CHUNK_REMOVES) {
      await this.sendDelta(first, removes.slice(from, from + MAX_CHUNK_REMOVES), before, handovers);
      first = [];
    }
    await this.sendDelta(first, removes.slice(from), after, handovers);
  }

  private async sendDelta(
    upserts: readonly CheckSpec[],
    removes: readonly CheckKey[],
    position: Position,
    handovers: ReadonlyMap<number, Handover>,
  ): Promise<void> {
    this.count('delta', upserts.length, removes.length);
    this.sent++;
    const own = upserts.flatMap(({ key }) => handovers.get(checkCode(key)) ?? []);
    await this.sink.send({ kind: 'delta', ...this.onWire(position), upserts, removes, handovers: own });
  }

  private onWire({ revision, epoch }: Position): Position {
    return { revision, epoch: epochText(epoch, this.history) };
  }

  private count(kind: string, upserts: number, removes: number): void {
    this.metrics.updates.inc({ kind });
    this.metrics.moved.inc({ direction: 'upsert' }, upserts);
    this.metrics.moved.inc({ direction: 'remove' }, removes);
  }
}

interface Chunk {
  checks: CheckSpec[];
  last: boolean;
}

/** Ends with a chunk that is marked as the last, which is empty if there are no checks. */
async function* chunksOf(checks: AsyncIterable<CheckSpec> | Iterable<CheckSpec>): AsyncGenerator<Chunk> {
  let chunk: CheckSpec[] = [];
  let bytes = 0;
  for await (const check of checks) {
    const size = roughBytes(check);
    if (chunk.length > 0 && (chunk.length >= MAX_CHUNK_CHECKS || bytes + size > MAX_CHUNK_BYTES)) {
      yield { checks: chunk, last: false };
      chunk = [];
      bytes = 0;
    }
    chunk.push(check);
    bytes += size;
  }
  yield { checks: chunk, last: true };
}

/** More than the size of the check on the wire if its texts are ASCII; others stay far below the message limit. */
function roughBytes({ target }: CheckSpec): number {
  return 96 + roughSize(target);
}

/** About the length of its JSON, for less than the JSON costs. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 4;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 4;
  // An empty field has its default, which is not sent.
  for (const [name, inner] of Object.entries(value)) if (!isEmpty(inner)) size += name.length + 4 + roughSize(inner);
  return size;
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
