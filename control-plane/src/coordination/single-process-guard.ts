import { backoffMs } from '@watchpost/shared/backoff';
import type { Logger } from 'pino';
import { openLockSession, type LockSession } from './single-process-store.js';

export interface SingleProcessGuardOptions {
  databaseUrl: string;
  logger: Logger;
  /** Called once when another process took the place while the database was away: this one has to stop. */
  onUsurped: (error: Error) => void;
  /** How long is waited for a process that is going, ms. */
  waitMs?: number;
}

export interface SingleProcessGuard {
  /** Lets another process in. */
  release(): Promise<void>;
}

/** A killed process's session ends as soon as PostgreSQL notices, which is nearly at once where the process's machine still runs. */
const DEFAULT_WAIT_MS = 5_000;
const RETRY_MS = 200;
const PING_MS = 10_000;
const BACKOFF = { initialMs: 200, maxMs: 5_000, factor: 2 };

/**
 * Makes sure that no other control-plane process runs on the same database, which would not
 * hear of what this one does. PostgreSQL keeps the promise: the lock lives and dies with a connection.
 * @throws Error saying who is in the way, where that one does not go within `waitMs`
 */
export async function holdSingleProcess(options: SingleProcessGuardOptions): Promise<SingleProcessGuard> {
  const guard = new Guard(options);
  await guard.acquire(options.waitMs ?? DEFAULT_WAIT_MS);
  return guard;
}

class Guard implements SingleProcessGuard {
  private session: LockSession | undefined;
  private pinger: NodeJS.Timeout | undefined;
  private released = false;

  constructor(private readonly options: SingleProcessGuardOptions) {}

  async acquire(waitMs: number): Promise<void> {
    const session = await openLockSession(this.options.databaseUrl, (error) => void this.recover(error));
    const deadline = performance.now() + waitMs;
    try {
      while (!(await session.tryLock())) {
        if (performance.now() > deadline) {
          const holder = (await session.describeHolder()) ?? 'another control plane';
          throw new UsurpedError(
            `Another control-plane process runs on this database: ${holder}. ` +
              'There can be one only: stop that one, or give this one a database of its own.',
          );
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    } catch (error) {
      await session.close();
      throw error;
    }
    if (this.released) {
      await session.close();
      return;
    }
    this.session = session;
    // A dead connection without traffic is not noticed by anybody.
    this.pinger = setInterval(() => void session.ping().catch((error: Error) => this.replace(session, error)), PING_MS);
    this.pinger.unref();
  }

  async release(): Promise<void> {
    this.released = true;
    clearInterval(this.pinger);
    await this.session?.close();
  }

  private replace(session: LockSession, error: Error): void {
    if (this.session !== session) return;
    void session.close();
    void this.recover(error);
  }

  private async recover(cause: Error): Promise<void> {
    if (this.released || !this.session) return;
    this.session = undefined;
    clearInterval(this.pinger);
    const { logger, onUsurped, waitMs } = this.options;
    logger.warn({ err: cause }, 'the connection that keeps other processes out was lost; taking it up again');
    for (let attempt = 0; !this.released; attempt++) {
      try {
        await this.acquire(waitMs ?? DEFAULT_WAIT_MS);
        logger.info('other processes are kept out again');
        return;
      } catch (error) {
        if (error instanceof UsurpedError) {
          onUsurped(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, Math.random(), BACKOFF)));
      }
    }
  }
}

class UsurpedError extends Error {
  override readonly name = 'UsurpedError';
}
