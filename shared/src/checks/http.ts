import { z } from 'zod';
import { assertionSchema, type Assertion } from '../assertions/assertion.js';
import { parseUrl } from '../parse-url.js';
import { addresses, defineCheck, headers, port, type TargetOf } from './define-check.js';
import { HTTP_FAULTS } from './http-faults.js';

const httpAuth = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('basic'), username: z.string(), password: z.string() }),
    z.strictObject({ type: z.literal('digest'), username: z.string(), password: z.string() }),
    z.strictObject({ type: z.literal('bearer'), token: z.string() }),
    z.strictObject({
      type: z.literal('oauth2ClientCredentials'),
      tokenUrl: z.string(),
      clientId: z.string(),
      clientSecret: z.string(),
      scopes: z.array(z.string()),
      audience: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal('clientCertificate'), certificate: z.string(), key: z.string() }),
  ])
  .nullable();

/** Inclusive ranges. */
const STATUS = [{ from: 200, to: 399 }];
/** Shared by all targets: nobody changes it. */
const NONE: never[] = [];

export const EXTRACTION_SOURCES = ['json', 'header', 'cookie', 'regex', 'status'] as const;
/** A value of the answer that later steps use by its name. */
const extraction = z.strictObject({
  name: z.string(),
  from: z.enum(EXTRACTION_SOURCES),
  /** A query of RFC 9535, the name of a header or cookie, or a pattern of RE2; empty for `status`. */
  expression: z.string(),
  secret: z.boolean(),
});
export type Extraction = z.output<typeof extraction>;

/** A request, what its answer must be, and what later steps use of it. */
const request = {
  url: z.string(),
  method: z.string().default('GET'),
  headers,
  auth: httpAuth.default(null),
  body: z.string().nullable().default(null),
  expectedStatus: z.array(z.strictObject({ from: z.int(), to: z.int() })).default(() => STATUS),
  assertions: z.array(assertionSchema).default((): Assertion[] => NONE),
  extract: z.array(extraction).default((): Extraction[] => NONE),
};

const variable = z.strictObject({ name: z.string(), value: z.string(), secret: z.boolean() });

export const MOST_STEPS = 9;
export const MOST_STEP_NAME = 60;
/** The time of all steps together that run after a failure or a timeout. */
export const ALWAYS_MS = 10_000;

/** A further request after the monitor's own; its texts have placeholders. */
const step = z.strictObject({
  name: z.string(),
  ...request,
  /** It runs after a failure, too, and changes no verdict. */
  always: z.boolean().default(false),
  delayMs: z.int().min(0).max(10_000).default(0),
});

export const httpCheck = defineCheck({
  kind: 'http',
  code: 1,
  target: {
    ...request,
    followRedirects: z.boolean().default(true),
    httpVersion: z.enum(['1.1', 'auto', '2']).default('1.1'),
    cookies: z.enum(['redirects', 'none']).default('redirects'),
    /** The place of the connections to the origin of the URL, in its stead; the host without brackets. */
    connectTo: z.strictObject({ host: z.string(), port }).nullable().default(null),
    keyword: z
      .strictObject({ text: z.string(), mode: z.enum(['present', 'absent']) })
      .nullable()
      .default(null),
    variables: z.array(variable).default((): z.output<typeof variable>[] => NONE),
    steps: z.array(step).default((): z.output<typeof step>[] => NONE),
    verifyCertificate: z.boolean().default(true),
    ...addresses,
  },
  hostOf: ({ url, connectTo }) => connectTo?.host ?? parseUrl(url)?.hostname ?? url,
  usesTls: ({ url }) => url.startsWith('https:'),
  faults: HTTP_FAULTS,
});
export type HttpTarget = TargetOf<typeof httpCheck>;
export type HttpStep = HttpTarget['steps'][number];
export type OAuthClient = Extract<HttpTarget['auth'], { type: 'oauth2ClientCredentials' }>;
