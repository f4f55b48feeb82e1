import { fullDayText } from '../../platform/pages/moment-text.js';
import type { EvidenceContext } from '../incidents/index.js';
import type { DomainState } from './decide-domain.js';
import type { DomainReading } from './decide-reading.js';
import { holdsAmong } from './read-rdap.js';
import type { DomainSubject } from './read-domains.js';

/** The fault of a domain, as a sentence. */
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

/** The evidence of an incident: what the registry answered. */
export function domainEvidence({ name, reading }: DomainSubject): NonNullable<EvidenceContext['domain']> {
  const { registrar, statuses, nameServers, source, expiresMs } = reading!;
  const expiresAt = expiresMs === null ? null : new Date(expiresMs).toISOString();
  return { domain: name, expiresAt, registrar, statuses, nameServers, source };
}
