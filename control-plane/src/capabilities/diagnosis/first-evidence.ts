import { pathSentence } from '@watchpost/shared/path-rows';
import { monitoredData } from '../../platform/mcp/monitored-data.js';
import type { readIncidentEvidence } from '../incidents/index.js';

const MOST_LISTED = 3;

/** What the incident was found by, without what takes much room: labelled as data of the monitored site. */
export function firstEvidence({
  failures,
  certificate,
  dns,
  latency,
  report,
  domain,
  secondOpinions,
}: Awaited<ReturnType<typeof readIncidentEvidence>>): Record<string, unknown> {
  const first = failures[0];
  const { evidence, ...failure } = first ?? { evidence: null };
  const parts = {
    ...failure,
    bodyStart: evidence?.bodyStart ?? evidence?.received,
    failedAssertions: evidence?.assertions?.filter(({ passed }) => !passed).slice(0, MOST_LISTED),
    refusedCertificate: evidence?.certificate,
    resolved: evidence?.resolved?.slice(0, MOST_LISTED),
    addresses: evidence?.addresses?.filter(({ status }) => status === 'unavailable').slice(0, MOST_LISTED),
    path: evidence?.path && {
      sentence: pathSentence(evidence.path),
      hops: evidence.path.hops.map(({ address, name }) => name ?? address),
      lastGood: evidence.path.lastGood?.hops.map(({ address, name }) => name ?? address),
    },
    secondOpinions: secondOpinions.slice(0, MOST_LISTED),
    certificate: certificate && { ...certificate, chain: undefined, subjectAltNames: undefined },
    dns: dns.slice(0, MOST_LISTED).map(({ region, changes }) => ({ region, changes: changes.slice(0, MOST_LISTED) })),
    latency,
    report,
    domain: domain && {
      ...domain,
      statuses: domain.statuses.slice(0, MOST_LISTED),
      nameServers: domain.nameServers.slice(0, MOST_LISTED),
    },
  };
  const isThere = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return monitoredData(Object.fromEntries(Object.entries(parts).filter(([, value]) => isThere(value))));
}
