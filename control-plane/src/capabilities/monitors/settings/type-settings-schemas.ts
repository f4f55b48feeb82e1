import { z } from 'zod';
import { DNS_RECORD_TYPES, type DnsRecordType, USUAL_RECORD_TYPES } from '@watchpost/shared/checks/dns';
import { Pattern } from '@watchpost/shared/assertions/pattern';
import { SyntaxFault } from '@watchpost/shared/assertions/syntax-fault';
import { MOST_SCRIPT_STEPS, SCRIPT_PRESETS, START_TLS } from '@watchpost/shared/checks/tcp-script';
import { checkedText } from '../../../platform/http/schemas.js';
import { defineSettings, shownInForms, withoutRepeats } from '../../../platform/http/define-settings.js';
import { addressesSettings } from './addresses-setting.js';
import { httpAuthInput } from './http-auth-setting.js';
import { stepsInput } from './step-settings.js';
import { httpSettings, MAX_PLACE } from './http-settings-schemas.js';
import { headersSetting } from './secret-settings.js';
import { connectToFaults, resolverFaults } from './monitor-url.js';

/** The labels of services whose protocol is known here. */
const SERVICES: Readonly<Record<string, string>> = {
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ftp: 'FTP',
  ssh: 'SSH',
  redis: 'Redis',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mqtt: 'MQTT',
  amqp: 'AMQP',
};

/** Days that are left, the most first. */
const thresholds = z
  .array(z.int().min(1).max(365))
  .max(10)
  .transform((days) => withoutRepeats(days).toSorted((a, b) => b - a));

export const sslSettings = defineSettings('MonitorSsl', 'Certificate checks.', {
  expiryThresholdDays: thresholds.meta({
    description:
      'Each time that one of these many days are left, `monitor.certificate_expiring` is sent. Those over a third of the lifetime of the certificate are not sent.',
    default: [14, 7, 3, 1],
  }),
  incidentDays: z.int().min(0).max(365).nullable().meta({
    description:
      'From this many days left on, the monitor is degraded and an incident opens; null: when less than the smaller of 7 days and 15 % of its lifetime remains of a certificate of the chain.',
    default: null,
  }),
  startTls: z
    .enum(START_TLS)
    .nullable()
    .meta({
      description: 'How a `tcp://` service turns to TLS in the middle of a connection; null for an `https://` URL.',
      default: null,
    })
    .register(shownInForms, { label: 'STARTTLS', choices: SERVICES }),
  ...addressesSettings,
});

const PERCENTILES = [50, 90, 95, 99] as const;
export const latencySettings = defineSettings('MonitorLatency', 'Latency verdict.', {
  thresholdMs: z.int().min(1).max(60_000).meta({ description: 'Slower than this is degraded, ms.', default: 2_000 }),
  percentile: z.literal(PERCENTILES).meta({
    type: 'integer',
    enum: PERCENTILES,
    description: 'Which percentile of the window is held against the threshold.',
    default: 95,
  }),
  windowChecks: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'How many of the latest checks the window has.', default: 5 }),
});
export type LatencySettings = z.output<typeof latencySettings.schema>;

const expectationOf = (value: z.ZodString) =>
  z.strictObject({
    match: z.enum(['any', 'all', 'exact']).describe('Any of the values is there, all of them are, or just these are.'),
    values: z.array(value.min(1).max(512)).min(1).max(50).transform(withoutRepeats),
  });
const expectation = expectationOf(z.string().trim());
const textExpectation = expectationOf(z.string()).describe(
  'Texts are compared as they are, blanks included; quoted strings, as `dig` prints them, are understood.',
);
const EXPECTATIONS = Object.fromEntries(
  DNS_RECORD_TYPES.map((type) => [type, type === 'TXT' ? textExpectation : expectation]),
) as Record<DnsRecordType, typeof expectation>;
export const dnsSettings = defineSettings('MonitorDns', 'DNS checks.', {
  recordTypes: z
    .array(z.enum(DNS_RECORD_TYPES))
    .min(1)
    .max(20)
    .transform(withoutRepeats)
    .meta({ description: 'The records that are watched.', default: [...USUAL_RECORD_TYPES] }),
  expectedRecords: z
    .strictObject(EXPECTATIONS)
    .partial()
    .meta({
      description: 'What must be found, by record type; else a Dns incident opens.',
      default: {},
      example: { A: { match: 'any', values: ['203.0.113.7'] } },
    }),
  resolvers: z
    .array(z.string().trim().min(1).max(MAX_PLACE))
    .max(5)
    .transform(withoutRepeats)
    .meta({
      description: "Which resolvers to ask, `host` or `host:port`; empty for the agent's own.",
      default: [],
      example: ['1.1.1.1', '[2606:4700:4700::1111]:53'],
    }),
  checkPropagation: z
    .boolean()
    .meta({ description: 'Ask every authoritative name server of the zone.', default: true }),
  dnssec: z
    .enum(['off', 'ifSigned', 'required'])
    .meta({
      description:
        'Whether answers are validated from the root on: `ifSigned` those of signed zones, `required` all. A bogus answer opens a Dns incident.',
      default: 'off',
    })
    .register(shownInForms, {
      label: 'DNSSEC',
      choices: { off: 'Not validated', ifSigned: 'Validated where signed', required: 'Must be signed' },
    }),
  signatureDays: z.int().min(0).max(30).meta({
    description:
      'A Dns incident opens when a signature has fewer days left; of one that lasts less than four times as long, when a quarter of its time is left.',
    default: 3,
  }),
});

