import { z } from 'zod';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import { checkedText, durationSchema, isoTimestamp } from '../../../platform/http/schemas.js';
import {
  decideSettingsFaults,
  dnsSettingsInput,
  hostnameFaults,
  urlFaults,
  overlay,
  TYPE_SETTINGS,
  type MonitorRules,
  type TypeSettings,
} from '../../monitors/index.js';

/** How long a test may take by default. */
export const TEST_TIMEOUT_MS = 30_000;

export const MAX_TEST_MS = 60_000;

/** The input of a one-off test of a type that is set by one group of settings. The rules are those of a monitor's settings. */
export function monitorTestInput(type: MonitorType, { egress }: Pick<MonitorRules, 'egress'>) {
  const { settings, url: facts } = factsOf(type);
  const field = settings[0] as keyof TypeSettings;
  const { input, defaults } = TYPE_SETTINGS[field];
  const whole = (given: unknown) => ({ [field]: overlay<object>(defaults, given as object | undefined) });
  return z
    .strictObject({
      url: checkedText(2_048, (url) => urlFaults(url, egress)).meta({
        description: `What to test: ${facts.words}.`,
        example: facts.example,
      }),
      [field]: input.optional(),
      timeout: durationSchema({ minMs: 5_000, maxMs: MAX_TEST_MS })
        .optional()
        .meta({ description: 'How long the test may take, PT5S to PT60S.', default: 'PT30S', example: 'PT10S' }),
    })
    .superRefine((body, context) => {
      const { url, ...given } = body as { url: string } & Record<string, unknown>;
      for (const { path, message } of decideSettingsFaults({ url, monitorTypes: [type], ...whole(given[field]) }))
        context.addIssue({ code: 'custom', path: path.split('.'), message });
    })
    .transform(({ url, timeout, ...given }) => ({
      url: url as string,
      settings: whole(given[field]) as Partial<TypeSettings>,
      timeoutMs: (timeout as number | undefined) ?? TEST_TIMEOUT_MS,
    }));
}
export type MonitorTestInput = z.output<ReturnType<typeof monitorTestInput>>;

/** The input of a one-off certificate check. */
export function monitorTestSslInput({ egress }: Pick<MonitorRules, 'egress'>) {
  return z.strictObject({
    url: checkedText(2_048, (url) => [
      ...urlFaults(url, egress),
      ...decideSettingsFaults({ url, monitorTypes: ['SslCertificate'] }).map(({ message }) => message),
    ]).meta({ description: 'The https:// URL whose certificate is checked.', example: 'https://example.com' }),
  });
}
export type MonitorTestSslInput = z.output<ReturnType<typeof monitorTestSslInput>>;

/** The input of a one-off DNS lookup. */
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

const phase = z.number().meta({ description: 'ms; 0 if the phase did not happen', example: 12.6 });

/** The result of a one-off test. */
export const monitorTestSchema = z
  .strictObject({
    responseTime: z.number().meta({ description: 'ms', example: 128.4 }),
    statusCode: z.int().nullable().describe('null without an answer of HTTP'),
    wasAvailable: z.boolean(),
    started: isoTimestamp,
    ended: isoTimestamp,
    failureReason: z.string().nullable().describe('null if the test succeeded'),
    notes: z
      .array(z.string())
      .describe('Of a failed test: what is wrong with the answer and does not keep browsers from showing it')
      .meta({ example: ['Its Content-Length is “-1”, which is no length.'] }),
    phases: z
      .strictObject({ dns: phase, connect: phase, tls: phase, firstByte: phase, transfer: phase })
      .describe('Sums over all hops of a redirect chain'),
  })
  .meta({ id: 'OneOffTestResult' });
export type MonitorTestView = z.output<typeof monitorTestSchema>;
