import { down } from './fault-kind.js';

/** Of names that are looked up for their own sake. */
export const DNS_FAULTS = {
  name_missing: down(
    'dns',
    'dns_not_found',
    'The name {host} does not exist, says the resolver {resolver} (NXDOMAIN).',
  ),
  name_failing: down('dns', 'dns_failure', 'The resolver {resolver} could not look up {host} ({code}).'),
  name_silent: down('dns', 'timeout', 'No answer about {host} from {resolver} within {seconds} s.'),
  resolver_garbled: down(
    'dns',
    'protocol_error',
    'The resolver {resolver} answers what is no DNS answer to the question about {host}.',
  ),
  resolver_cut: down(
    'dns',
    'dns_failure',
    'The resolver {resolver} has more to say about {host} than fits into a packet, and over TCP it {why}.',
  ),
  resolver_unknown: down(
    'dns',
    'dns_not_found',
    'The resolver {resolver} cannot be asked: its own name has no address.',
  ),
  resolver_refusing: down(
    'connect',
    'connection_refused',
    'The resolver {resolver} does not take questions: the machine reports that the port is closed.',
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
} as const;
