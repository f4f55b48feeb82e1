import type { Registry } from 'prom-client';
import { metricsOn, REQUEST_SECONDS } from '@watchpost/shared/metrics-on';
import type { ConnectionTurns, ConnectionUser } from './connection-turns.js';

const USERS: readonly ConnectionUser[] = ['requests', 'background'];

export function connectionMetrics(registry: Registry) {
  const { histogram, shownBy } = metricsOn(registry);
  const waited = histogram(
    'watchpost_database_wait_seconds',
    'How long work waited for a database connection, where none was free for it at once.',
    REQUEST_SECONDS,
    'by',
  );
  return {
    onWaited: (by: ConnectionUser, seconds: number) => waited.observe({ by }, seconds),
    show(turns: ConnectionTurns): void {
      shownBy('by', USERS, 'watchpost_database_connections_used', 'Database connections in use.', (by) =>
        turns.used(by),
      );
      shownBy('by', USERS, 'watchpost_database_waiting', 'Work that waits for a database connection.', (by) =>
        turns.waiting(by),
      );
    },
  };
}
