import { FairShare, type Tenancy } from '@watchpost/shared/fair-share';
import type { Lookup } from '@watchpost/shared/names/system-names';
import { TurnQueue } from '../queues/turn-queue.js';
import type { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import type { ResolverHealth } from './resolver-health.js';

export interface Resolved {
  /** In the order of RFC 6724. */
  addresses: readonly string[];
  us: number;
  /** Time in our own queue before the resolver was asked: not the target's. */
  queuedUs: number;
}

export type HostResolver = (host: string, deadline: Deadline) => Promise<Resolved | ProbeFault>;

/** Why a name was not looked up in time: lookups of others, or of the check's own owner, were in the way. */
export type NameQueueCause = 'agentBusy' | 'ownShare';

/** One question to the system's resolver; checks of the same host that come while it is open share it. */
interface Question {
  host: string;
  /** When it was asked; null while it is queued. */
  startedAt: number | null;
  waiting: Set<(error: NodeJS.ErrnoException | null, addresses: readonly string[]) => void>;
  /** Whose turns it waits for: a question that one owner cannot ask yet does not hold up another one's check. */
  owners: Set<string | undefined>;
}

export interface HostResolverOptions {
  isResolverAlive: ResolverHealth;
  lookup: Lookup;
  /** Names that are looked up at once; default 128. */
  atOnce?: number;
  onGivenUp?(cause: NameQueueCause): void;
}

/** What waits for the name servers, for the metrics. */
export interface NameQueue {
  readonly open: number;
  readonly waiting: number;
}

/**
 * Common resolvers on a machine take about so many questions at a time: dnsmasq 150, and a name makes two. One owner alone
 * gets half.
 */
const AT_ONCE = 128;
const QUEUE_LIMIT = 10_000;
/** The share of the timeout after which a silent resolver is suspected. */
const SUSPECT_SHARE = 0.2;
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Resolves names by the system's resolver. Only so many are asked for at a time, and the owners of the checks take turns,
 * so that names that resolve slowly hold up only the checks of whoever has them. The wait in the queue is measured and
 * given back to the check's deadline.
 */
export function createHostResolver(options: HostResolverOptions): { resolve: HostResolver; queue: NameQueue } {
  const { lookup } = options;
  const open = new Map<string, Question>();
  const share = new FairShare(options.atOnce ?? AT_ONCE);
  const queue = new TurnQueue<{ question: Question; tenancy: Tenancy }>();
  /** Whether a question needs no turn any more; one that nobody waits for is forgotten. */
  const isOver = (question: Question): boolean => {
    if (question.startedAt !== null) return true;
    if (question.waiting.size > 0) return false;
    if (open.get(question.host) === question) open.delete(question.host);
    return true;
  };

  const startNext = (): void => {
    for (;;) {
      const next = queue.take(performance.now(), (tenancy) => share.refusal(tenancy));
      if (!next) return;
      const { question, tenancy } = next;
      if (isOver(question)) continue;
      const slot = share.take(tenancy);
      question.startedAt = performance.now();
      lookup(question.host, (error, addresses) => {
        share.giveBack(slot);
        if (open.get(question.host) === question) open.delete(question.host);
        for (const done of question.waiting) done(error, addresses);
        startNext();
      });
    }
  };

  const resolve: HostResolver = (host, deadline) => {
    return new Promise((resolve) => {
      const askedAt = performance.now();
      const { tenancy } = deadline;
      const asked: Question = open.get(host) ?? { host, startedAt: null, waiting: new Set(), owners: new Set() };
      const { waiting } = asked;
      if (asked.startedAt === null && !asked.owners.has(tenancy.ownerKey)) {
        if (queue.size >= QUEUE_LIMIT) queue.drop((one) => isOver(one.question));
        if (queue.size >= QUEUE_LIMIT) {
          options.onGivenUp?.('agentBusy');
          resolve(new ProbeFault('agent_queue'));
          return;
        }
        asked.owners.add(tenancy.ownerKey);
        open.set(host, asked);
        queue.add(tenancy, { question: asked, tenancy });
      }
      let alive: Promise<boolean> | null = null;
      let settled = false;
      const suspicion = setTimeout(() => {
        if (asked.startedAt !== null) alive = options.isResolverAlive();
      }, deadline.timeoutMs * SUSPECT_SHARE);
      const settle = (result: Resolved | ProbeFault): void => {
        if (settled) return;
        settled = true;
        clearTimeout(suspicion);
        deadline.leave();
        waiting.delete(done);
        resolve(result);
      };
      const done = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void => {
        const now = performance.now();
        const startedAt = Math.max(askedAt, asked.startedAt ?? askedAt);
        const queuedMs = startedAt - askedAt;
        deadline.extend(queuedMs);
        if (!error)
          settle({ addresses, us: Math.round((now - startedAt) * 1_000), queuedUs: Math.round(queuedMs * 1_000) });
        else if (NOT_FOUND.has(error.code ?? '')) settle(new ProbeFault('dns_not_found', { host }));
        else void blame(host, error, alive ?? options.isResolverAlive()).then(settle);
      };
      deadline.enter({
        timeoutKey: 'dns_timeout',
        timeoutValues: () => ({ host }),
        cancel(fault) {
          if (fault.key !== 'dns_timeout') settle(fault);
          else if (asked.startedAt === null) {
            const isOwnShare = share.holdsItsShare(tenancy);
            options.onGivenUp?.(isOwnShare ? 'ownShare' : 'agentBusy');
            settle(new ProbeFault(isOwnShare ? 'own_names_queue' : 'agent_queue'));
          } else
            void (alive ?? Promise.resolve(true)).then((answers) =>
              settle(answers ? fault : new ProbeFault('agent_no_resolver')),
            );
        },
      });
      if (!settled) waiting.add(done);
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

async function blame(host: string, error: NodeJS.ErrnoException, alive: Promise<boolean>): Promise<ProbeFault> {
  const code = error.code ?? 'unknown';
  if (code === 'EMFILE' || code === 'ENFILE') return new ProbeFault('agent_no_descriptors', { code });
  if (code === 'EAGAIN' || code === 'ENOBUFS' || code === 'ENOMEM') return new ProbeFault('agent_exhausted', { code });
  return (await alive) ? new ProbeFault('dns_failure', { host, code }) : new ProbeFault('agent_no_resolver');
}
