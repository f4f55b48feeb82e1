import { once } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { keepRunning } from '@watchpost/shared/retry';
import type { DatabaseHosts } from './database-hosts.js';

export interface ListenOptions {
  hosts: DatabaseHosts;
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
export function listen(options: ListenOptions): { stop(): Promise<void> } {
  const over = new AbortController();
  const running = keepRunning(() => listenUntilLost(options, over.signal), {
    backoff: BACKOFF,
    healthyMs: HEALTHY_MS,
    signal: over.signal,
    onEnd(error, { attempt }) {
      if (attempt === 1) options.logger.warn({ err: error }, 'the listening connection was lost; opening another one');
    },
  });
  return {
    async stop() {
      over.abort();
      await running;
    },
  };
}

async function listenUntilLost({ hosts, channel, onNotify }: ListenOptions, signal: AbortSignal): Promise<void> {
  const client = hosts.client({
    application_name: 'watchpost listener',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    options:
      '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  });
  // Rejects with the error of the connection.
  const lost = once(client, 'end', { signal });
  lost.catch(() => {});
  client.on('error', () => {});
  client.on('notification', () => onNotify());
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    if (!signal.aborted) onNotify();
    await lost;
  } finally {
    const ended = client.end().catch(() => {});
    // A connection that was lost may take long to end.
    if (signal.aborted) await ended;
  }
}
