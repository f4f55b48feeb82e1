import { createEgressPolicy } from '@watchpost/shared/egress';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseDatabaseUrl } from '../platform/db/parse-database-url.js';
import { parseEncryptionKeys } from '../platform/db/secret-box.js';
import { parseUrl } from '@watchpost/shared/parse-url';

const SECRET_VARIABLES = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'OIDC_CONSOLE_CLIENT_SECRET',
  'ENCRYPTION_KEY',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
  'WATCHDOG_URL',
]);
/** What an agent that runs beside the control plane may know of its environment. */
export const AGENT_VARIABLES = [
  'PATH',
  'HOME',
  'NODE_ENV',
  'LOG_LEVEL',
  'PROBE_ALLOW_CIDRS',
  'PROBE_DENY_CIDRS',
  'METRICS_HOST',
  'PUBLIC_CHECK_ALLOW_CIDRS',
  'REFERENCE_TARGETS',
  'DNS_ROOT_ANCHORS',
  'NAME_SERVER_PORT',
  'RESOLV_CONF',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
const ROLES = ['api', 'gateway', 'worker'] as const;
const PLAN_NAMES = ['Starter', 'Growth', 'Pro', 'Enterprise'] as const;

const port = (fallback: number) =>
  z.coerce.number({ error: 'a port, 0 to 65535 (0 takes any free one)' }).int().min(0).max(65_535).default(fallback);
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
const cidrs = list.refine((parts) => parts.every(isCidr), {
  error: 'a comma-separated list of CIDR ranges, like 10.0.0.0/8,fd00::/8',
});
const url = (protocols: readonly string[]) =>
  z.string().refine((text) => protocols.includes(parseUrl(text)?.protocol ?? ''), {
    error: `a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
function check(context: z.core.$RefinementCtx, parse: () => unknown, takes?: string): void {
  try {
    parse();
  } catch (error) {
    context.addIssue({ code: 'custom', message: takes ?? (error as Error).message });
  }
}
const ENCRYPTION_KEYS =
  '32 bytes as base64 or hex, or several such keys separated by commas, for example from `openssl rand -base64 32`';
const flag = z.enum(['0', '1'], { error: '0 or 1' }).transform((text) => text === '1');

/** Every variable of the control plane: what it takes, and what holds where it is not set. */
const serviceUrl = (standard: string) =>
  url(['http:', 'https:'])
    .default(standard)
    .transform((text) => text.replace(/\/+$/, ''));
/** Where the services are to which messages go at one URL for everybody. Another one is that of a test, or of a program with the same API. */
export const serviceUrls = {
  PAGERDUTY_EVENTS_URL: serviceUrl('https://events.pagerduty.com'),
  TELEGRAM_API_URL: serviceUrl('https://api.telegram.org'),
  PUSHOVER_API_URL: serviceUrl('https://api.pushover.net'),
  JSM_API_URL: serviceUrl('https://api.atlassian.com'),
  SLACK_API_URL: serviceUrl('https://slack.com'),
  DISCORD_API_URL: serviceUrl('https://discord.com'),
};

export const configVariables = z.object({
  PORT: port(8080),
  GRPC_PORT: port(8443),
  METRICS_PORT: port(9464),
  METRICS_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, { error: 'an IP address to listen on' })
    .default('127.0.0.1'),
  HOST: z.string().min(1).optional(),
  // Every path of the interface is fixed, and begins at the root of the host.
  BASE_URL: z
    .string()
    .refine(isOrigin, { error: 'a URL with http:// or https:// and no path, like https://watchpost.example' })
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string()
    .superRefine((text, context) => check(context, () => parseDatabaseUrl(text)))
    .optional(),
  RUN_MIGRATIONS: flag.default(true),
  DATABASE_POOL_SIZE: z.coerce.number({ error: 'a whole number, 2 to 200' }).int().min(2).max(200).default(20),
  REDIS_URL: url(['redis:', 'rediss:']).optional(),
  OIDC_ISSUER: url(['http:', 'https:']).optional(),
  OIDC_AUDIENCE: z.string().min(1).optional(),
  OIDC_CONSOLE_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CONSOLE_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_CONSOLE_SCOPES: list.refine((parts) => parts.every((part) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(part)), {
    error: 'a comma-separated list of scopes, like api://watchpost/access',
  }),
  SIGN_IN_ALLOWED_DOMAINS: list
    .refine((parts) => parts.every((part) => isHost(part) && isIP(part) === 0), {
      error: 'a comma-separated list of domains of email addresses, like acme.example,acme.test',
    })
    .transform((parts) => parts.map((part) => part.toLowerCase())),
  SIGN_IN_REQUIRED_CLAIM: z
    .string()
    .regex(/^[^=\s][^=]*=[^=]+$/, { error: 'a claim and its value, like groups=watchpost' })
    .transform((text) => ({ name: text.slice(0, text.indexOf('=')), value: text.slice(text.indexOf('=') + 1) }))
    .optional(),
  SIGN_IN_CONTACT: z.string().min(1).max(200).optional(),
  DEFAULT_PLAN: z.enum(PLAN_NAMES, { error: `one of ${PLAN_NAMES.join(', ')}` }).default('Starter'),
  CREATE_WORKSPACES: z.enum(['everyone', 'operators'], { error: 'everyone or operators' }).default('everyone'),
  ROLE_CLAIM: z
    .string()
    .regex(/^\S{1,200}$/, { error: 'the name of a claim, like groups' })
    .optional(),
  ENCRYPTION_KEY: z
    .string()
    .superRefine((text, context) => check(context, () => parseEncryptionKeys(text), ENCRYPTION_KEYS))
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number({ error: 'a whole number, 1 to 1000000' })
    .int()
    .min(1)
    .max(1_000_000)
    .default(600),
  CORS_ORIGINS: list.refine((parts) => parts.every((part) => part === '*' || isOrigin(part)), {
    error: 'a comma-separated list of origins, like https://app.example.com, or *',
  }),
  SECURITY_CONTACT: list.refine((parts) => parts.every(isContact), {
    error: 'a comma-separated list of contacts, like mailto:security@example.com,https://example.com/report',
  }),
  RETENTION_RAW_DAYS: z.coerce.number({ error: 'days, 1 to 400' }).int().min(1).max(400).default(35),
  TRUST_PROXY_CIDRS: cidrs,
  ROLES: list
    .transform((parts) => (parts.length === 0 ? [...ROLES] : parts))
    .pipe(z.array(z.enum(ROLES, { error: 'a comma-separated list of api, gateway and worker' }))),
  DRAIN_DELAY_SECONDS: z.coerce.number({ error: 'a whole number, 0 to 30' }).int().min(0).max(30).default(0),
  START_HOME_AGENT: flag.default(false),
  PROBE_ALLOW_CIDRS: cidrs,
  PROBE_DENY_CIDRS: cidrs,
  PUBLIC_CHECK_ALLOW_CIDRS: cidrs,
  WEBHOOK_ALLOW_CIDRS: cidrs,
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  RECIPIENT_VERIFICATION: z.enum(['unpaid', 'always'], { error: 'unpaid or always' }).default('unpaid'),
  MAIL_FROM: z
    .string()
    .regex(/^.{3,320}$/, { error: 'an address, like Watchpost <alerts@watchpost.example>' })
    .optional(),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_FROM: z.string().min(1).optional(),
  TWILIO_API_URL: url(['http:', 'https:']).default('https://api.twilio.com'),
  ...serviceUrls,
  DOMAIN_RDAP_BOOTSTRAP_URL: url(['http:', 'https:']).default('https://data.iana.org/rdap/dns.json'),
  WATCHDOG_URL: url(['http:', 'https:']).optional(),
  NODE_ENV: z.string().optional(),
  GRPC_TLS_CERT_FILE: z.string().min(1).optional(),
  GRPC_TLS_KEY_FILE: z.string().min(1).optional(),
  GRPC_TLS_HOSTS: list.refine((parts) => parts.every(isHost), {
    error: 'a comma-separated list of host names and IP addresses, like watchpost.example,10.0.0.7',
  }),
});

export type ConfigVariables = z.output<typeof configVariables>;

/** @returns the variable, what it got (unless it is secret) and what it takes */
export function describeConfigFault(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const variable = String(issue.path[0]);
  const got = SECRET_VARIABLES.has(variable)
    ? 'a value that is not shown'
    : JSON.stringify(given[variable]?.slice(0, 100));
  return `${variable}: got ${got}; it takes ${issue.message.replace(/^Invalid option: expected one of /, 'one of ')}`;
}

/** A single address is taken too, as the range of itself. */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?)+$/i.test(text);
}

function isCidr(text: string): boolean {
  try {
    createEgressPolicy({ allowCidrs: [text] });
    return true;
  } catch {
    return false;
  }
}

/** RFC 9116 §2.5.3: a URI, and not one that can be read in transit. */
function isContact(text: string): boolean {
  return (
    /^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[0-9-]+)$/.test(text) ||
    (/^https:\/\/\S+$/.test(text) && parseUrl(text) !== undefined)
  );
}

/** As browsers send it: scheme, host and port, and nothing after them. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}
