import { z } from 'zod';
import { MASK, AUTH_SECRETS } from '@watchpost/shared/secrets/secret-header';
import { checkedText } from '../../../platform/http/schemas.js';
import { shownInForms } from '../../../platform/http/define-settings.js';
import { certificateFaults, keyFaults, pairFaults } from './client-certificate.js';
import { placeOfUrl, urlFaults } from './monitor-url.js';
import { secretSettings } from './secret-settings.js';

const MAX_PEM = 32_768;

const printable = z
  .string()
  .max(1_000)
  .regex(/^[ -~\u00a0-\uffff]*$/, { error: 'must not hold control characters' });
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

const password = { username: username.meta({ example: 'robot' }), password: printable.meta(secret) };
const clientText = printable.min(1);
const tokenUrl = z.string().max(2_048).meta({
  description:
    'An http:// or https:// URL, which gets the client’s id and secret. It is asked by the agents, under the same rules as `url`.',
  example: 'https://login.example/oauth2/token',
});

const variants = [
  z.strictObject({ type: z.literal('basic'), ...password }),
  z.strictObject({ type: z.literal('digest'), ...password }),
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
] as const;
/** As input a schema of its own: it is replaced as a whole, so that it has defaults, and changes of a monitor have none. */
const oauth = z.strictObject({
  type: z.literal('oauth2ClientCredentials'),
  tokenUrl,
  clientId: clientText.meta({ example: 'watchpost' }),
  clientSecret: clientText.meta(secret),
  scopes: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[!#-[\]-~]+$/, { error: 'must be a scope of RFC 6749' }),
    )
    .max(50)
    .default([])
    .meta({ example: ['read:health'] }),
  audience: clientText.nullable().default(null).meta({ description: 'Null: none is sent.', example: null }),
});

const META = {
  description:
    'How requests sign in, beside `headers`; null: not at all. `password`, `token`, `clientSecret` and `key` are stored encrypted, masked where the ' +
    'site repeats them, and answered as `***`; sent back as `***` they stay as they are. Where `url` (or `tokenUrl`) changes to another host or port, or ' +
    'from https to http, they must be given again. It is replaced as a whole. Redirects to another origin get neither credentials nor certificate.\n\n' +
    '`oauth2ClientCredentials`: an access token is kept in the memory of the agent until 30 s before it expires, for this monitor alone; where the ' +
    'site answers 401, a new one is asked for once. The time of that request is the phase `auth`, and no part of `responseTime`. `digest`: RFC 7616 with qop `auth`, ' +
    'or none; a check has a further request, on the same connection where the server keeps it open, and `responseTime` and phases are the sums of both.',
  default: null,
  example: { type: 'basic', username: 'robot', password: MASK },
};

/** The sign-in of requests. Agents get it as it is here, with the secrets. */
export const httpAuthSetting = z
  .discriminatedUnion('type', [...variants, oauth])
  .nullable()
  .meta(META)
  .register(secretSettings, {
    isSecret: (name) => AUTH_SECRETS.has(name),
    sentTo: ({ tokenUrl: endpoint = '' }) => String(endpoint),
    keptFaults: keptKeyFaults,
  })
  .register(shownInForms, {
    label: 'Sign in',
    choices: {
      basic: 'Basic',
      digest: 'Digest',
      bearer: 'Bearer token',
      oauth2ClientCredentials: 'OAuth 2.0 client credentials',
      clientCertificate: 'Client certificate',
    },
    fields: {
      username: 'User name',
      password: 'Password',
      token: 'Token',
      tokenUrl: 'Token URL',
      clientId: 'Client id',
      clientSecret: 'Client secret',
      scopes: 'Scopes',
      audience: 'Audience',
      certificate: 'Certificate (PEM)',
      key: 'Private key (PEM)',
    },
  });

export function httpAuthInput() {
  const checked = checkedText(2_048, tokenUrlFaults).meta(tokenUrl.meta()!);
  return z
    .discriminatedUnion('type', [
      ...variants,
      oauth.safeExtend({ tokenUrl: checked }).meta({ id: 'OAuth2ClientCredentials' }),
    ])
    .nullable()
    .meta(META);
}

function tokenUrlFaults(url: string): string[] {
  const kind = placeOfUrl(url)?.kind;
  return kind === 'http' || kind === 'https' ? urlFaults(url) : ['must be an http:// or https:// URL'];
}

/** A stored key has to fit a new certificate, too. */
function keptKeyFaults({ type, certificate, key }: Readonly<Record<string, unknown>>) {
  if (type !== 'clientCertificate') return [];
  const pair = { certificate: String(certificate), key: String(key) };
  return pairFaults(pair).map((message) => ({ name: 'key', message }));
}
