import { pause, retry } from '@watchpost/shared/retry';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { DatabaseHosts } from '../db/database-hosts.js';
import { startPeriodicTask, type RunningTask } from '../jobs/periodic-task.js';
import { openLockSession, type LockHolder, type LockSession, type Place } from './process-guard-store.js';

export interface ProcessGuardOptions {
  hosts: DatabaseHosts;
  /** `shared`: with others that hear each other by Redis. `alone`: with nobody. */
  place: Place;
  /** The number of migrations that this process has. */
  schemaVersion: number;
  logger: Logger;
  registry?: Registry;
  /** Called once when another process took the place while the database was away: this one has to stop. */
  onUsurped: (error: Error) => void;
  /** How long is waited for a process that is going, ms. */
  waitMs?: number;
}

export interface ProcessGuard {
  /**
   * Whether this process leads the installation, which it tries to. One process does at a time, until it ends or loses its
   * connection, which it may notice some seconds after another has taken the lead: what the leader does must be correct
   * where two do it.
   */
  leads(): Promise<boolean>;
  /** Lets another process in. */
  release(): Promise<void>;
}

/** A killed process's session ends as soon as PostgreSQL notices, which is nearly at once where the process's machine still runs. */
const DEFAULT_WAIT_MS = 5_000;
/** The server holds the lock of a connection that broke off silently until its keepalive gives up, after up to 14 s. */
const RECOVERY_WAIT_MS = 20_000;
const RETRY_MS = 200;
const PING_MS = 10_000;
const BACKOFF = { initialMs: 200, maxMs: 5_000, factor: 2 };

/**
 * Makes sure that every control-plane process on a database hears of what the others do: either there is one only, or
 * all of them have Redis. PostgreSQL keeps the promise: the lock, shared or not, lives and dies with a connection.
 * @throws Error naming the process that is in the way, where it does not end within `waitMs`
 */
export async function holdProcessPlace(options: ProcessGuardOptions): Promise<ProcessGuard> {
  const guard = new Guard(options);
  await guard.acquire(options.waitMs ?? DEFAULT_WAIT_MS);
  return guard;
}

class Guard implements ProcessGuard {
  private session: LockSession | undefined;
  private pinging: RunningTask | undefined;
  private readonly released = new AbortController();

  constructor(private readonly options: ProcessGuardOptions) {}

  async acquire(waitMs: number): Promise<void> {
    const { hosts, place, schemaVersion } = this.options;
    const session = await openLockSession(hosts, schemaVersion, (error) => void this.recover(error));
    const deadline = performance.now() + waitMs;
    try {
      while (!(await session.tryLock(place))) {
        if (performance.now() > deadline) {
          throw new UsurpedError(refusal(place, await session.findHolder()));
        }
        await pause(RETRY_MS);
      }
    } catch (error) {
      await session.close();
      throw error;
    }
    if (this.released.signal.aborted) {
      await session.close();
      return;
    }
    this.session = session;
    // Without traffic a dead connection goes unnoticed.
    const ping = () => session.ping().catch((error: Error) => this.replace(session, error));
    this.pinging = startPeriodicTask({ name: 'hold_process_place', everyMs: PING_MS, run: ping }, this.options);
  }

  async leads(): Promise<boolean> {
    // Without its connection a process has lost the lead.
    return (await this.session?.tryLead().catch(() => false)) ?? false;
  }

  async release(): Promise<void> {
    this.released.abort();
    void this.pinging?.stop();
    await this.session?.close();
  }

  private replace(session: LockSession, error: Error): void {
    if (this.session !== session) return;
    void session.close();
    void this.recover(error);
  }

  private async recover(cause: Error): Promise<void> {
    if (this.released.signal.aborted || !this.session) return;
    this.session = undefined;
    void this.pinging?.stop();
    const { logger, onUsurped, waitMs } = this.options;
    logger.warn({ err: cause }, 'the connection that keeps other processes out was lost; taking it up again');
    try {
      await retry(() => this.acquire(waitMs ?? RECOVERY_WAIT_MS), {
        backoff: BACKOFF,
        signal: this.released.signal,
        onFailure(error) {
          if (error instanceof UsurpedError) throw error;
        },
      });
      logger.info('other processes are kept out again');
    } catch (error) {
      if (error instanceof UsurpedError) onUsurped(error);
    }
  }
}

function refusal(place: Place, holder: LockHolder | null): string {
  const who = holder ? `: ${holder.description}` : '';
  const there = `Another control-plane process runs on this database${who}. `;
  if (place === 'shared') {
    return (
      there +
      'It has no Redis and would not hear of this one: stop it, or start it again with the same REDIS_URL as this one.'
    );
  }
  return (
    there +
    (holder?.place === 'shared'
      ? 'It has Redis and this one has not: set REDIS_URL to the same Redis, or give this one a database of its own.'
      : 'There can be one only without Redis: stop that one, or set the same REDIS_URL for both, or give this one a database of its own.')
  );
}

class UsurpedError extends Error {
  override readonly name = 'UsurpedError';
}
