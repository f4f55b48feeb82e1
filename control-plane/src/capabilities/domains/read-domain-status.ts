import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import type { Database } from '../../platform/db/database.js';
import { domainSettings } from '../monitors/index.js';
import { decideDomain } from './decide-domain.js';
import type { DomainStatusView } from './domain-schemas.js';
import { domainStore } from './domain-store.js';

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** What is known of the domain of a monitor. @throws Fault not_found where it is no monitor of type Domain */
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
