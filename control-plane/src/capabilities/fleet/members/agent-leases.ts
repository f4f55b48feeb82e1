import { backoffMs } from '@watchpost/shared/backoff';
import type { Place } from '@watchpost/shared/region';
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
  /** How often this process renews its sign of life, ms. */
  renewMs: number;
  /** A process without a sign of life for this long counts as dead, ms. */
  leaseMs: number;
}

/** Changes within this time are written in one transaction and start one epoch, ms. */
const COALESCE_MS = 20;
const BACKOFF = { initialMs: 50, maxMs: 1_000, factor: 2 };

/**
 * Stores the leases of this process: which agents' streams end here. All processes decide memberships by the stored leases.
 * A failed write is repeated until it succeeds.
 */
export class AgentLeases {
  /** The newest change of each agent that is not written yet. */
  private changes = new Map<string, { lease: Lease; over: boolean }>();
  private takeovers = new Map<string, { lease: Lease; epoch: string }>();
  /** The sessions of connected agents whose leases are stored. */
  private readonly written = new Set<string>();
  private renewing: RunningTask | undefined;
  private renewedAt = -Infinity;
  private signing: Promise<void> | undefined;
  private flushing: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: AgentLeasesOptions) {}

  take(lease: Lease): void {
    this.renewing ??= this.startRenewing();
    this.changes.set(lease.agentId, { lease, over: false });
    this.takeovers.delete(lease.agentId);
    this.flush();
  }

  drop(lease: Lease): void {
    const pending = this.changes.get(lease.agentId);
    // A newer stream of the agent holds the lease.
    if (pending && pending.lease.sessionId !== lease.sessionId) return;
    this.written.delete(lease.sessionId);
    this.changes.set(lease.agentId, { lease, over: true });
    this.flush();
  }

  /** Stores that the agent has taken over all checks that it gained in this epoch. */
  noteTakeover(lease: Lease, epoch: string): void {
    this.takeovers.set(lease.agentId, { lease, epoch });
    this.flush();
  }

  /** Whether the lease of this stream is stored, so that other processes can read it. */
  isWritten(sessionId: string): boolean {
    return this.written.has(sessionId);
  }

  /** Stores a sign of life of this process, unless one was stored just now. */
  async renew(): Promise<void> {
    if (this.stopped || performance.now() - this.renewedAt < this.options.renewMs / 2) return;
    await (this.signing ??= this.sign().finally(() => (this.signing = undefined)));
  }

  private async sign(): Promise<void> {
    const { db, processId, leaseMs } = this.options;
    const now = performance.now();
    await db.read((tx) => renewProcess(tx, processId, leaseMs));
    this.renewedAt = now;
  }

  /** Keeps the leases and marks this process as stopped: its agents are awaited at the other processes. */
  async stop(): Promise<void> {
    this.stopped = true;
    void this.renewing?.stop();
    await this.flushing;
    if (this.renewing === undefined) return;
    const { db, processId, logger } = this.options;
    await db
      .read((tx) => stopProcess(tx, processId))
      .catch((error: unknown) => logger.warn({ err: error }, 'the end of this process could not be stored'));
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
    for (let failures = 0; this.changes.size + this.takeovers.size > 0 && !this.stopped;) {
      const { changes, takeovers } = this;
      this.changes = new Map();
      this.takeovers = new Map();
      try {
        await this.write([...changes.values()], [...takeovers.values()]);
        failures = 0;
      } catch (error) {
        // Changes that arrived during the write are newer.
        this.changes = new Map([...changes, ...this.changes]);
        this.takeovers = new Map([...takeovers, ...this.takeovers]);
        this.options.logger.warn({ err: error }, 'the leases of agents could not be stored; trying again');
        // Not `retry`: the next attempt writes what has changed meanwhile too.
        await pause(backoffMs(failures++, Math.random(), BACKOFF));
      }
    }
  }

  private async write(
    changes: readonly { lease: Lease; over: boolean }[],
    takeovers: readonly { lease: Lease; epoch: string }[],
  ): Promise<void> {
    const { db, bus, processId } = this.options;
    // The process comes first: a lease of an unknown process would count as one of a dead process.
    await this.renew();
    const taken = changes.filter(({ over }) => !over).map(({ lease }) => lease);
    const dropped = changes.filter(({ over }) => over).map(({ lease }) => lease);
    await db.transaction(async (tx) => {
      if (taken.length > 0) await takeLeases(tx, processId, taken);
      if (dropped.length > 0) await dropLeases(tx, dropped);
      if (takeovers.length > 0) await recordTakeovers(tx, takeovers);
    });
    for (const { sessionId, agentId } of taken) {
      if (!this.changes.has(agentId)) this.written.add(sessionId);
    }
    const regions = new Set<Place>(
      [...taken, ...dropped, ...takeovers.map(({ lease }) => lease)].map(({ region }) => region),
    );
    for (const region of regions) bus.publish('region-changed', { region });
  }
}
