import type { Deadline, Step } from './deadline.js';
import { ATTEMPTS, DnsServer, type DnsServerOptions } from '@watchpost/shared/names/dns-server';
import { AtOnce } from '@watchpost/shared/queues/at-once';
import type { ProbeFault } from './probe-fault.js';

/** A query is repeated after this share of the timeout, or after this time if that is sooner. */
const PATIENCE_SHARE = 0.2;
const MOST_PATIENCE_MS = 2_000;
/** Connections of one check at the same time: one for each record type of one server, and a few more. */
const MOST_CONNECTIONS = 8;

/** The name servers of one check, closed together at its end or deadline. */
export class DnsSession implements Step {
  readonly timeoutKey = 'dns_timeout';
  readonly #servers: DnsServer[] = [];
  readonly #connections = new AtOnce(MOST_CONNECTIONS);
  /** Why the check ended early: its deadline, or the agent stops. */
  ended: ProbeFault | null = null;

  constructor(
    private readonly host: string,
    private readonly deadline: Deadline,
  ) {
    deadline.enter(this);
  }

  /** The time after which a server counts as silent. */
  get silentAfterMs(): number {
    return ATTEMPTS * this.#patienceMs;
  }

  get #patienceMs(): number {
    return Math.min(MOST_PATIENCE_MS, this.deadline.timeoutMs * PATIENCE_SHARE);
  }

  server(options: Pick<DnsServerOptions, 'ip' | 'port' | 'recursive'>): DnsServer {
    const server = new DnsServer({ ...options, patienceMs: this.#patienceMs, connections: this.#connections });
    this.#servers.push(server);
    if (this.ended) server.close();
    return server;
  }

  timeoutValues(): { host: string } {
    return { host: this.host };
  }

  cancel(fault: ProbeFault): void {
    this.ended = fault;
    this.close();
  }

  close(): void {
    this.deadline.leave();
    for (const server of this.#servers) server.close();
  }
}
