import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../platform/db/database.js';
import { Counter, Gauge, type Registry } from 'prom-client';
import { askRegistry } from './ask-registry.js';
import { decideReading, QUERY_EVERY_MS } from './decide-reading.js';
import { domainStore } from './domain-store.js';
import { RdapServers, type RdapServersDeps } from './rdap-servers.js';

/** At most so many domains are queried in a run, and so many of them at once. */
const MOST_QUERIES = 60;
const AT_ONCE = 4;
const MOST_FOLLOWED = 1_000;

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
  const queries = new Counter({
    name: 'watchpost_domain_queries_total',
    help: 'Queries of domains at their registries, by answer',
    labelNames: ['answer'],
    registers: [registry],
  });
  const due = new Gauge({
    name: 'watchpost_domains_due',
    help: 'Domains that wait for their query, after the last run',
    registers: [registry],
  });
  return async (signal) => {
    const nowMs = clock.now();
    const now = new Date(nowMs);
    await db.transaction((tx) => domainStore.follow(tx, now, MOST_FOLLOWED));
    const next = new Date(nowMs + QUERY_EVERY_MS);
    const taken = await db.transaction((tx) => domainStore.take(tx, now, next, MOST_QUERIES));
    if (taken.length > 0) await servers.refresh();
    const work = async (): Promise<void> => {
      while (taken.length > 0) {
        if (signal?.aborted) return;
        const { name, reading } = taken.pop()!;
        const answer = await askRegistry({ clock, dispatcher, servers }, name);
        queries.inc({ answer: answer.kind });
        const read = decideReading(reading, answer, clock.now());
        await db.transaction(async (tx) => {
          for (const { workspaceId, monitorKeys } of await domainStore.keep(tx, name, read))
            await decideAgain(tx, workspaceId, monitorKeys);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // The process stops: these were not asked.
    const left = taken.map(({ name }) => name);
    if (left.length > 0) await db.transaction((tx) => domainStore.release(tx, left, now));
    due.set(await db.read((tx) => domainStore.countDue(tx, now)));
  };
}
