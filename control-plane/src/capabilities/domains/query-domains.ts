import type { Clock } from '@watchpost/shared/clock';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Database, Tx } from '../../platform/db/database.js';
import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';
import { decideReading, type DomainReading, QUERY_EVERY_MS, type RegistryAnswer } from './decide-reading.js';
import { domainStore } from './domain-store.js';
import { RdapServers, type RdapServersDeps, RDAP_BOUNDS } from './rdap-servers.js';
import type { Dispatcher } from 'undici';
import { fetchBounded } from '../../platform/http/fetch-bounded.js';
import { readRetryAfter } from '../../platform/http/retry-after.js';
import { isNegativeAnswer, readRdap } from './read-rdap.js';

/** At most so many domains are queried in a run, and so many of them at once. */
const MOST_QUERIES = 60;
const AT_ONCE = 4;
const MOST_FORGOTTEN = 1_000;
/** Longer than a run takes: what a killed process has taken and not queried is due again then. */
const LEASE_MS = 15 * MINUTE_MS;

export interface DomainQueryDeps extends RdapServersDeps {
  db: Database;
  clock: Clock;
  registry: Registry;
  /** Lets the verdicts of monitors be decided again. */
  decideAgain: (tx: Tx, workspaceId: string, monitorKeys: readonly number[]) => Promise<void>;
}

/** The job that queries the registries of domains, each domain once for the whole installation. */
export function domainQueries(deps: DomainQueryDeps): (signal?: AbortSignal) => Promise<void> {
  const { db, clock, registry, dispatcher, decideAgain } = deps;
  const servers = new RdapServers(deps);
  const { counter, gauge } = metricsOn(registry);
  const queries = counter(
    'watchpost_domain_queries_total',
    'Queries of domains at their registries, by answer',
    'answer',
  );
  const due = gauge('watchpost_domains_due', 'Domains that wait for their query, after the last run');
  return async (signal) => {
    const now = new Date(clock.now());
    const leased = new Date(now.getTime() + LEASE_MS);
    await db.transaction((tx) => domainStore.forget(tx, now, MOST_FORGOTTEN));
    // Those first that were not asked for longest: the same one never comes before others into a pause of its registry.
    const taken = (await db.transaction((tx) => domainStore.take(tx, now, leased, MOST_QUERIES))).toSorted(
      (one, next) => (one.reading.checkedMs ?? 0) - (next.reading.checkedMs ?? 0),
    );
    if (taken.length > 0) await servers.refresh();
    const query = async (name: string, reading: DomainReading): Promise<void> => {
      const atMs = clock.now();
      const moments = { now: new Date(atMs), leased, next: new Date(atMs + QUERY_EVERY_MS) };
      if (!(await db.transaction((tx) => domainStore.begin(tx, name, moments)))) return;
      const answer = await askRegistry({ clock, dispatcher, servers }, name);
      queries.inc({ answer: answer.kind });
      const read = decideReading(reading, answer, clock.now());
      await db.transaction(async (tx) => {
        for (const { workspaceId, monitorKeys } of await domainStore.keep(tx, name, read))
          await decideAgain(tx, workspaceId, monitorKeys);
      });
    };
    const faults: unknown[] = [];
    const work = async (): Promise<void> => {
      while (taken.length > 0) {
        if (signal?.aborted) return;
        const { name, reading } = taken.shift()!;
        // One that cannot be kept keeps no other from its query.
        await query(name, reading).catch((fault: unknown) => void faults.push(fault));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    due.set(await db.read((tx) => domainStore.countDue(tx, new Date(clock.now()))));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} domains could not be kept`);
  };
}

interface RegistryDeps {
  clock: Clock;
  dispatcher: Dispatcher;
  servers: Pick<RdapServers, 'find'>;
}

/** Asks the registry of a domain for it, by RDAP (RFC 9082, section 3.1.3). Never fails: what is no answer is `unreachable`. */
async function askRegistry({ clock, dispatcher, servers }: RegistryDeps, name: string): Promise<RegistryAnswer> {
  const server = servers.find(name);
  if (server === undefined) return { kind: 'notOffered' };
  const source = `${server.replace(/\/+$/, '')}/domain/${name}`;
  const answer = await fetchBounded(source, dispatcher, RDAP_BOUNDS);
  if (answer.statusCode === 404 && isNegativeAnswer(answer.body)) return { kind: 'notFound', source };
  const read = answer.statusCode === 200 ? readRdap(name, answer.body) : null;
  if (read) return { ...read, source };
  const retryAfter = answer.statusCode === null ? undefined : answer.retryAfter;
  return { kind: 'unreachable', source, retryAfterMs: readRetryAfter(retryAfter, clock.now()) };
}