const payload = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !text.startsWith('hex:') || /^hex:([0-9a-f]{2}\s?)+$/i.test(text), {
    error: 'must have pairs of hex digits after `hex:`',
  })
  .nullable();
const text = payload.unwrap();
const scriptSetting = z
  .array(
    z
      .strictObject({
        expect: z
          .string()
          .min(1)
          .superRefine((source, context) => {
            try {
              Pattern.check(source);
            } catch (error) {
              if (!(error instanceof SyntaxFault)) throw error;
              context.addIssue({ code: 'custom', message: error.message });
            }
          }),
        expectHex: z
          .string()
          .max(4_096)
          .regex(/^(?:[0-9a-f]{2}\s?)+$/i, { error: 'must be pairs of hex digits' }),
        send: text,
        startTls: z.literal(true),
      })
      .partial()
      .refine((step) => Object.keys(step).length === 1, {
        error: 'must have one of expect, expectHex, send and startTls',
      }),
  )
  .min(1)
  .max(MOST_SCRIPT_STEPS)
  .nullable();
export const tcpUdpSettings = defineSettings('MonitorTcpUdp', 'TCP and UDP checks.', {
  send: payload
    .meta({
      description:
        'Sent once connected: text, or `hex:` and bytes; null for nothing. Must be null for ports 25, 465 and 587.',
      default: null,
      example: 'PING\r\n',
    })
    .register(shownInForms, { label: 'Send', hint: 'Text, or hex: and bytes' }),
  expect: payload
    .meta({
      description: 'What the answer must hold: text, or `hex:` and bytes; null for anything.',
      default: null,
      example: 'hex:50 4f 4e 47',
    })
    .register(shownInForms, { label: 'The answer contains', hint: 'Text, or hex: and bytes' }),
  preset: z
    .enum(SCRIPT_PRESETS)
    .nullable()
    .meta({
      description:
        'A script for a service, in place of `send`, `expect` and `script`: it greets, never logs in, and quits. On ports of such services with TLS it begins with that.',
      default: null,
    })
    .register(shownInForms, { label: 'Greets', choices: SERVICES }),
  script: scriptSetting
    .meta({
      description:
        'Steps over TCP in place of `send` and `expect`: `expect` is a pattern of RE2, and `expectHex` bytes, somewhere in what came since the last `send`; `send` is text, or `hex:` and bytes; `startTls` makes a TLS handshake with a trusted certificate. Ports 25, 465 and 587 take only the commands EHLO, STARTTLS, NOOP and QUIT.',
      default: null,
      example: [{ expect: '^220 ' }, { send: 'EHLO watchpost.invalid\r\n' }, { expect: '(?m)^250 ' }],
    })
    .register(shownInForms, {
      label: 'Script',
      hint: 'One step a line: expect PATTERN, expectHex BYTES, send TEXT with \\r\\n for a line end, or startTls',
    }),
  ...addressesSettings,
});

const grpcSettings = defineSettings('MonitorGrpc', 'Health checks of gRPC services.', {
  service: z
    .string()
    .trim()
    .min(1)
    .max(512)
    .nullable()
    .meta({
      description: 'The full name of the service whose health is asked for; null for the server as a whole.',
      default: null,
      example: 'shop.v1.Orders',
    })
    .register(shownInForms, { label: 'Service', hint: 'Its full name. Empty: the server as a whole' }),
  metadata: headersSetting('Sent with the health check', { Authorization: '***' }).register(shownInForms, {
    label: 'Metadata',
    hint: 'Values of secret entries, such as Authorization, are stored encrypted and shown as ***.',
  }),
  verifyCertificate: z
    .boolean()
    .meta({ description: 'Fail where the certificate is not trusted, expired or for another host.', default: true })
    .register(shownInForms, { label: 'Fail on an untrusted certificate' }),
});

