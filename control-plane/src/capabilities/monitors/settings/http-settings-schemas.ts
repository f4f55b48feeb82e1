import { z } from 'zod';
import { defineSettings, shownInForms } from '../../../platform/http/define-settings.js';
import { addressesSettings } from './addresses-setting.js';
import { httpAuthSetting } from './http-auth-setting.js';
import { assertionsSetting, bodySetting, expectedStatusSetting, HTTP_METHODS } from './request-settings.js';
import { headersSetting } from './secret-settings.js';
import { stepSettings } from './step-settings.js';

export const MAX_PLACE = 300;

export const httpSettings = defineSettings('MonitorHttp', 'How the HTTP check is made.', {
  method: z
    .enum(HTTP_METHODS)
    .meta({ description: 'The request method.', default: 'GET' })
    .register(shownInForms, { label: 'Method' }),
  headers: headersSetting('Sent with every request', { Accept: 'text/html', Authorization: '***' }),
  auth: httpAuthSetting,
  body: bodySetting.meta({
    description: 'Sent with POST, PUT, PATCH and DELETE; null for none. Give its type in `headers`.',
    default: null,
    example: '{"ping":true}',
  }),
  expectedStatusCodes: expectedStatusSetting.meta({
    description: 'Codes, or ranges of them with both ends included; any other code is a failure.',
    default: ['200-399'],
    example: ['200-299', 404],
  }),
  followRedirects: z
    .boolean()
    .meta({ description: 'Follow at most 10 redirects and judge the last answer.', default: true })
    .register(shownInForms, { label: 'Follow redirects' }),
  cookies: z
    .enum(['redirects', 'none'])
    .meta({
      description:
        '`redirects`: cookies that an answer sets are sent with the redirects to its own origin, within one check, as browsers do; ' +
        '`none`: only those in `headers` are sent.',
      default: 'redirects',
    })
    .register(shownInForms, { label: 'Cookies', choices: { redirects: 'Kept over redirects', none: 'Not kept' } }),
  httpVersion: z
    .enum(['1.1', 'auto', '2'])
    .meta({
      description:
        '`1.1`; `auto`: what the server chooses of HTTP/2 and HTTP/1.1 in TLS (ALPN), HTTP/1.1 without TLS; `2`: HTTP/2, and anything else is a failure, ' +
        'without TLS by prior knowledge.',
      default: '1.1',
      example: 'auto',
    })
    .register(shownInForms, {
      label: 'HTTP version',
      choices: { '1.1': 'HTTP/1.1', auto: 'What the server chooses', '2': 'HTTP/2 only' },
    }),
  connectTo: z
    .string()
    .trim()
    .min(1)
    .max(MAX_PLACE)
    .nullable()
    .meta({
      description:
        'Where the check connects in place of the host and port of `url`, as `host:port`, and for redirects within its origin too. `Host` and the name in TLS ' +
        'and in the certificate stay those of `url`. An address must lie inside the egress policy. Where it changes, secrets must be given again.',
      default: null,
      example: '203.0.113.7:8443',
    })
    .register(shownInForms, { label: 'Connect to', hint: 'host:port. Empty: the host and port of the URL' }),
  keyword: z.string().min(1).max(1_000).nullable().meta({
    description:
      'A case-sensitive text that the body must or must not contain, depending on `keywordMode`; null for none.',
    default: null,
    example: 'Welcome',
  }),
  keywordMode: z
    .enum(['present', 'absent'])
    .meta({ description: 'Whether `keyword` must be there or must not.', default: 'present' }),
  assertions: assertionsSetting('Assertion').meta({
    description:
      'What the last answer has to be, at most 20. All are evaluated. With one of source `status`, `expectedStatusCodes` is not applied.',
    default: [],
    example: [
      { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'json', severity: 'down' },
      { source: 'json', property: '$.items', comparison: 'countGreaterThan', target: 0, severity: 'down' },
      { source: 'responseTime', comparison: 'lessThan', target: 800, severity: 'degraded' },
    ],
  }),
  ...stepSettings,
  verifyCertificate: z
    .boolean()
    .meta({ description: 'Fail where the certificate is not trusted, expired or for another host.', default: true })
    .register(shownInForms, { label: 'Fail on an untrusted certificate' }),
  ...addressesSettings,
});
export type HttpSettings = z.output<typeof httpSettings.schema>;
