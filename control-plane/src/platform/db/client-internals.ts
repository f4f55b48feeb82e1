import type pg from 'pg';

/** What the driver's types leave out. */
interface ClientInternals {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  connection: NodeJS.EventEmitter & { stream: { destroy(error?: Error): void; cork(): void; uncork(): void } };
}

export function internalsOf(client: pg.Client): ClientInternals {
  return client as pg.Client & ClientInternals;
}
