import { z } from 'zod';
import { AUTH_SECRETS } from '@watchpost/shared/checks/http-auth';
import type { FaultDetail } from '@watchpost/shared/fault';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { certificateFaults, keyFaults, pairFaults } from './client-certificate.js';
import { secretSettings } from './secret-settings.js';

const MAX_PEM = 32_768;

const printable = z
  .string()
  .max(1_000)
  .regex(/^\P{Cc}*$/u, { error: 'must not hold control characters' });
const secret = { description: 'Stored encrypted.', example: MASK };
/** RFC 7617: the name ends at the first colon. */
const username = printable.refine((name) => !name.includes(':'), { error: 'must not hold a colon' });

const pem = (faultsOf: (text: string) => readonly string[]) =>
  z
    .string()
    .max(MAX_PEM, { abort: true })
    .superRefine((text, context) => {
      for (const message of text === MASK ? [] : faultsOf(text)) context.addIssue({ code: 'custom', message });
    });

/** How requests sign in. Agents get it as it is here, with the secrets. */
export const httpAuthSetting = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('basic'),
      username: username.meta({ example: 'robot' }),
      password: printable.meta(secret),
    }),
    z.strictObject({
      type: z.literal('bearer'),
      token: z
        .string()
        .max(4_096)
        .regex(/^[!-~]+$/, { error: 'must be printable ASCII without blanks' })
        .meta(secret),
    }),
    z
      .strictObject({
        type: z.literal('clientCertificate'),
        certificate: pem(certificateFaults).meta({
          description: 'PEM: the certificate of the client, and those that lead to its authority.',
          example: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
        }),
        key: pem(keyFaults).meta({ ...secret, description: 'PEM, not encrypted. Stored encrypted.' }),
      })
      .superRefine((pair, context) => {
        for (const message of pair.key === MASK ? [] : pairFaults(pair))
          context.addIssue({ code: 'custom', path: ['key'], message });
      }),
  ])
  .nullable()
  .meta({
    description:
      'How requests sign in, beside `headers`; null: not at all. `password`, `token` and `key` are stored encrypted, masked where the site repeats ' +
      'them, and answered as `***`; sent back as `***` they stay as they are. Where `url` changes to another host or port, or from https to http, ' +
      'they must be given again. It is replaced as a whole. Redirects to another origin get neither credentials nor certificate.',
    default: null,
    example: { type: 'basic', username: 'robot', password: MASK },
  })
  .register(secretSettings, {
    isSecret: (name) => AUTH_SECRETS.has(name),
    inTarget: (auth) => ({ auth }),
  });

/** A stored key has to fit a new certificate, too. */
export function keptKeyFaults(auth: z.output<typeof httpAuthSetting>, key: string | undefined): FaultDetail[] {
  if (auth?.type !== 'clientCertificate' || key === undefined) return [];
  return pairFaults({ ...auth, key }).map((message) => ({ path: 'http.auth.key', message }));
}
