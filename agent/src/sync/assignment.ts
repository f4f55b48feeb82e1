import { checkCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import { AssignmentUpdate, type Delta, type SnapshotChunk } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { Restored } from '../schedule/scheduler-options.js';
import type { AssignmentFile } from './assignment-file.js';
import { fromWireKey, fromWireSpec } from './check-codec.js';
import { specToWire } from '@watchpost/shared/wire/spec-to-wire';

/** Where assigned checks go. */
export interface Schedule {
  readonly size: number;
  specs(): Iterable<CheckSpec>;
  upsert(spec: CheckSpec, doneThroughMs?: number): void;
  remove(key: CheckKey): void;
  /**
   * @param owed of each check that was not somebody else's until now: the newest slot that is done, as far as the control
   * plane knows; undefined where it does not say
   */
  replaceAll(specs: readonly CheckSpec[], owed?: ReadonlyMap<number, number>): void;
}

/** The control plane broke the protocol: the stream is of no use any more. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

interface PartialSnapshot {
  revision: bigint;
  epoch: string;
  specs: CheckSpec[];
  payloads: Uint8Array[];
  owed: Map<number, number> | undefined;
}

const CHECKS_A_CHUNK = 500;

/** What this agent has to check: the revision that it has applied, on its schedule and on disk. */
export class Assignment {
  revision = 0n;
  epoch = '';
  private partial: PartialSnapshot | undefined;

  constructor(
    private readonly schedule: Schedule,
    private readonly file: AssignmentFile,
    private readonly logger: Logger,
  ) {}

  /** What was on disk, for the schedule to begin with. */
  load(): Restored[] {
    const checks = new Map<number, Restored>();
    let partial: Restored[] = [];
    for (const payload of this.file.load()) {
      const { message, serverTimeMs } = AssignmentUpdate.decode(payload);
      if (message?.$case !== 'snapshot' && message?.$case !== 'delta') continue;
      const owed = arrearsOf(message.value);
      const restored = (spec: CheckSpec) => {
        const id = checkCode(spec.key);
        return { spec, assignedAtMs: owed.get(id) ?? checks.get(id)?.assignedAtMs ?? Number(serverTimeMs) };
      };
      if (message.$case === 'snapshot') {
        if (message.value.index === 0) partial = [];
        partial.push(...this.known(message.value.checks).map(restored));
        if (!message.value.last) continue;
        checks.clear();
        for (const one of partial) checks.set(checkCode(one.spec.key), one);
      } else {
        for (const spec of this.known(message.value.upserts)) checks.set(checkCode(spec.key), restored(spec));
        for (const key of knownKeys(message.value)) checks.delete(checkCode(key));
      }
      this.revision = message.value.revision;
      this.epoch = message.value.epoch;
    }
    return [...checks.values()];
  }

  /** A new stream: half a snapshot of the last one is worth nothing. */
  startSession(): void {
    this.partial = undefined;
  }

  /**
   * Applies one part of a snapshot.
   * @returns the revision to acknowledge, once it is complete, applied and kept
   * @throws ProtocolError
   */
  async applySnapshot(chunk: SnapshotChunk, serverTimeMs: bigint): Promise<bigint | undefined> {
    if (chunk.index === 0)
      this.partial = {
        revision: chunk.revision,
        epoch: chunk.epoch,
        specs: [],
        payloads: [],
        owed: chunk.arrearsKnown ? new Map() : undefined,
      };
    const { partial } = this;
    if (
      !partial ||
      chunk.index !== partial.payloads.length ||
      chunk.revision !== partial.revision ||
      chunk.epoch !== partial.epoch
    ) {
      this.partial = undefined;
      throw new ProtocolError(`part ${chunk.index} of snapshot ${chunk.revision} does not follow what came before`);
    }
    // checks that we had already are ours from before: after a crash their missed slots are still to be run
    const since = this.schedule.size === 0 ? serverTimeMs : 0n;
    partial.payloads.push(
      AssignmentUpdate.encode({ serverTimeMs: since, message: { $case: 'snapshot', value: chunk } }).finish(),
    );
    for (const spec of this.known(chunk.checks)) partial.specs.push(spec);
    for (const [id, doneThroughMs] of arrearsOf(chunk)) partial.owed?.set(id, doneThroughMs);
    if (!chunk.last) return undefined;
    this.partial = undefined;
    this.schedule.replaceAll(partial.specs, partial.owed);
    this.revision = chunk.revision;
    this.epoch = chunk.epoch;
    await this.keep(() => this.file.replace(partial.payloads));
    return chunk.revision;
  }

  /** Applies a change. @returns the revision to acknowledge */
  async applyDelta(delta: Delta, serverTimeMs: bigint): Promise<bigint> {
    const doneThrough = arrearsOf(delta);
    for (const spec of this.known(delta.upserts)) this.schedule.upsert(spec, doneThrough.get(checkCode(spec.key)));
    for (const key of knownKeys(delta)) this.schedule.remove(key);
    this.revision = delta.revision;
    this.epoch = delta.epoch;
    await this.keep(() => {
      if (this.file.wantsWhole) return this.file.replace(this.encodeWhole());
      return this.file.append(
        AssignmentUpdate.encode({ serverTimeMs, message: { $case: 'delta', value: delta } }).finish(),
      );
    });
    return delta.revision;
  }

  /** Nothing is to be checked any more, now or after a restart. */
  clear(): void {
    this.schedule.replaceAll([]);
    this.file.remove();
  }

  /** A disk that refuses costs a restart its head start, and is no reason not to check. */
  private async keep(write: () => Promise<void> | void): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn({ err: error }, 'the assignment could not be kept on disk; after a restart it is fetched anew');
    }
  }

  private encodeWhole(): Uint8Array[] {
    const specs = [...this.schedule.specs()].map(specToWire);
    const payloads: Uint8Array[] = [];
    for (let index = 0; index === 0 || index * CHECKS_A_CHUNK < specs.length; index++) {
      const checks = specs.slice(index * CHECKS_A_CHUNK, (index + 1) * CHECKS_A_CHUNK);
      const value = {
        revision: this.revision,
        epoch: this.epoch,
        index,
        last: (index + 1) * CHECKS_A_CHUNK >= specs.length,
        checks,
        arrears: [],
        arrearsKnown: false,
      };
      payloads.push(AssignmentUpdate.encode({ serverTimeMs: 0n, message: { $case: 'snapshot', value } }).finish());
    }
    return payloads;
  }

  private known(specs: SnapshotChunk['checks']): CheckSpec[] {
    const known = specs.map(fromWireSpec).filter((spec) => spec !== undefined);
    if (known.length < specs.length)
      this.logger.warn(
        { checks: specs.length - known.length },
        'left out checks that this version of the agent cannot run',
      );
    return known;
  }
}

function knownKeys(delta: Delta): CheckKey[] {
  return delta.removes.map(fromWireKey).filter((key) => key !== undefined);
}

function arrearsOf({ arrears }: Pick<Delta, 'arrears'>): Map<number, number> {
  return new Map(
    arrears.flatMap(({ key: wireKey, doneThroughMs }) => {
      const key = fromWireKey(wireKey);
      return key ? [[checkCode(key), Number(doneThroughMs)]] : [];
    }),
  );
}
