import { z } from 'zod';
import { assertionSchema, type Assertion } from '../assertions/assertion.js';
import { parseUrl } from '../parse-url.js';
import { addresses, defineCheck, headers, port, type TargetOf } from './define-check.js';
import { httpAuth } from './http-auth.js';
import { HTTP_FAULTS } from './http-faults.js';

/** Inclusive ranges. */
const STATUS = [{ from: 200, to: 399 }];
const NO_ASSERTIONS: Assertion[] = [];

export const httpCheck = defineCheck({
  kind: 'http',
  code: 1,
  target: {
    url: z.string(),
    method: z.string().default('GET'),
    headers,
    auth: httpAuth.default(null),
    body: z.string().nullable().default(null),
    expectedStatus: z.array(z.strictObject({ from: z.int(), to: z.int() })).default(() => STATUS),
    followRedirects: z.boolean().default(true),
    httpVersion: z.enum(['1.1', 'auto', '2']).default('1.1'),
    cookies: z.enum(['redirects', 'none']).default('redirects'),
    /** The place of the connections to the origin of the URL, in its stead; the host without brackets. */
    connectTo: z.strictObject({ host: z.string(), port }).nullable().default(null),
    keyword: z
      .strictObject({ text: z.string(), mode: z.enum(['present', 'absent']) })
      .nullable()
      .default(null),
    assertions: z.array(assertionSchema).default(() => NO_ASSERTIONS),
    verifyCertificate: z.boolean().default(true),
    ...addresses,
  },
  hostOf: ({ url, connectTo }) => connectTo?.host ?? parseUrl(url)?.hostname ?? url,
  faults: HTTP_FAULTS,
});
export type HttpTarget = TargetOf<typeof httpCheck>;
export type OAuthClient = Extract<HttpTarget['auth'], { type: 'oauth2ClientCredentials' }>;
