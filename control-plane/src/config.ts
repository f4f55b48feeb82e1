import { z } from 'zod';
import { isLoopbackHost } from './identity/issuer-client.js';

/** What the environment says, checked and with defaults. The only reader of `process.env` in the control plane. */
export interface Config {
  port: number;
  grpcPort: number;
  metricsPort: number;
  host: string;
  /** Without a slash at the end; null: where the process listens. */
  baseUrl: string | null;
  dataDir: string;
  /** null: the embedded database under `dataDir`. */
  databaseUrl: string | null;
  databasePoolSize: number;
  /** null: the embedded provider. */
  oidc: { issuer: string; audience: string } | null;
  /** null: a key made and kept under `dataDir` (never in production). */
  encryptionKey: string | null;
  logLevel: string;
  rateLimitPerMinute: number;
  corsOrigins: string[];
  retentionRawDays: number;
  trustProxyCidrs: string[];
  roles: Set<'api' | 'gateway' | 'worker'>;
  startHomeAgent: boolean;
  probeAllowCidrs: string[];
  /** Ranges beyond public addresses that notifications may be posted to. */
  webhookAllowCidrs: string[];
  production: boolean;
  /** What the home agent that runs beside this process is given of our environment: nothing that is secret. */
  agentEnvironment: Readonly<Record<string, string | undefined>>;
  /** PEM files for gRPC; null: plain text, on loopback only. */
  grpcTls: { certFile: string; keyFile: string } | null;
}

/** Everything that is wrong with the environment, at once. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

const SECRET_VARIABLES = new Set(['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY']);
const AGENT_VARIABLES = [
  'PATH',
  'HOME',
  'NODE_ENV',
  'LOG_LEVEL',
  'PROBE_ALLOW_CIDRS',
  'PUBLIC_CHECK_ALLOW_CIDRS',
  'UV_THREADPOOL_SIZE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
const ROLES = ['api', 'gateway', 'worker'] as const;

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
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
const flag = z.enum(['0', '1'], { error: '0 or 1' }).transform((text) => text === '1');

const schema = z.object({
  PORT: port(8080),
  GRPC_PORT: port(8443),
  METRICS_PORT: port(9464),
  HOST: z.string().min(1).optional(),
  BASE_URL: url(['http:', 'https:']).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: z.coerce.number({ error: 'a whole number, 2 to 200' }).int().min(2).max(200).default(20),
  REDIS_URL: url(['redis:', 'rediss:']).optional(),
  OIDC_ISSUER: url(['http:', 'https:']).optional(),
  OIDC_AUDIENCE: z.string().min(1).optional(),
  ENCRYPTION_KEY: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number({ error: 'a whole number, 1 to 1000000' })
    .int()
    .min(1)
    .max(1_000_000)
    .default(600),
  CORS_ORIGINS: list,
  RETENTION_RAW_DAYS: z.coerce.number({ error: 'days, 1 to 400' }).int().min(1).max(400).default(35),
  TRUST_PROXY_CIDRS: cidrs,
  ROLES: list
    .transform((parts) => (parts.length === 0 ? [...ROLES] : parts))
    .pipe(z.array(z.enum(ROLES, { error: 'a comma-separated list of api, gateway and worker' }))),
  START_HOME_AGENT: flag.default(false),
  PROBE_ALLOW_CIDRS: cidrs,
  WEBHOOK_ALLOW_CIDRS: cidrs,
  NODE_ENV: z.string().optional(),
  GRPC_TLS_CERT_FILE: z.string().min(1).optional(),
  GRPC_TLS_KEY_FILE: z.string().min(1).optional(),
});

/**
 * Reads the configuration from environment variables.
 * @throws ConfigError naming every variable at fault, what it got and what it takes
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  // An empty variable is a variable that is not set, except where empty has a meaning of its own: the lists.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || /CIDRS|ORIGINS/.test(name)),
  );
  const parsed = schema.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => faultOf(issue, given));
  const values = parsed.data;
  if (values) faults.push(...contradictions(values));
  if (!values || faults.length > 0) throw new ConfigError(faults);
  // The embedded provider refuses to be reached from elsewhere, whatever the database is.
  const embedded = values.DATABASE_URL === undefined || values.OIDC_ISSUER === undefined;
  const host = values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0');
  return {
    port: values.PORT,
    grpcPort: values.GRPC_PORT,
    metricsPort: values.METRICS_PORT,
    host,
    baseUrl: values.BASE_URL?.replace(/\/+$/, '') ?? null,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    oidc: values.OIDC_ISSUER ? { issuer: values.OIDC_ISSUER, audience: values.OIDC_AUDIENCE! } : null,
    encryptionKey: values.ENCRYPTION_KEY ?? null,
    logLevel: values.LOG_LEVEL,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    corsOrigins: values.CORS_ORIGINS,
    retentionRawDays: values.RETENTION_RAW_DAYS,
    trustProxyCidrs: values.TRUST_PROXY_CIDRS,
    roles: new Set(values.ROLES),
    startHomeAgent: values.START_HOME_AGENT,
    probeAllowCidrs: values.PROBE_ALLOW_CIDRS,
    webhookAllowCidrs: values.WEBHOOK_ALLOW_CIDRS,
    production: values.NODE_ENV === 'production',
    agentEnvironment: Object.fromEntries(
      AGENT_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    grpcTls: values.GRPC_TLS_CERT_FILE
      ? { certFile: values.GRPC_TLS_CERT_FILE, keyFile: values.GRPC_TLS_KEY_FILE! }
      : null,
  };
}

/** What the operators' commands need: only where the database is. They run beside a service that has the rest. */
export type AdminConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'encryptionKey'>;

