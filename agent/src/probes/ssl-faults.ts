import { down } from './fault-kind.js';

/** Of certificates that are looked at for their own sake; what does not verify has its sentences among those of TLS. */
export const SSL_FAULTS = {
  certificate_expiring: down(
    'tls',
    'certificate_expiring',
    'The certificate of {host} expires in {days}, on {validTo}.',
  ),
  certificate_chain_expiring: down(
    'tls',
    'certificate_expiring',
    'The certificate {subject}, which vouches for that of {host}, expires in {days}, on {validTo}.',
  ),
  certificate_revoked: down(
    'tls',
    'certificate_invalid',
    'The certificate of {host} has been revoked, as the server itself shows by OCSP.',
  ),
} as const;
