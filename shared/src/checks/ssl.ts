import { z } from 'zod';
import { addresses, defineCheck, port, type TargetOf } from './define-check.js';
import { script } from './tcp-script.js';
import { SSL_FAULTS } from './ssl-faults.js';

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
  faults: SSL_FAULTS,
});
export type SslTarget = TargetOf<typeof sslCheck>;