/** @throws ConfigError as `readConfig` does */
export function readAdminConfig(env: Readonly<Record<string, string | undefined>> = process.env): AdminConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.pick({ DATABASE_URL: true, DATA_DIR: true, ENCRYPTION_KEY: true }).safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => faultOf(issue, given)));
  const { DATABASE_URL, DATA_DIR, ENCRYPTION_KEY } = parsed.data;
  return { databaseUrl: DATABASE_URL ?? null, dataDir: DATA_DIR, encryptionKey: ENCRYPTION_KEY ?? null };
}

function contradictions(values: z.output<typeof schema>): string[] {
  const faults: string[] = [];
  if ((values.OIDC_ISSUER === undefined) !== (values.OIDC_AUDIENCE === undefined)) {
    faults.push('OIDC_ISSUER and OIDC_AUDIENCE belong together: set both, or neither for the embedded provider.');
  }
  if (values.REDIS_URL !== undefined) {
    faults.push('REDIS_URL is set, and this version runs as one control-plane process without Redis: unset it.');
  }
  if (values.OIDC_ISSUER?.startsWith('http:') && !isLoopbackHost(new URL(values.OIDC_ISSUER).hostname)) {
    faults.push('OIDC_ISSUER has http://, which is accepted on loopback only: use https://.');
  }
  if ((values.GRPC_TLS_CERT_FILE === undefined) !== (values.GRPC_TLS_KEY_FILE === undefined)) {
    faults.push('GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE belong together: set both, or neither.');
  }
  // It hands out tokens to whoever reaches it, so it is reached from this machine only.
  if (values.OIDC_ISSUER === undefined && values.NODE_ENV !== 'production') {
    if (values.HOST !== undefined && !isLoopbackHost(values.HOST)) {
      faults.push(
        `HOST is ${JSON.stringify(values.HOST)}, and the embedded provider listens on loopback only: set HOST=127.0.0.1, or OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
      );
    }
    if (values.BASE_URL !== undefined && !isLoopbackHost(new URL(values.BASE_URL).hostname)) {
      faults.push(
        `BASE_URL is ${JSON.stringify(values.BASE_URL)}, and the embedded provider is reached on loopback only: set OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
      );
    }
  }
  if (values.NODE_ENV === 'production') {
    if (values.OIDC_ISSUER === undefined) {
      faults.push(
        'OIDC_ISSUER is not set: the embedded provider is for trying things out and does not run with NODE_ENV=production.',
      );
    }
    if (values.ENCRYPTION_KEY === undefined) {
      faults.push(
        'ENCRYPTION_KEY is not set: it takes 32 bytes as base64 or hex, for example from `openssl rand -base64 32`.',
      );
    }
  }
  return faults;
}

function faultOf(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const variable = String(issue.path[0]);
  const got = SECRET_VARIABLES.has(variable)
    ? 'a value that is not shown'
    : JSON.stringify(given[variable]?.slice(0, 100));
  return `${variable}: got ${got}; it takes ${issue.message.replace(/^Invalid option: expected one of /, 'one of ')}`;
}

function isCidr(text: string): boolean {
  const match = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text);
  if (!match) return false;
  const v6 = match[1]!.includes(':');
  const host = v6 ? `[${match[1]}]` : match[1]!;
  return (
    Number(match[2]) <= (v6 ? 128 : 32) && URL.canParse(`http://${host}/`) && (v6 || /^\d+\.\d+\.\d+\.\d+$/.test(host))
  );
}

/** Where callers reach a process that listens on `host` and `port`, unless BASE_URL says otherwise. */
export function baseUrlOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return config.baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
