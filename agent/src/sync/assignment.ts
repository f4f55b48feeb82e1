import { checkCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import { AssignmentUpdate } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { updateFromWire, updateToWire } from '@watchpost/shared/wire/assignment-update';
import type { Delta, Handover, Snapshot } from '@watchpost/shared/wire/messages';
import type { Logger } from 'pino';
import type { RestoredCheck } from '../schedule/scheduler-options.js';
import type { AssignmentFile } from './assignment-file.js';

export interface Schedule {
  readonly size: number;
  specs(): Iterable<CheckSpec>;
  upsert(spec: CheckSpec, completedThroughMs?: number): void;
  remove(key: CheckKey): void;
  /**
   * @param handovers by check code, the newest scheduled time that is completed, of each check that did not belong to
   * another agent until now; undefined where the control plane does not know
   */
  replaceAll(specs: readonly CheckSpec[], handovers?: ReadonlyMap<number, number>): void;
}

/** The control plane broke the protocol: the stream cannot be used any more. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

interface PartialSnapshot {
  revision: number;
  epoch: string;
  specs: CheckSpec[];
  payloads: Uint8Array[];
  handovers: Map<number, number> | undefined;
}

const CHECKS_PER_CHUNK = 500;

/** The checks of this agent: the revision that it has applied, on its schedule and on disk. */
export class Assignment {
  revision = 0;
  epoch = '';
  private partial: PartialSnapshot | undefined;

  constructor(
    private readonly schedule: Schedule,
    private readonly file: AssignmentFile,
    private readonly logger: Logger,
  ) {}

  load(): RestoredCheck[] {
    const checks = new Map<number, RestoredCheck>();
    let partial: RestoredCheck[] = [];
    for (const payload of this.file.load()) {
      const update = AssignmentUpdate.decode(payload);
      const message = updateFromWire(update);
      if (message?.kind !== 'snapshot' && message?.kind !== 'delta') continue;
      const handovers = timesByCode(message.handovers ?? []);
      const restored = (spec: CheckSpec): RestoredCheck => {
        const code = checkCode(spec.key);
        const assignedAtMs = handovers.get(code) ?? checks.get(code)?.assignedAtMs ?? Number(update.serverTimeMs);
        return { spec, assignedAtMs };
      };
      if (message.kind === 'snapshot') {
        if (message.index === 0) partial = [];
        partial.push(...message.checks.map(restored));
        if (!message.last) continue;
        checks.clear();
        for (const check of partial) checks.set(checkCode(check.spec.key), check);
      } else {
        for (const spec of message.upserts) checks.set(checkCode(spec.key), restored(spec));
        for (const key of message.removes) checks.delete(checkCode(key));
      }
      this.revision = message.revision;
      this.epoch = message.epoch;
    }
    return [...checks.values()];
  }

  /** Begins a new stream, and forgets the incomplete snapshot of the last one. */
  startSession(): void {
    this.partial = undefined;
  }

  /**
   * Applies one part of a snapshot.
   * @returns the revision to acknowledge, once the snapshot is complete, applied and stored
   * @throws ProtocolError
   */
  async applySnapshot(chunk: Snapshot, serverTimeMs: number): Promise<number | undefined> {
    if (chunk.index === 0)
      this.partial = {
        revision: chunk.revision,
        epoch: chunk.epoch,
        specs: [],
        payloads: [],
        handovers: chunk.handovers ? new Map() : undefined,
      };
    const { partial } = this;
    if (
      !partial ||
      chunk.index !== partial.payloads.length ||
      chunk.revision !== partial.revision ||
      chunk.epoch !== partial.epoch
    ) {
      this.partial = undefined;
      throw new ProtocolError(`part ${chunk.index} of snapshot ${chunk.revision} does not follow the part before`);
    }
    // An agent that has checks already keeps them: 0 lets a restart after a crash catch up on their missed times.
    const assignedAtMs = this.schedule.size === 0 ? serverTimeMs : 0;
    partial.payloads.push(encode(chunk, assignedAtMs));
    for (const spec of chunk.checks) partial.specs.push(spec);
    for (const [code, completedThroughMs] of timesByCode(chunk.handovers ?? []))
      partial.handovers?.set(code, completedThroughMs);
    if (!chunk.last) return undefined;
    this.partial = undefined;
    this.schedule.replaceAll(partial.specs, partial.handovers);
    this.revision = chunk.revision;
    this.epoch = chunk.epoch;
    await this.store(() => this.file.replace(partial.payloads));
    return chunk.revision;
  }

  /** Applies a change. @returns the revision to acknowledge */
  async applyDelta(delta: Delta, serverTimeMs: number): Promise<number> {
    const completedThrough = timesByCode(delta.handovers);
    for (const spec of delta.upserts) this.schedule.upsert(spec, completedThrough.get(checkCode(spec.key)));
    for (const key of delta.removes) this.schedule.remove(key);
    this.revision = delta.revision;
    this.epoch = delta.epoch;
    await this.store(() => {
      if (this.file.wantsWhole) return this.file.replace(this.encodeWhole());
      return this.file.append(encode(delta, serverTimeMs));
    });
    return delta.revision;
  }

  clear(): void {
    this.schedule.replaceAll([]);
    this.file.remove();
  }

  /** A disk that fails does not stop checking; only the next restart has to fetch the assignment. */
  private async store(write: () => Promise<void> | void): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn(
        { err: error },
        'the assignment could not be stored on disk; the next restart fetches it from the control plane',
      );
    }
  }

  private encodeWhole(): Uint8Array[] {
    const specs = [...this.schedule.specs()];
    const payloads: Uint8Array[] = [];
    for (let index = 0; index === 0 || index * CHECKS_PER_CHUNK < specs.length; index++) {
      const checks = specs.slice(index * CHECKS_PER_CHUNK, (index + 1) * CHECKS_PER_CHUNK);
      const last = (index + 1) * CHECKS_PER_CHUNK >= specs.length;
      const { revision, epoch } = this;
      payloads.push(encode({ kind: 'snapshot', revision, epoch, index, last, checks, handovers: null }, 0));
    }
    return payloads;
  }
}

function encode(message: Snapshot | Delta, serverTimeMs: number): Uint8Array {
  return AssignmentUpdate.encode(updateToWire(message, serverTimeMs)).finish();
}

function timesByCode(handovers: readonly Handover[]): Map<number, number> {
  return new Map(handovers.map(({ key, completedThroughMs }) => [checkCode(key), completedThroughMs]));
}
