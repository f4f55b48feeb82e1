import { answered, down } from '@watchpost/shared/checks/fault-kind';

/** Faults on the way to any target: name, connection, TLS. */
export const REACH_FAULTS = {
  invalid_target: down('request', 'invalid_target', 'The check cannot be sent: {why}.'),
  address_not_allowed: down('egress', 'address_not_allowed', 'Checks may not connect to {host}: {why}.'),

  dns_not_found: down('dns', 'dns_not_found', 'The name {host} does not exist, or has no address.'),
  dns_no_family: down('dns', 'dns_not_found', 'The host {host} has no {family} address.'),
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
    'The server at {address} cannot be reached: the network reports no route to it ({code}).',
  ),
  connection_failed: down('connect', 'connection_failed', 'Connecting to {address} failed ({code}).'),
  connect_timeout: down('connect', 'timeout', 'No connection to {address} within {seconds} s.'),

  tls_timeout: down('tls', 'timeout', 'The TLS handshake with {address} was not finished within {seconds} s.'),
  tls_cut: down('tls', 'tls_failure', 'The server at {address} cut the connection during the TLS handshake.'),
  tls_not_spoken: answered('tls', 'tls_failure', 'The server at {address} does not speak TLS on this port.'),
  tls_version: answered(
    'tls',
    'tls_failure',
    'The server at {address} has no TLS version in common with the check, which offers {offered}.',
  ),
  tls_refused: answered(
    'tls',
    'tls_failure',
    'The server at {address} refused the TLS handshake: it has no cipher or key in common with the check ({code}).',
  ),
  tls_name_unknown: answered(
    'tls',
    'tls_failure',
    'The server at {address} does not know the name {host} (TLS alert 112).',
  ),
  tls_no_protocol: answered('tls', 'tls_failure', 'The server at {address} does not offer {protocol} over TLS (ALPN).'),
  tls_client_certificate: answered('tls', 'tls_failure', 'The server at {address} asks for a client certificate.'),
  tls_certificate_refused: answered(
    'tls',
    'tls_failure',
    'The server at {address} does not accept the client certificate ({code}).',
  ),
  tls_failed: down('tls', 'tls_failure', 'The TLS connection with {address} failed ({code}).'),
  certificate_expired: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} has expired: {subject} was valid until {validTo}.',
  ),
  certificate_chain_expired: down(
    'tls',
    'certificate_invalid',
    'An intermediate or root certificate of {host} has expired.',
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
  certificate_without_names: down(
    'tls',
    'certificate_invalid',
    'The certificate at {address} is not for {host}: it has no subject alternative name.',
  ),
  certificate_self_signed: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} is self-signed: no authority issued it.',
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
  certificate_weak_signature: down(
    'tls',
    'certificate_invalid',
    'The certificate {subject}, in the chain of {host}, is signed with {algorithm}, which browsers no longer accept.',
  ),
  certificate_weak_key: down(
    'tls',
    'certificate_invalid',
    'The certificate {subject}, in the chain of {host}, has a key of {bits} bits, which is too short.',
  ),
  certificate_not_accepted: down('tls', 'certificate_invalid', 'The certificate of {host} cannot be accepted: {why}.'),
} as const;
