export { decideDomain, type DomainDecision } from './decide-domain.js';
export { domainEvidence, domainReason } from './describe-domain.js';
export { domainRoutes } from './domain-routes.js';
export { domainQueries } from './query-domains.js';
export { readDomains, type DomainSubject } from './read-domains.js';
