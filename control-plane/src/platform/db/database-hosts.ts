import pg from 'pg';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import { parseDatabaseUrl, type DatabaseHost } from './parse-database-url.js';
import { primaryClientClass, type HostChoice, type PrimaryClient } from './primary-client.js';
import {
  decidePrimary,
  historyId,
  isOutdated,
  isPrimaryFound,
  type ServerHistory,
  type ServerState,
} from './server-history.js';
import { readServerState } from './read-server-state.js';

export interface DatabaseHostsOptions {
  /** With one server or several. */
  url: string;
  logger: Logger;
  times?: Partial<HostTimes>;
}

/** A connection that nothing used for this long is closed. Opening one costs as much as fifty small statements. */
export const IDLE_MS = 5 * MINUTE_MS;

/** All ms. */
export interface HostTimes {
  /** How often connections are looked at. */
  lookMs: number;
  /** After this long without an answer to a statement, the servers are asked which one is the primary. */
  suspectMs: number;
  /** How often they are asked in any case, where there are several. */
  askMs: number;
  /** How long a server may take to answer that. */
  answerMs: number;
  /** The others may take so long once one of them is certainly the primary. */
  othersMs: number;
  /** A connection without an answer to a statement for this long is closed; longer than any statement may run. */
  deadlineMs: number;
  /** The same while the process stops: it has some 40 s for that. */
  stoppingDeadlineMs: number;
}

const TIMES: HostTimes = {
  lookMs: 1_000,
  suspectMs: 3_000,
  askMs: 10_000,
  answerMs: 2_000,
  othersMs: 250,
  deadlineMs: 35_000,
  stoppingDeadlineMs: 8_000,
};

/**
 * The servers of DATABASE_URL: which one is the primary, and all connections of this process to it. Where the primary
 * changes, the connections to the former one are closed, so that nobody waits for it.
 */
export class DatabaseHosts implements HostChoice {
  /** For pools. */
  readonly Client: typeof pg.Client;
  readonly hosts: readonly DatabaseHost[];
  readonly needsPrimary: boolean;
  private readonly times: HostTimes;
  private readonly clients = new Set<PrimaryClient>();
  private readonly listeners = new Set<() => void>();
  private current: number | null = null;
  private isSuspect = true;
  private known: ServerHistory | null = null;
  private asking: Promise<void> | undefined;
  private askedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private isStopping = false;

  /** @throws Error where the URL is none */
  constructor(private readonly options: DatabaseHostsOptions) {
    const { hosts, needsPrimary } = parseDatabaseUrl(options.url);
    this.hosts = hosts;
    this.needsPrimary = needsPrimary;
    this.times = { ...TIMES, ...options.times };
    this.Client = primaryClientClass(this);
    this.timer = setInterval(() => this.look(), this.times.lookMs).unref();
  }

  /** The URL of one server: where the driver has to be given one, and for everything in it that is not the server. */
  get url(): string {
    return this.hosts[this.current ?? 0]!.url;
  }

  /** Identifies the history of the present primary, opaque; '' where it is not known. */
  get history(): string {
    return historyId(this.known);
  }

  /** Calls `listener` when another history begins, before any statement runs in it. @returns removes the listener */
  onNewHistory(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A client of its own, outside of any pool. */
  client(config: Omit<pg.ClientConfig, 'connectionString'>): pg.Client {
    return new this.Client({ connectionString: this.url, ...config });
  }

  /** A pool of its own. Why connections do not compile plans: see `database.ts`. */
  pool(config: Omit<pg.PoolConfig, 'connectionString' | 'Client'>): pg.Pool {
    const pool = new pg.Pool({
      connectionString: withOptions(this.url, '-c jit=off'),
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      idleTimeoutMillis: IDLE_MS,
      ...config,
      Client: this.Client,
    });
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('error', (error) => this.options.logger.warn({ err: error }, 'idle database connection lost'));
    return pool;
  }

  /** The process stops: from now on it waits less for a server that does not answer. */
  stopSoon(): void {
    this.isStopping = true;
  }

  close(): void {
    clearInterval(this.timer);
  }

  async choose(): Promise<DatabaseHost> {
    if (this.hosts.length === 1) return this.hosts[0]!;
    if (this.current === null || this.isSuspect) await this.ask();
    if (this.current === null || this.isSuspect)
      throw new Error(`No server of DATABASE_URL accepts writes: ${this.hosts.map(({ name }) => name).join(', ')}`);
    return this.hosts[this.current]!;
  }

  /** Something suggests that the server is not the primary any more. */
  suspect(host: DatabaseHost): void {
    if (this.current !== null && this.hosts[this.current] === host) this.isSuspect = true;
  }

  track(client: PrimaryClient): void {
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
  }

  /** Takes note of a server's state. @throws Error where the server must not be used */
  admit(host: DatabaseHost, { isWritable, history }: ServerState): void {
    if (this.needsPrimary && !isWritable) throw new Error(`The database server ${host.name} accepts no writes.`);
    if (this.needsPrimary && isOutdated(history, this.known))
      throw new Error(`The database server ${host.name} is a former primary: it accepts no writes of ours.`);
    if (history === null || historyId(history) === this.history) return;
    const former = this.known;
    this.known = history;
    if (former === null) return;
    this.options.logger.warn({ server: host.name, former, history }, 'the database continues on another timeline');
    for (const listener of this.listeners) listener();
  }

  private look(): void {
    const now = performance.now();
    const deadlineMs = this.isStopping ? this.times.stoppingDeadlineMs : this.times.deadlineMs;
    let waits = false;
    for (const client of this.clients) {
      const waitingMs = client.waitingMs(now);
      if (waitingMs > deadlineMs) client.abandon('Query read timeout: the database did not answer in time');
      else waits ||= waitingMs > this.times.suspectMs;
    }
    if (this.hosts.length === 1 || this.asking) return;
    if (waits || now - this.askedAt > this.times.askMs) void this.ask();
  }

  /** Asks all servers which one is the primary, and moves there. */
  private ask(): Promise<void> {
    return (this.asking ??= this.askAll().finally(() => (this.asking = undefined)));
  }

  private async askAll(): Promise<void> {
    this.askedAt = performance.now();
    const chosen = decidePrimary(await this.readStates(), this.current, this.known);
    if (chosen === null) return;
    const former = this.current;
    this.current = chosen;
    this.isSuspect = false;
    if (former === chosen) return;
    const server = this.hosts[chosen]!;
    if (former !== null)
      this.options.logger.warn({ former: this.hosts[former]!.name, server: server.name }, 'the database has moved');
    for (const client of this.clients)
      if (client.server !== server) client.abandon('Connection terminated: the database has moved to another server');
  }

  /** The state of each server; null for one that does not answer, which holds up nobody where it cannot be the primary. */
  private readStates(): Promise<readonly (ServerState | null)[]> {
    const { answerMs, othersMs } = this.times;
    const states = this.hosts.map((): ServerState | null => null);
    return new Promise((resolve) => {
      const answers = this.hosts.map(async ({ url }, index) => {
        states[index] = await readServerState(url, answerMs);
        if (isPrimaryFound(states, this.current, this.known)) setTimeout(resolve, othersMs, states).unref();
      });
      void Promise.all(answers).then(() => resolve(states));
    });
  }
}

/** Adds options of the server to those of the URL, which the driver prefers to its own. */
function withOptions(databaseUrl: string, options: string): string {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given === null ? options : `${given} ${options}`);
  // In a connection string a plus sign is not a space.
  return url.href.replaceAll('+', '%20');
}
