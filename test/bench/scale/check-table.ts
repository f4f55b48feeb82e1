import { firstAfterHandover, firstScheduledAt, nextScheduledAt } from '@watchpost/agent/schedule/decide-scheduled-time';
import { checkCode, monitorKeyOf, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import type { Schedule } from '@watchpost/agent/sync/assignment';

/** A turn of the wheel is longer than the interval of the checks, so that few entries stay for a second turn. */
const SLOTS = 8_192;
const STEP_MS = 10;
const NONE = -1;

export interface CheckTablePorts {
  /** How long a check takes, ms. */
  durationMs(monitorKey: number, scheduledAtMs: number): number;
  /** A check is done; `lateMs` is how late this process noticed. */
  onDone(agent: number, monitorKey: number, scheduledAtMs: number, lateMs: number): void;
}

/**
 * The checks of all simulated agents of a process, in columns: about 60 bytes each, where an agent's own schedule takes some
 * hundred. A timing wheel gives each check to `onDone` at the end of its scheduled run.
 */
export class CheckTable {
  private used = 0;
  private freed = NONE;
  private monitorKey: Float64Array;
  private scheduledAt: Float64Array;
  private doneAt: Float64Array;
  private changedAt: Float64Array;
  private intervalMs: Uint32Array;
  private phaseMs: Uint32Array;
  private agent: Int16Array;
  /** 1: removed, and this scheduled time is still run because it was due. 2: not run any more. */
  private removed: Uint8Array;
  /** The next row of the same slot, or of the free rows. */
  private next: Int32Array;
  private readonly heads = new Int32Array(SLOTS).fill(NONE);
  private turnedToMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  /** No scheduled time from here on is run. */
  endMs = Infinity;

  constructor(
    private readonly capacity: number,
    private readonly ports: CheckTablePorts,
  ) {
    this.monitorKey = new Float64Array(capacity);
    this.scheduledAt = new Float64Array(capacity);
    this.doneAt = new Float64Array(capacity);
    this.changedAt = new Float64Array(capacity);
    this.intervalMs = new Uint32Array(capacity);
    this.phaseMs = new Uint32Array(capacity);
    this.agent = new Int16Array(capacity);
    this.removed = new Uint8Array(capacity);
    this.next = new Int32Array(capacity);
  }

  /** Runs what is done by now. To be called every few ms. */
  turn(nowMs: number): void {
    while (this.turnedToMs + STEP_MS <= nowMs) {
      const slot = (this.turnedToMs / STEP_MS) % SLOTS;
      this.turnedToMs += STEP_MS;
      let row = this.heads[slot]!;
      this.heads[slot] = NONE;
      while (row !== NONE) {
        const following = this.next[row]!;
        this.take(row, nowMs);
        row = following;
      }
    }
  }

  /** @returns the row of a new check */
  add(agent: number, spec: CheckSpec, scheduledAtMs: number): number {
    const row = this.freed === NONE ? this.grow() : this.freed;
    if (row === this.freed) this.freed = this.next[row]!;
    this.agent[row] = agent;
    this.removed[row] = 0;
    this.monitorKey[row] = spec.key.monitorKey;
    this.setRule(row, spec);
    this.enter(row, scheduledAtMs);
    return row;
  }

  setRule(row: number, { changedAtMs, intervalMs, phaseMs }: CheckSpec): void {
    this.changedAt[row] = changedAtMs;
    this.intervalMs[row] = intervalMs;
    this.phaseMs[row] = phaseMs;
  }

  /** The scheduled time that comes next or is being run. */
  scheduledAtMs(row: number): number {
    return this.scheduledAt[row]!;
  }

  /** Removes a check: what was due by `nowMs` is still run. -Infinity: nothing is. */
  remove(row: number, nowMs: number): void {
    this.removed[row] = this.scheduledAt[row]! <= nowMs ? 1 : 2;
  }

  private take(row: number, nowMs: number): void {
    const doneAtMs = this.doneAt[row]!;
    if (doneAtMs >= this.turnedToMs) return this.link(row);
    const scheduledAtMs = this.scheduledAt[row]!;
    const removed = this.removed[row]!;
    if (removed < 2 && scheduledAtMs < this.endMs)
      this.ports.onDone(this.agent[row]!, this.monitorKey[row]!, scheduledAtMs, nowMs - doneAtMs);
    if (removed > 0) {
      this.next[row] = this.freed;
      this.freed = row;
      return;
    }
    const rule = {
      changedAtMs: this.changedAt[row]!,
      intervalMs: this.intervalMs[row]!,
      phaseMs: this.phaseMs[row]!,
    };
    this.enter(row, nextScheduledAt(rule, scheduledAtMs));
  }

  private enter(row: number, scheduledAtMs: number): void {
    this.scheduledAt[row] = scheduledAtMs;
    const beginMs = Math.max(scheduledAtMs, this.turnedToMs);
    this.doneAt[row] = beginMs + 1 + this.ports.durationMs(this.monitorKey[row]!, scheduledAtMs);
    this.link(row);
  }

  private link(row: number): void {
    const slot = Math.floor(this.doneAt[row]! / STEP_MS) % SLOTS;
    this.next[row] = this.heads[slot]!;
    this.heads[slot] = row;
  }

  private grow(): number {
    if (this.used === this.capacity) throw new Error(`more than ${this.capacity} checks in one simulator process`);
    return this.used++;
  }
}

export class AgentChecks implements Schedule {
  private readonly rows = new Map<number, number>();

  constructor(
    private readonly table: CheckTable,
    private readonly agent: number,
  ) {}

  get size(): number {
    return this.rows.size;
  }

  keys(): number[] {
    return [...this.rows.keys()].map(monitorKeyOf);
  }

  /** Nothing is kept to restart from. */
  *specs(): Generator<CheckSpec> {}

  upsert(spec: CheckSpec, completedThroughMs?: number): void {
    const now = Date.now();
    const code = checkCode(spec.key);
    const row = this.rows.get(code);
    if (row === undefined) {
      const first =
        completedThroughMs === undefined
          ? firstScheduledAt(spec, now, -Infinity)
          : firstAfterHandover(spec, now, completedThroughMs);
      this.rows.set(code, this.table.add(this.agent, spec, first));
      return;
    }
    this.table.setRule(row, spec);
    if (completedThroughMs === undefined) return;
    const first = firstAfterHandover(spec, now, completedThroughMs);
    if (first >= this.table.scheduledAtMs(row)) return;
    this.table.remove(row, -Infinity);
    this.rows.set(code, this.table.add(this.agent, spec, first));
  }

  remove(key: CheckKey): void {
    this.drop(checkCode(key), Date.now());
  }

  replaceAll(specs: readonly CheckSpec[], handovers?: ReadonlyMap<number, number>): void {
    const kept = new Set(specs.map(({ key }) => checkCode(key)));
    for (const code of this.rows.keys()) if (!kept.has(code)) this.drop(code, -Infinity);
    for (const spec of specs) this.upsert(spec, handovers?.get(checkCode(spec.key)));
  }

  private drop(code: number, nowMs: number): void {
    const row = this.rows.get(code);
    if (row === undefined) return;
    this.rows.delete(code);
    this.table.remove(row, nowMs);
  }
}
