import type { DownReason, FailurePhase, InconclusiveReason } from '@watchpost/shared/outcome';

interface DownFault {
  kind: 'down';
  phase: FailurePhase;
  reason: DownReason;
  sentence: string;
}

interface OwnFault {
  kind: 'inconclusive';
  reason: InconclusiveReason;
  sentence: string;
}

const down = (phase: FailurePhase, reason: DownReason, sentence: string): DownFault => ({
  kind: 'down',
  phase,
  reason,
  sentence,
});
const ours = (reason: InconclusiveReason, sentence: string): OwnFault => ({ kind: 'inconclusive', reason, sentence });

/**
 * Everything that can be wrong with a check, and the one sentence that a person reads about it in an
 * incident. docs/guides/http-check-faults.md lists the same sentences; a test compares the two.
 */
export const FAULTS = {
  invalid_target: down('request', 'invalid_target', 'The check cannot be sent: {why}.'),
  address_not_allowed: down('egress', 'address_not_allowed', 'Checks may not connect to {host}: {why}.'),

  dns_not_found: down('dns', 'dns_not_found', 'The name {host} does not exist, or has no address.'),
  dns_failure: down(
    'dns',
    'dns_failure',
    'The name {host} could not be resolved: the name servers of its domain gave no usable answer ({code}).',
  ),
  dns_timeout: down('dns', 'timeout', 'The name {host} was not resolved within {seconds} s.'),

  connection_refused: down('connect', 'connection_refused', 'The server at {address} refused the connection.'),
  connect_reset: down(
    'connect',
    'connection_reset',
    'The server at {address} reset the connection while it was being made.',
  ),
  host_unreachable: down(
    'connect',
    'host_unreachable',
    'The server at {address} cannot be reached: the network reports that there is no way to it ({code}).',
  ),
  connection_failed: down('connect', 'connection_failed', 'Connecting to {address} failed ({code}).'),
  connect_timeout: down('connect', 'timeout', 'No connection to {address} within {seconds} s.'),

  tls_timeout: down('tls', 'timeout', 'The TLS handshake with {address} was not finished within {seconds} s.'),
  tls_cut: down('tls', 'tls_failure', 'The server at {address} cut the connection during the TLS handshake.'),
  tls_not_spoken: down('tls', 'tls_failure', 'The server at {address} does not speak TLS on this port.'),
  tls_version: down(
    'tls',
    'tls_failure',
    'The server at {address} has no TLS version in common with the check, which offers {offered}.',
  ),
  tls_refused: down(
    'tls',
    'tls_failure',
    'The server at {address} refused the TLS handshake: it has no cipher or key in common with the check ({code}).',
  ),
  tls_name_unknown: down(
    'tls',
    'tls_failure',
    'The server at {address} does not know the name {host} (TLS alert 112).',
  ),
  tls_no_protocol: down('tls', 'tls_failure', 'The server at {address} does not offer HTTP/1.1 over TLS (ALPN).'),
  tls_client_certificate: down('tls', 'tls_failure', 'The server at {address} asks for a client certificate.'),
  tls_failed: down('tls', 'tls_failure', 'The TLS connection with {address} failed ({code}).'),
  certificate_expired: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} has expired: {subject} was valid until {validTo}.',
  ),
  certificate_chain_expired: down(
    'tls',
    'certificate_invalid',
    'A certificate in the chain of {host}, above its own, has expired.',
  ),
  certificate_not_yet_valid: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} is not valid yet: {subject} becomes valid on {validFrom}.',
  ),
  certificate_wrong_host: down(
    'tls',
    'certificate_invalid',
    'The certificate at {address} is not for {host}, but for {names}.',
  ),
  certificate_self_signed: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} is self-signed: nobody else vouches for it.',
  ),
  certificate_no_intermediate: down(
    'tls',
    'certificate_invalid',
    'The server at {address} does not send the intermediate certificate {issuer}, without which the certificate of {host} cannot be verified.',
  ),
  certificate_unknown_authority: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} is issued by {issuer}, which is not a trusted authority.',
  ),
  certificate_not_accepted: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} cannot be accepted ({code}).',
  ),

  request_cut: down(
    'request',
    'connection_reset',
    'The server at {address} closed the connection while the request was being sent.',
  ),
  request_timeout: down('request', 'timeout', 'The request to {address} was not taken within {seconds} s.'),
  answer_missing: down(
    'firstByte',
    'protocol_error',
    'The server at {address} closed the connection without an answer.',
  ),
  answer_reset: down(
    'firstByte',
    'connection_reset',
    'The server at {address} reset the connection without an answer.',
  ),
  answer_timeout: down('firstByte', 'timeout', 'No answer from {address} within {seconds} s.'),
  headers_timeout: down(
    'firstByte',
    'timeout',
    'The server at {address} had begun to answer, and had not sent all headers within {seconds} s.',
  ),
  headers_cut: down(
    'firstByte',
    'protocol_error',
    'The server at {address} closed the connection in the middle of the headers.',
  ),
  headers_too_large: down(
    'firstByte',
    'protocol_error',
    'The headers of the answer from {address} are larger than {limit} KiB.',
  ),
  answer_not_http: down('firstByte', 'protocol_error', 'The answer from {address} is not HTTP: {why}.'),
  answer_never_final: down(
    'firstByte',
    'protocol_error',
    'The server at {address} sent more than {limit} interim answers and no final one.',
  ),

  body_timeout: down(
    'transfer',
    'timeout',
    'The answer from {address} was not complete within {seconds} s; {bytes} bytes of its body had arrived.',
  ),
  body_cut: down(
    'transfer',
    'protocol_error',
    'The server at {address} closed the connection in the middle of the answer, after {bytes} bytes of its body.',
  ),
  body_reset: down(
    'transfer',
    'connection_reset',
    'The server at {address} reset the connection in the middle of the answer, after {bytes} bytes of its body.',
  ),
  body_not_http: down(
    'transfer',
    'protocol_error',
    'The body of the answer from {address} is not framed as HTTP says: {why}.',
  ),

  bad_redirect: down('content', 'bad_redirect', 'The redirect from {from} cannot be followed: {why}.'),
  too_many_redirects: down(
    'content',
    'too_many_redirects',
    'The server redirected more than {limit} times, last to {to}.',
  ),
  unexpected_status: down(
    'content',
    'unexpected_status',
    'The server answered with status {status}; expected is {expected}.',
  ),
  keyword_missing: down('content', 'keyword_missing', 'The answer does not contain the keyword “{keyword}”{within}.'),
  keyword_present: down(
    'content',
    'keyword_present',
    'The answer contains the keyword “{keyword}”, which must not be there.',
  ),
  body_unreadable: down(
    'content',
    'protocol_error',
    'The keyword could not be looked for: the body of the answer is not valid {coding} data.',
  ),

  agent_no_resolver: ours('agent_no_network', 'The agent got no answer from its own DNS resolver.'),
  agent_no_route: ours('agent_no_network', 'The agent has no network route to {address} ({code}).'),
  agent_no_descriptors: ours('agent_no_descriptors', 'The agent has no free file descriptors ({code}).'),
  agent_exhausted: ours('agent_overloaded', 'The agent has no free ports or memory for another connection ({code}).'),
  agent_queue: ours('agent_overloaded', 'The agent had too many names to resolve at once.'),
  agent_broken: ours('agent_overloaded', 'The agent could not run the check because of a fault of its own.'),
  agent_late: ours('agent_late', 'The agent stood still for {lateMs} ms while the check ran.'),
  agent_stopping: ours('agent_stopping', 'The agent stopped before the check was finished.'),
} as const satisfies Record<string, DownFault | OwnFault>;

export type FaultKey = keyof typeof FAULTS;
