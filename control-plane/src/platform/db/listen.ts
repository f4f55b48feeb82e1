import pg from 'pg';
import type { Logger } from 'pino';
import { backoffMs } from '@watchpost/shared/backoff';

export interface ListenOptions {
  databaseUrl: string;
  /** A channel of NOTIFY. */
  channel: string;
  logger: Logger;
  /** Called for every notification, and after every connection, because notifications may have been missed before it. */
  onNotify(): void;
}

const BACKOFF = { initialMs: 200, maxMs: 10_000, factor: 2 };
const HEALTHY_MS = 60_000;

/**
 * Listens on a connection of its own, and opens another one when that is lost. Notifications are hints: some may be
 * missed, so a listener also polls.
 */
export function listen({ databaseUrl, channel, logger, onNotify }: ListenOptions): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  let attempt = 0;
  let connectedAt = 0;
  let opening: Promise<void> = Promise.resolve();

  const open = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'watchpost listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      options:
        '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
    });
    client = own;
    const lose = (error?: Error): void => {
      if (stopped || client !== own) return;
      client = undefined;
      if (Date.now() - connectedAt > HEALTHY_MS) attempt = 0;
      if (attempt === 1) logger.warn({ err: error }, 'the listening connection was lost; opening another one');
      void own.end().catch(() => {});
      timer = setTimeout(start, backoffMs(attempt++, Math.random(), BACKOFF));
    };
    own.on('error', lose);
    own.on('end', () => lose());
    own.on('notification', () => onNotify());
    try {
      await own.connect();
      await own.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      connectedAt = Date.now();
      onNotify();
    } catch (error) {
      lose(error as Error);
    }
  };
  const start = (): void => {
    if (!stopped) opening = open();
  };
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await opening;
      await client?.end().catch(() => {});
    },
  };
}
