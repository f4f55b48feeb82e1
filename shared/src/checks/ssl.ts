import { z } from 'zod';
import { addresses, defineCheck, port, type TargetOf } from './define-check.js';
import { script } from './tcp-script.js';
import { down } from './fault-kind.js';

/** Faults of SSL checks; certificates that do not verify are among the faults of TLS. */
const SSL_FAULTS = {
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

/** A certificate, inspected in its own TLS handshake. */
export const sslCheck = defineCheck({
  kind: 'ssl',
  code: 2,
  target: {
    /** Name or address, without brackets. */
    host: z.string(),
    port,
    /** Down from this many days before the expiry of any certificate of the chain; null: by the lifetime of each. */
    incidentDays: z.int().min(0).nullable().default(null),
    /** The steps of a script that precede the handshake; null: the connection begins with it. */
    prelude: script,
    ...addresses,
  },
  hostOf: ({ host }) => host,
  usesTls: () => true,
  faults: SSL_FAULTS,
});
export type SslTarget = TargetOf<typeof sslCheck>;
