import { down } from './fault-kind.js';

/** Faults of SSL checks; certificates that do not verify are among the faults of TLS. */
export const SSL_FAULTS = {
  certificate_expiring: down(
    'tls',
    'certificate_expiring',
    'The certificate of {host} expires in {days}, on {validTo}.',
  ),
  certificate_chain_expiring: down(
    'tls',
    'certificate_expiring',
    'The certificate {subject}, in the chain of {host}, expires in {days}, on {validTo}.',
  ),
  certificate_revoked: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} was revoked, according to the OCSP response of the server.',
  ),
} as const;
