import { z } from 'zod';
import { checkedText, durationSchema, isoTimestamp } from '../../../platform/http/schemas.js';
import {
  DEFAULT_HTTP,
  decideSettingsFaults,
  dnsSettingsInput,
  hostnameFaults,
  httpSettingsInput,
  urlFaults,
  type HttpSettings,
  type MonitorRules,
} from '../../monitors/index.js';

/** How long a test may take where the caller does not say. */
export const TEST_TIMEOUT_MS = 30_000;

function settingsOf(given: z.output<typeof httpSettingsInput> = {}): HttpSettings {
  const named = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<HttpSettings>;
  return { ...DEFAULT_HTTP, ...named };
}

export const MAX_TEST_MS = 60_000;

/** What a one-off test takes: the same rules as for a monitor's settings. */
export function monitorTestInput({ egress }: Pick<MonitorRules, 'egress'>) {
  return z
    .strictObject({
      url: checkedText(2_048, (url) => urlFaults(url, egress)).meta({
        description: 'The http:// or https:// URL to test.',
        example: 'https://example.com/health',
      }),
      http: httpSettingsInput.optional(),
      timeout: durationSchema({ minMs: 5_000, maxMs: MAX_TEST_MS })
        .optional()
        .meta({ description: 'How long the test may take, PT5S to PT60S.', default: 'PT30S', example: 'PT10S' }),
    })
    .superRefine(({ url, http }, context) => {
      const settings = { url, monitorTypes: ['HttpAvailability' as const], http: settingsOf(http) };
      for (const { path, message } of decideSettingsFaults(settings))
        context.addIssue({ code: 'custom', path: path.split('.'), message });
    })
    .transform(({ url, http, timeout }) => ({ url, http: settingsOf(http), timeoutMs: timeout ?? TEST_TIMEOUT_MS }));
}
export type MonitorTestInput = z.output<ReturnType<typeof monitorTestInput>>;

/** What a one-off look at a certificate takes. */
export function monitorTestSslInput({ egress }: Pick<MonitorRules, 'egress'>) {
  return z.strictObject({
    url: checkedText(2_048, (url) => [
      ...urlFaults(url, egress),
      ...decideSettingsFaults({ url, monitorTypes: ['SslCertificate'] }).map(({ message }) => message),
    ]).meta({ description: 'The https:// URL whose server is looked at.', example: 'https://example.com' }),
  });
}
export type MonitorTestSslInput = z.output<ReturnType<typeof monitorTestSslInput>>;

/** What a one-off lookup takes. */
export function monitorTestDnsInput({ egress }: Pick<MonitorRules, 'egress'>) {
  const { recordTypes, resolvers } = dnsSettingsInput(egress).shape;
  return z.strictObject({
    hostname: checkedText(253, (hostname) => hostnameFaults(hostname, egress)).meta({
      description: 'The name to look up.',
      example: 'example.com',
    }),
    recordTypes,
    resolvers,
  });
}
export type MonitorTestDnsInput = z.output<ReturnType<typeof monitorTestDnsInput>>;

const phase = z.number().meta({ description: 'ms; 0 where it did not happen', example: 12.6 });

/** What a one-off test found. */
export const monitorTestSchema = z
  .strictObject({
    responseTime: z.number().meta({ description: 'ms', example: 128.4 }),
    statusCode: z.int().nullable().describe('null where no answer came'),
    wasAvailable: z.boolean(),
    started: isoTimestamp,
    ended: isoTimestamp,
    failureReason: z.string().nullable().describe('null where the test was fine'),
    phases: z
      .strictObject({ dns: phase, connect: phase, tls: phase, firstByte: phase, transfer: phase })
      .describe('Sums over all hops of a redirect chain'),
  })
  .meta({ id: 'OneOffTestResult' });
export type MonitorTestView = z.output<typeof monitorTestSchema>;
