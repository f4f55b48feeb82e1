import { callbackify } from 'node:util';
import pg from 'pg';
import type { DatabaseHost } from './parse-database-url.js';
import { cancelStatement, readStateOn } from './read-server-state.js';
import { RequestOver } from './request-context.js';
import type { ServerState } from './server-history.js';

/** Decides to which server connections go. */
export interface HostChoice {
  /** With several servers or one that has to accept writes: otherwise the URL alone decides, which may name a socket. */
  readonly needsPrimary: boolean;
  /** @throws Error where no server can be used */
  choose(): Promise<DatabaseHost>;
  /** Notes a connection that begins, and closes it when another server becomes the primary. */
  track(client: PrimaryClient): void;
  suspect(host: DatabaseHost): void;
  /** @throws Error where the server must not be used */
  admit(host: DatabaseHost, state: ServerState): void;
}

export interface PrimaryClient extends pg.Client {
  readonly server: DatabaseHost | undefined;
  /** Whether a statement may run longer than the deadline of connections. */
  isPatient: boolean;
  /** For how long the oldest statement without an answer has been running, ms. */
  waitingMs(now: number): number;
  /** Whether its work is over: it takes no statement until this is false again. */
  isOver: boolean;
  /** Cancels the running statement and takes no further ones. Resolves when the server has been asked. */
  endWork(): Promise<void>;
  /** Closes the connection without waiting for the server. */
  abandon(reason: string): void;
}

/**
 * SQLSTATEs after which the server is not, or may not be, the primary any more: read-only transaction (a demoted server),
 * shutdown by an administrator, shutdown after a crash, not accepting connections. Others of their class end one session.
 */
const NOT_PRIMARY = new Set(['25006', '57P01', '57P02', '57P03']);

/** @returns a class for pools: each connection goes to the primary, and is closed when its server ceases to be that */
export function primaryClientClass(hosts: HostChoice): typeof pg.Client {
  return class extends pg.Client implements PrimaryClient {
    server: DatabaseHost | undefined;
    isPatient = false;
    isOver = false;
    private waiting = 0;
    private waitingSince = 0;
    private backendPid = 0;

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      if (!callback) return this.open();
      callbackify(() => this.open())(callback);
    }

    // The overloads of the driver are kept.
    override query = ((...args: Parameters<pg.Client['query']>) => {
      if (this.isOver) return Promise.reject(new RequestOver());
      if (this.waiting++ === 0) this.waitingSince = performance.now();
      const [statement, values] = args as unknown as [{ values?: unknown[] } | string, unknown[] | undefined];
      replaceNulls(typeof statement === 'string' ? values : statement.values);
      // Statements that are sent without waiting for each other's answers leave in one packet.
      const { stream } = this.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
      return super.query(...args);
    }) as pg.Client['query'];

    waitingMs(now: number): number {
      return this.waiting === 0 || this.isPatient ? 0 : now - this.waitingSince;
    }

    async endWork(): Promise<void> {
      this.isOver = true;
      if (this.waiting > 0 && this.server) await cancelStatement(this.server.url, this.backendPid);
    }

    abandon(reason: string): void {
      this.connection.stream.destroy(new Error(reason));
    }

    private async open(): Promise<this> {
      const server = await hosts.choose();
      this.server = server;
      hosts.track(this);
      // Before the first statement: a pool listens only when this returns, and breaks a connection that takes too long.
      this.on('error', () => hosts.suspect(server));
      if (hosts.needsPrimary) [this.host, this.port] = [server.hostname, server.port];
      this.connection.on('errorMessage', ({ code }: { code?: string }) => this.failed(code));
      try {
        await super.connect();
        this.connection.on('readyForQuery', () => {
          this.waiting = Math.max(0, this.waiting - 1);
          this.waitingSince = performance.now();
        });
        const state = await readStateOn(this);
        this.backendPid = state.backendPid;
        hosts.admit(server, state);
      } catch (error) {
        hosts.suspect(server);
        this.end().catch(() => {});
        throw error;
      }
      return this;
    }

    private failed(code: string | undefined): void {
      if (code === undefined || !NOT_PRIMARY.has(code) || !this.server) return;
      hosts.suspect(this.server);
      // After the statement is rejected. A pool discards a client that has ended.
      setImmediate(() => void this.end().catch(() => {}));
    }
  };
}

/**
 * Replaces U+0000 in the texts of a statement: no column takes it, and the statement may store texts of many tenants.
 * @param values are changed in place
 */
function replaceNulls(values: unknown[] | undefined): void {
  if (!Array.isArray(values)) return;
  for (const [index, value] of values.entries())
    if (hasNull(value)) values[index] = withoutNulls(value);
    else if (Array.isArray(value) && value.some(hasNull))
      values[index] = value.map((each: unknown) => (hasNull(each) ? withoutNulls(each) : each));
}

function hasNull(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\u0000');
}

function withoutNulls(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
