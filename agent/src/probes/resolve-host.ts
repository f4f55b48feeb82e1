import { ADDRESS_FAMILIES, type AddressFamily } from '@watchpost/shared/address-ranges';
import { FairShare, type Tenancy } from '@watchpost/shared/fair-share';
import type { Lookup } from '@watchpost/shared/names/system-names';
import { TurnQueue } from '@watchpost/shared/queues/turn-queue';
import type { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import type { ResolverHealth } from './resolver-health.js';

export interface Resolved {
  /** In the order of RFC 6724. */
  addresses: readonly string[];
  us: number;
  /** Time in the agent's own queue before the lookup; not part of the target's time. */
  queuedUs: number;
}

/** @param family absent: both */
export type HostResolver = (host: string, deadline: Deadline, family?: AddressFamily) => Promise<Resolved | ProbeFault>;

/** Why a name was not looked up in time: lookups of other owners, or of the check's own owner. */
export type NameQueueCause = 'agentBusy' | 'ownShare';

interface Waiting {
  /** The lookup has started, after the check had waited for it. */
  started(): void;
  done(error: NodeJS.ErrnoException | null, addresses: readonly string[]): void;
}

/** One lookup, shared by all checks of the same host and family while it is open. */
interface PendingLookup {
  host: string;
  family: AddressFamily | undefined;
  name: string;
  /** When it started; null while it is queued. */
  startedAt: number | null;
  waiting: Set<Waiting>;
  /** The owners in whose turn it can start, so that one owner's wait does not delay the check of another. */
  owners: Set<string | undefined>;
}

export interface HostResolverOptions {
  isResolverAlive: ResolverHealth;
  lookup: Lookup;
  /** The number of simultaneous lookups; default 128. */
  atOnce?: number;
  onAbandoned?(cause: NameQueueCause): void;
}

/** The number of lookups, for the metrics. */
export interface NameQueue {
  readonly open: number;
  readonly waiting: number;
}

/**
 * Local resolvers accept about this many simultaneous queries: dnsmasq 150, with two for a name. One owner gets at most
 * half.
 */
const AT_ONCE = 128;
const QUEUE_LIMIT = 10_000;
/** The share of the timeout after which a lookup without an answer has the health of the resolver checked. */
const SUSPECT_SHARE = 0.2;
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves names by the system's resolver. The number of simultaneous lookups is limited and owners take turns, so that
 * slow names delay only the checks of their owners. The time in the queue is added to the deadline of the check when its
 * lookup starts.
 */
export function createHostResolver(options: HostResolverOptions): { resolve: HostResolver; queue: NameQueue } {
  const { lookup } = options;
  const open = new Map<string, PendingLookup>();
  const share = new FairShare(options.atOnce ?? AT_ONCE);
  const queue = new TurnQueue<{ lookup: PendingLookup; tenancy: Tenancy }>();
  /** Whether a lookup needs no turn any more; one without waiting checks is removed. */
  const isOver = (pending: PendingLookup): boolean => {
    if (pending.startedAt !== null) return true;
    if (pending.waiting.size > 0) return false;
    if (open.get(pending.name) === pending) open.delete(pending.name);
    return true;
  };

  const startNext = (): void => {
    for (;;) {
      const next = queue.take(performance.now(), (tenancy) => share.refusal(tenancy));
      if (!next) return;
      const { lookup: pending, tenancy } = next;
      if (isOver(pending)) continue;
      const slot = share.take(tenancy);
      pending.startedAt = performance.now();
      for (const one of pending.waiting) one.started();
      const onFound: Parameters<Lookup>[1] = (error, addresses) => {
        share.giveBack(slot);
        if (open.get(pending.name) === pending) open.delete(pending.name);
        for (const one of pending.waiting) one.done(error, addresses);
        startNext();
      };
      lookup(pending.host, onFound, pending.family);
    }
  };

  const resolve: HostResolver = (host, deadline, family) => {
    return new Promise((resolve) => {
      const requestedAt = performance.now();
      const { tenancy } = deadline;
      const name = family === undefined ? host : `${host} ${family}`;
      const pending: PendingLookup = open.get(name) ?? {
        host,
        family,
        name,
        startedAt: null,
        waiting: new Set(),
        owners: new Set(),
      };
      const { waiting } = pending;
      if (pending.startedAt === null && !pending.owners.has(tenancy.ownerKey)) {
        if (queue.size >= QUEUE_LIMIT) queue.drop((one) => isOver(one.lookup));
        if (queue.size >= QUEUE_LIMIT) {
          options.onAbandoned?.('agentBusy');
          resolve(new ProbeFault('agent_queue'));
          return;
        }
        pending.owners.add(tenancy.ownerKey);
        open.set(name, pending);
        queue.add(tenancy, { lookup: pending, tenancy });
      }
      let alive: Promise<boolean> | null = null;
      let settled = false;
      let healthCheck: NodeJS.Timeout | undefined;
      const isAlive = (): Promise<boolean> => (alive ??= options.isResolverAlive());
      const queueFault = (): ProbeFault =>
        new ProbeFault(share.holdsItsShare(tenancy) ? 'own_names_queue' : 'agent_queue');
      const watch = (): void => {
        healthCheck = setTimeout(() => void isAlive(), deadline.timeoutMs * SUSPECT_SHARE);
      };
      const settle = (result: Resolved | ProbeFault): void => {
        if (settled) return;
        settled = true;
        clearTimeout(healthCheck);
        deadline.leave();
        waiting.delete(waits);
        resolve(result);
      };
      const done = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void => {
        const now = performance.now();
        const startedAt = Math.max(requestedAt, pending.startedAt ?? requestedAt);
        const queuedMs = startedAt - requestedAt;
        if (!error)
          settle({ addresses, us: Math.round((now - startedAt) * 1_000), queuedUs: Math.round(queuedMs * 1_000) });
        else if (NOT_FOUND.has(error.code ?? '')) settle(notFound(host, family));
        else void lookupFault(host, error, isAlive()).then(settle);
      };
      const waits: Waiting = {
        started() {
          deadline.extend(performance.now() - requestedAt, queueFault());
          watch();
        },
        done,
      };
      deadline.enter({
        timeoutKey: 'dns_timeout',
        timeoutValues: () => ({ host }),
        cancel(fault) {
          if (fault.key !== 'dns_timeout') settle(fault);
          else if (pending.startedAt === null) {
            const queued = queueFault();
            options.onAbandoned?.(queued.key === 'own_names_queue' ? 'ownShare' : 'agentBusy');
            settle(queued);
          } else void isAlive().then((answers) => settle(answers ? fault : new ProbeFault('agent_no_resolver')));
        },
      });
      if (!settled) {
        waiting.add(waits);
        if (pending.startedAt !== null) watch();
      }
      startNext();
    });
  };
  return {
    resolve,
    queue: {
      get open() {
        return share.held;
      },
      get waiting() {
        return queue.size;
      },
    },
  };
}

export function notFound(host: string, family?: AddressFamily): ProbeFault {
  if (family === undefined) return new ProbeFault('dns_not_found', { host });
  return new ProbeFault('dns_no_family', { host, family: ADDRESS_FAMILIES[family] });
}

async function lookupFault(host: string, error: NodeJS.ErrnoException, alive: Promise<boolean>): Promise<ProbeFault> {
  const code = error.code ?? 'unknown';
  if (code === 'EMFILE' || code === 'ENFILE') return new ProbeFault('agent_no_descriptors', { code });
  if (code === 'EAGAIN' || code === 'ENOBUFS' || code === 'ENOMEM') return new ProbeFault('agent_exhausted', { code });
  return (await alive) ? new ProbeFault('dns_failure', { host, code }) : new ProbeFault('agent_no_resolver');
}
