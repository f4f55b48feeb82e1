import { agentFault, answered, down } from './fault-kind.js';

export const DNS_FAULTS = {
  name_missing: down(
    'dns',
    'dns_not_found',
    'The name {host} does not exist according to the resolver {resolver} (NXDOMAIN).',
  ),
  name_failing: down('dns', 'dns_failure', 'The resolver {resolver} could not look up {host} ({code}).'),
  name_silent: down('dns', 'timeout', 'No answer about {host} from {resolver} within {seconds} s.'),
  resolver_garbled: answered(
    'dns',
    'protocol_error',
    'The resolver {resolver} sent an invalid DNS response for {host}.',
  ),
  resolver_cut: down(
    'dns',
    'dns_failure',
    'The resolver {resolver} has a response for {host} that does not fit into a packet, and over TCP it {why}.',
  ),
  resolver_unknown: down('dns', 'dns_not_found', 'The resolver {resolver} cannot be queried: its name has no address.'),
  resolver_refusing: down(
    'connect',
    'connection_refused',
    'The resolver {resolver} refused the query: its port is closed.',
  ),
  records_missing: down(
    'content',
    'dns_mismatch',
    'The {type} records of {host} do not include {expected}; they are {found}.',
  ),
  records_different: down(
    'content',
    'dns_mismatch',
    'The {type} records of {host} are not exactly {expected}; they are {found}.',
  ),
  dnssec_bogus: answered('dns', 'dns_failure', 'The answer of {place} about {host} fails DNSSEC: {why}.'),
  dnssec_failing: down('dns', 'dns_failure', 'The answers about {host} cannot be validated by {resolver}: {why}.'),
  dnssec_unsigned: answered(
    'content',
    'dns_mismatch',
    'The name {host} is not protected by DNSSEC: the zone of {zone} is not signed.',
  ),
  dnssec_expiring: answered(
    'content',
    'dns_mismatch',
    'A DNSSEC signature of {zone} that {place} sends for {host} ends soon, on {date}.',
  ),
  dnssec_unavailable: agentFault(
    'unsupported',
    'The DNSSEC of {host} cannot be validated by {resolver}, which does not pass on the signed root zone: {why}.',
  ),
} as const;