const webSocketSettings = defineSettings('MonitorWebSocket', 'Checks of WebSockets.', {
  headers: headersSetting('Sent with the request for the WebSocket', { Authorization: '***' }).register(shownInForms, {
    label: 'Headers',
    hint: 'Values of secret headers, such as Authorization, are stored encrypted and shown as ***.',
  }),
  subprotocol: z
    .string()
    .trim()
    .max(128)
    .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, { error: 'must be one name without blanks and commas' })
    .nullable()
    .meta({
      description: 'The subprotocol that is asked for, which the server must take; null for none.',
      default: null,
      example: 'graphql-transport-ws',
    })
    .register(shownInForms, { label: 'Subprotocol' }),
  send: payload
    .meta({
      description: 'Sent as one message once it is open: text, or `hex:` and bytes; null for nothing.',
      default: null,
      example: '{"type":"ping"}',
    })
    .register(shownInForms, { label: 'Send', hint: 'Text, or hex: and bytes' }),
  expect: payload
    .meta({
      description:
        'What one message of the server must hold: text, or `hex:` and bytes; null: it is enough that the WebSocket opens.',
      default: null,
      example: '"type":"pong"',
    })
    .register(shownInForms, { label: 'A message contains', hint: 'Text, or hex: and bytes' }),
});

const percent = z.int().min(0).max(99);
const pingSettings = defineSettings('MonitorPing', 'Pings.', {
  count: z
    .int()
    .min(1)
    .max(20)
    .meta({ description: 'How many echo requests a check sends.', default: 5 })
    .register(shownInForms, { label: 'Packets of a check' }),
  size: z
    .int()
    .min(16)
    .max(1_400)
    .meta({ description: 'The bytes of each, without its headers.', default: 56 })
    .register(shownInForms, { label: 'Bytes of a packet' }),
  maxLossPercent: percent
    .meta({ description: 'With more than this lost, in percent, the host is down.', default: 99 })
    .register(shownInForms, { label: 'Down above a loss of, %' }),
  degradedLossPercent: percent
    .nullable()
    .meta({ description: 'With more than this lost, in percent, the monitor is degraded; null: never.', default: null })
    .register(shownInForms, { label: 'Degraded above a loss of, %', hint: 'Empty: never' }),
  maxAverageMs: z
    .number()
    .min(0.001)
    .max(60_000)
    .nullable()
    .meta({
      description: 'With a longer round trip on average, ms, the monitor is degraded; null: never.',
      default: null,
    })
    .register(shownInForms, { label: 'Degraded above an average of, ms', hint: 'Empty: never' }),
});

export const domainSettings = defineSettings('MonitorDomain', 'The registration of a domain.', {
  expiryThresholdDays: thresholds.meta({
    description: 'Each time that one of these many days are left, `monitor.domain_expiring` is sent.',
    default: [30, 14, 7, 1],
  }),
  incidentDays: z.int().min(0).max(365).meta({
    description: 'From this many days left on, the monitor is degraded and a Domain incident opens.',
    default: 7,
  }),
});

/** The settings of the types of monitors, by their field. Every monitor has all of them, whatever its types are. */
export const TYPE_SETTINGS = {
  http: httpSettings,
  ssl: sslSettings,
  latency: latencySettings,
  dns: dnsSettings,
  tcpUdp: tcpUdpSettings,
  grpc: grpcSettings,
  webSocket: webSocketSettings,
  ping: pingSettings,
  domain: domainSettings,
} as const;
export type TypeSettings = {
  [Field in keyof typeof TYPE_SETTINGS]: z.output<(typeof TYPE_SETTINGS)[Field]['schema']>;
};

export function typeSettingsInputs() {
  const { http, ssl, latency, dns, tcpUdp, grpc, webSocket, ping, domain } = TYPE_SETTINGS;
  const auth = httpAuthInput();
  const connectTo = checkedText(MAX_PLACE, connectToFaults).nullable();
  const resolver = checkedText(MAX_PLACE, resolverFaults);
  const resolvers = z.array(resolver).max(5).transform(withoutRepeats);
  const { shape } = dns.schema;
  return {
    http: http.input
      .safeExtend({
        auth: auth.optional(),
        connectTo: connectTo.meta(http.fields.connectTo.meta()!).optional(),
        steps: stepsInput(auth).meta(http.fields.steps.meta()!).optional(),
      })
      .meta(http.input.meta()!),
    ssl: ssl.input,
    latency: latency.input,
    dns: dns.input
      .safeExtend({ resolvers: resolvers.meta(shape.resolvers.meta()!).optional() })
      .meta(dns.input.meta()!),
    tcpUdp: tcpUdp.input,
    grpc: grpc.input,
    webSocket: webSocket.input,
    ping: ping.input,
    domain: domain.input,
  };
}
