import { Gauge, type Registry } from 'prom-client';
import { metricsOn, REQUEST_SECONDS } from '../telemetry/metrics-on.js';
import type { ConnectionTurns, ConnectionUser } from './connection-turns.js';

const USERS: readonly ConnectionUser[] = ['requests', 'background'];

/** Declares the metrics of the connection pool. */
export function connectionMetrics(registry: Registry) {
  const waited = metricsOn(registry).histogram(
    'watchpost_database_wait_seconds',
    'How long work waited for a database connection, where none was free for it at once.',
    REQUEST_SECONDS,
    'by',
  );
  const shown = (name: string, help: string, read: (by: ConnectionUser) => number) => {
    const gauge: Gauge<'by'> = new Gauge({
      name,
      help,
      labelNames: ['by'],
      registers: [registry],
      collect: () => USERS.forEach((by) => gauge.set({ by }, read(by))),
    });
  };
  return {
    onWaited: (by: ConnectionUser, seconds: number) => waited.observe({ by }, seconds),
    show(turns: ConnectionTurns): void {
      shown('watchpost_database_connections_used', 'Database connections in use.', (by) => turns.used(by));
      shown('watchpost_database_waiting', 'Work that waits for a database connection.', (by) => turns.waiting(by));
    },
  };
}
