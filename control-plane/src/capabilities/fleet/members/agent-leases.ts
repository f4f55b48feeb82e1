import { backoffMs } from '@watchpost/shared/backoff';
import type { Region } from '@watchpost/shared/region';
import { pause } from '@watchpost/shared/retry';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/coordination/bus.js';
import type { Database } from '../../../platform/db/database.js';
import { startPeriodicTask, type RunningTask } from '../../../platform/jobs/periodic-task.js';
import { dropLeases, type Lease, recordTakeovers, renewProcess, stopProcess, takeLeases } from './lease-store.js';

export interface AgentLeasesOptions {
  db: Database;
  bus: Bus;
  logger: Logger;
  processId: string;
  /** How often this process shows that it is alive, ms. */
  renewMs: number;
  /** After how long without that it counts as dead, ms. */
  leaseMs: number;
}

/** Streams that open or break together are written together, and move the epoch on once, ms. */
const COALESCE_MS = 20;
const BACKOFF = { initialMs: 50, maxMs: 1_000, factor: 2 };

/**
 * Writes down which agents' streams end in this process, so that all processes decide by the same facts. What comes
 * together is written together, in one transaction; what cannot be written is tried again until it is.
 */
export class AgentLeases {
  /** Streams by agent: what is to be written of them, the newest only. */
  private changes = new Map<string, { lease: Lease; over: boolean }>();
  private gains = new Map<string, { lease: Lease; epoch: string }>();
  private readonly written = new Set<string>();
  private renewing: RunningTask | undefined;
  private renewedAt = -Infinity;
  private flushing: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: AgentLeasesOptions) {}

  take(lease: Lease): void {
    this.renewing ??= this.startRenewing();
    this.changes.set(lease.agentId, { lease, over: false });
    this.gains.delete(lease.agentId);
    this.flush();
  }

  drop(lease: Lease): void {
    const pending = this.changes.get(lease.agentId);
    // A stream that a newer one replaced leaves nothing behind.
    if (pending && pending.lease.sessionId !== lease.sessionId) return;
    this.written.delete(lease.sessionId);
    this.changes.set(lease.agentId, { lease, over: true });
    this.flush();
  }

  /** The agent has everything that it gained by this epoch. */
  gain(lease: Lease, epoch: string): void {
    this.gains.set(lease.agentId, { lease, epoch });
    this.flush();
  }

  /** Whether other processes can know of this stream. */
  isWritten(sessionId: string): boolean {
    return this.written.has(sessionId);
  }

  /** Shows that this process is alive, unless it did so just now. */
  async renew(): Promise<void> {
    const { db, processId, leaseMs, renewMs } = this.options;
    const now = performance.now();
    if (this.stopped || now - this.renewedAt < renewMs / 2) return;
    await db.read((tx) => renewProcess(tx, processId, leaseMs));
    this.renewedAt = now;
  }

  /** Leaves the leases as they are, and says that this process is gone: its agents are waited for elsewhere. */
  async stop(): Promise<void> {
    this.stopped = true;
    void this.renewing?.stop();
    await this.flushing;
    if (this.renewing === undefined) return;
    const { db, processId, logger } = this.options;
    await db
      .read((tx) => stopProcess(tx, processId))
      .catch((error: unknown) => logger.warn({ err: error }, 'the end of this process could not be written down'));
  }

  private startRenewing(): RunningTask {
    const { renewMs, logger } = this.options;
    const task = { name: 'renew_leases', everyMs: renewMs, initialDelayMs: renewMs, run: () => this.renew() };
    return startPeriodicTask(task, { logger });
  }

  private flush(): void {
    if (!this.stopped) this.flushing ??= this.work().finally(() => (this.flushing = undefined));
  }

  private async work(): Promise<void> {
    await pause(COALESCE_MS);
    for (let failures = 0; this.changes.size + this.gains.size > 0 && !this.stopped;) {
      const { changes, gains } = this;
      this.changes = new Map();
      this.gains = new Map();
      try {
        await this.write([...changes.values()], [...gains.values()]);
        failures = 0;
      } catch (error) {
        // What came meanwhile is newer.
        this.changes = new Map([...changes, ...this.changes]);
        this.gains = new Map([...gains, ...this.gains]);
        this.options.logger.warn({ err: error }, 'the streams of agents could not be written down; trying again');
        await pause(backoffMs(failures++, Math.random(), BACKOFF));
      }
    }
  }

  private async write(
    changes: readonly { lease: Lease; over: boolean }[],
    gains: readonly { lease: Lease; epoch: string }[],
  ): Promise<void> {
    const { db, bus, processId } = this.options;
    // First of all: agents must not seem to have left before this process was there.
    await this.renew();
    const taken = changes.filter(({ over }) => !over).map(({ lease }) => lease);
    const dropped = changes.filter(({ over }) => over).map(({ lease }) => lease);
    await db.transaction(async (tx) => {
      if (taken.length > 0) await takeLeases(tx, processId, taken);
      if (dropped.length > 0) await dropLeases(tx, dropped);
      if (gains.length > 0) await recordTakeovers(tx, gains);
    });
    for (const { sessionId, agentId } of taken) {
      if (!this.changes.has(agentId)) this.written.add(sessionId);
    }
    const regions = new Set<Region>(
      [...taken, ...dropped, ...gains.map(({ lease }) => lease)].map(({ region }) => region),
    );
    for (const region of regions) bus.publish('region-changed', { region });
  }
}
