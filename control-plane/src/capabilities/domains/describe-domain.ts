import { fullDayText } from '@watchpost/shared/design/texts';
import type { EvidenceContext } from '../incidents/index.js';
import { type DomainState, decideDomain } from './decide-domain.js';
import type { DomainReading } from './decide-reading.js';
import { holdsAmong } from './read-rdap.js';
import type { DomainSubject } from './read-domains.js';
import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import { domainSettings } from '../monitors/index.js';
import type { DomainStatusView } from './domain-schemas.js';
import { domainStore } from './domain-store.js';

export function domainReason(state: DomainState, { expiresMs, statuses }: DomainReading): string {
  const day = expiresMs === null ? 'on an unknown day' : `on ${fullDayText(expiresMs)}`;
  switch (state) {
    case 'held':
      return `The registry holds the domain: ${holdsAmong(statuses).join(', ')}.`;
    case 'expired':
      return `The domain expired ${day}.`;
    case 'notFound':
      return 'The registry does not know the domain: it is not registered.';
    default:
      return `The domain expires ${day}.`;
  }
}

type Evidence = NonNullable<EvidenceContext['domain']>;

/** The evidence of an incident: what the registry answered. @param state at fault */
export function domainEvidence({ name, reading }: DomainSubject, state: DomainState): Evidence {
  const { registrar, statuses, nameServers, source, expiresMs } = reading!;
  const expiresAt = expiresMs === null ? null : new Date(expiresMs).toISOString();
  return { domain: name, state: state as Evidence['state'], expiresAt, registrar, statuses, nameServers, source };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Reads what is known of the domain of a monitor. @throws Fault not_found where it is no monitor of type Domain */
export async function readDomainStatus(
  { db, clock }: { db: Database; clock: Clock },
  workspaceId: string,
  monitorId: string,
): Promise<DomainStatusView> {
  const found = await db.read((tx) => domainStore.ofMonitor(workspaceId, tx, monitorId));
  if (!found) throw notFound('monitor');
  const { name: domain, settings, reading } = found;
  const state = decideDomain(reading, { ...domainSettings.defaults, ...settings }, clock.now()).state;
  return {
    monitorId,
    domain,
    state,
    expiresAt: iso(reading?.expiresMs ?? null),
    registrar: reading?.registrar ?? null,
    statuses: reading?.statuses ?? [],
    nameServers: reading?.nameServers ?? [],
    source: reading?.source ?? null,
    checkedAt: iso(reading?.checkedMs ?? null),
  };
}
