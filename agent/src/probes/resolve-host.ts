import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { Deadline } from './deadline.js';
import { ProbeFault } from './probe-fault.js';
import type { ResolverHealth } from './resolver-health.js';

/** The system's resolver, or what stands for it. */
export type Lookup = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly string[]) => void,
) => void;

export interface Resolved {
  /** In the order of RFC 6724, as the system's resolver has it. */
  addresses: readonly string[];
  us: number;
  /** Time in our own queue before the resolver was asked: not the target's. */
  queuedUs: number;
}

export type HostResolver = (host: string, deadline: Deadline) => Promise<Resolved | ProbeFault>;

/** One question to the system's resolver; checks of the same host that come while it is open share it. */
interface Question {
  host: string;
  /** When a thread took it up; null while it is queued. */
  startedAt: number | null;
  waiting: Set<(error: NodeJS.ErrnoException | null, addresses: readonly string[]) => void>;
}

export interface HostResolverOptions {
  /** Threads of libuv's pool (UV_THREADPOOL_SIZE), of which it gives at most half to name resolution. */
  threads: number;
  isResolverAlive: ResolverHealth;
  /** Default: getaddrinfo, which honours /etc/hosts. */
  lookup?: Lookup;
}

const QUEUE_LIMIT = 10_000;
/** The share of the timeout after which a silent resolver is suspected. */
const SUSPECT_SHARE = 0.2;
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA', 'EAI_ADDRFAMILY']);

/**
 * Resolves names through getaddrinfo. It runs on few threads, and libuv queues what is beyond them without
 * telling: so that a wait there is not blamed on a target, no more questions are asked at a time than
 * there are threads for them, and the wait is measured and given back to the check's deadline.
 */
export function createHostResolver(options: HostResolverOptions): HostResolver {
  const lookup = options.lookup ?? getAddressInfo;
  // libuv: slow work (getaddrinfo among it) gets (threads + 1) / 2 of the pool, rounded down.
  const atOnce = Math.max(1, Math.floor((options.threads + 1) / 2));
  const open = new Map<string, Question>();
  const queue: Question[] = [];
  let running = 0;

  const startNext = (): void => {
    while (running < atOnce) {
      const question = queue.shift();
      if (!question) return;
      if (question.waiting.size === 0) {
        open.delete(question.host);
        continue;
      }
      running++;
      question.startedAt = performance.now();
      lookup(question.host, (error, addresses) => {
        running--;
        open.delete(question.host);
        for (const done of question.waiting) done(error, addresses);
        startNext();
      });
    }
  };

  return (host, deadline) => {
    return new Promise((resolve) => {
      const askedAt = performance.now();
      let question = open.get(host);
      if (!question) {
        if (queue.length >= QUEUE_LIMIT) {
          resolve(new ProbeFault('agent_queue'));
          return;
        }
        question = { host, startedAt: null, waiting: new Set() };
        open.set(host, question);
        queue.push(question);
      }
      const { waiting } = question;
      const asked = question;
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
          else if (asked.startedAt === null) settle(new ProbeFault('agent_queue'));
          else
            void (alive ?? Promise.resolve(true)).then((answers) =>
              settle(answers ? fault : new ProbeFault('agent_no_resolver')),
            );
        },
      });
      if (!settled) waiting.add(done);
      startNext();
    });
  };
}

async function blame(host: string, error: NodeJS.ErrnoException, alive: Promise<boolean>): Promise<ProbeFault> {
  const code = error.code ?? 'unknown';
  if (code === 'EMFILE' || code === 'ENFILE') return new ProbeFault('agent_no_descriptors', { code });
  if (code === 'EAI_MEMORY' || code === 'ENOMEM') return new ProbeFault('agent_exhausted', { code });
  return (await alive) ? new ProbeFault('dns_failure', { host, code }) : new ProbeFault('agent_no_resolver');
}

function getAddressInfo(
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly string[]) => void,
): void {
  systemLookup(hostname, { all: true, verbatim: true }, (error, found: LookupAddress[] | undefined) => {
    done(error, found?.map((one) => one.address) ?? []);
  });
}
