import { isIP } from 'node:net';
import type { z } from 'zod';
import { configContradictions } from './config-contradictions.js';
import type { AdmissionRules } from '../platform/identity/admission.js';
import {
  AGENT_VARIABLES,
  configVariables,
  type ConfigVariables,
  describeConfigFault,
  serviceUrls,
} from './config-variables.js';

/** The environment, checked and with defaults. The only reader of `process.env` in the control plane. */
export interface Config {
  port: number;
  grpcPort: number;
  metricsPort: number;
  /** An IP address; loopback unless Prometheus is elsewhere. */
  metricsHost: string;
  host: string;
  /** Without a slash at the end; null: where the process listens. */
  baseUrl: string | null;
  dataDir: string;
  /** null: the embedded database under `dataDir`. */
  databaseUrl: string | null;
  /** Otherwise this process waits for another one that upgrades the database. */
  runMigrations: boolean;
  databasePoolSize: number;
  /** null: the embedded provider. */
  oidc: {
    issuer: string;
    audience: string;
    /** The console as a client of the provider, with the scopes that it requests in addition; null: nobody can sign in to the console. */
    consoleClient: { clientId: string; clientSecret: string | null; scopes: string[] } | null;
  } | null;
  /** Whom of the provider's people this installation admits. */
  admission: AdmissionRules;
  defaultPlan: ConfigVariables['DEFAULT_PLAN'];
  /** Who creates workspaces beside the personal one that each account has. */
  createWorkspaces: ConfigVariables['CREATE_WORKSPACES'];
  /** The claim whose values give roles in workspaces that map them; null: none. */
  roleClaim: string | null;
  /** null: a key made and kept under `dataDir` (never in production). */
  encryptionKey: string | null;
  logLevel: string;
  rateLimitPerMinute: number;
  corsOrigins: string[];
  /** Where to report vulnerabilities, as URIs; empty: nowhere. */
  securityContacts: string[];
  retentionRawDays: number;
  trustProxyCidrs: string[];
  roles: Set<'api' | 'gateway' | 'worker'>;
  /** For how long a process that stops still serves what comes, and reports that it is not ready. */
  drainDelayMs: number;
  startHomeAgent: boolean;
  probeAllowCidrs: string[];
  /** Ranges that no check may reach, whatever is allowed. */
  probeDenyCidrs: string[];
  /** Ranges beyond public addresses that the one-off check for strangers may reach. */
  publicCheckAllowCidrs: string[];
  /** Ranges beyond public addresses that notifications may be posted to. */
  webhookAllowCidrs: string[];
  /** Of the registry that names the RDAP server of each top-level domain. */
  rdapBootstrapUrl: string;
  /** Where mail is handed in; null: the local mailbox. */
  smtpUrl: string | null;
  /** The sender of all mail, as in a `From` header. */
  mailFrom: string;
  /** Whose recipients must confirm: those of accounts without a paid plan, or all. */
  recipientVerification: 'unpaid' | 'always';
  /** The account that sends SMS; null: none are sent. */
  twilio: { accountSid: string; authToken: string; from: string; apiUrl: string } | null;
  /** Where the services are that messages go to at one URL for everybody, by the name of the variable; without a trailing slash. */
  serviceUrls: Readonly<Record<string, string>>;
  /** Through which processes on one database notify each other; null: there is only this process. */
  redisUrl: string | null;
  /** What is called each minute while checks are judged and deliveries leave; null: nothing. */
  watchdogUrl: string | null;
  production: boolean;
  /** What the home agent that runs beside this process is given of our environment: nothing that is secret. */
  agentEnvironment: Readonly<Record<string, string | undefined>>;
  /** PEM files for gRPC, or the names for a certificate of our own authority; null: plain text, on loopback only. */
  grpcTls: { certFile: string; keyFile: string } | { hosts: string[] } | null;
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

/**
 * Reads the configuration from environment variables.
 * @throws ConfigError naming every variable at fault, what it got and what it takes
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  // An empty variable is a variable that is not set, except where empty has a meaning of its own: the lists.
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || /CIDRS|ORIGINS/.test(name)),
  );
  const parsed = configVariables.safeParse(given);
  if (!parsed.success) throw new ConfigError(faultsOf(parsed.error.issues, given));
  const values = parsed.data;
  const faults = configContradictions(values);
  if (faults.length > 0) throw new ConfigError(faults);
  // The embedded provider refuses to be reached from elsewhere, whatever the database is.
  const embedded = values.DATABASE_URL === undefined || values.OIDC_ISSUER === undefined;
  const host = values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0');
  return {
    port: values.PORT,
    grpcPort: values.GRPC_PORT,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    host,
    baseUrl: values.BASE_URL?.replace(/\/+$/, '') ?? null,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    runMigrations: values.RUN_MIGRATIONS,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    oidc: values.OIDC_ISSUER
      ? {
          issuer: values.OIDC_ISSUER,
          audience: values.OIDC_AUDIENCE!,
          consoleClient:
            values.OIDC_CONSOLE_CLIENT_ID === undefined
              ? null
              : {
                  clientId: values.OIDC_CONSOLE_CLIENT_ID,
                  clientSecret: values.OIDC_CONSOLE_CLIENT_SECRET ?? null,
                  scopes: values.OIDC_CONSOLE_SCOPES,
                },
        }
      : null,
    admission: {
      domains: values.SIGN_IN_ALLOWED_DOMAINS,
      claim: values.SIGN_IN_REQUIRED_CLAIM ?? null,
      contact: values.SIGN_IN_CONTACT ?? null,
    },
    defaultPlan: values.DEFAULT_PLAN,
    createWorkspaces: values.CREATE_WORKSPACES,
    roleClaim: values.ROLE_CLAIM ?? null,
    encryptionKey: values.ENCRYPTION_KEY ?? null,
    logLevel: values.LOG_LEVEL,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    corsOrigins: values.CORS_ORIGINS,
    securityContacts: values.SECURITY_CONTACT,
    retentionRawDays: values.RETENTION_RAW_DAYS,
    trustProxyCidrs: values.TRUST_PROXY_CIDRS,
    roles: new Set(values.ROLES),
    drainDelayMs: values.DRAIN_DELAY_SECONDS * 1_000,
    startHomeAgent: values.START_HOME_AGENT,
    probeAllowCidrs: values.PROBE_ALLOW_CIDRS,
    probeDenyCidrs: values.PROBE_DENY_CIDRS,
    publicCheckAllowCidrs: values.PUBLIC_CHECK_ALLOW_CIDRS,
    webhookAllowCidrs: values.WEBHOOK_ALLOW_CIDRS,
    rdapBootstrapUrl: values.DOMAIN_RDAP_BOOTSTRAP_URL,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? `Watchpost <watchpost@${mailHost(values.BASE_URL ?? 'http://localhost')}>`,
    recipientVerification: values.RECIPIENT_VERIFICATION,
    twilio: values.TWILIO_ACCOUNT_SID
      ? {
          accountSid: values.TWILIO_ACCOUNT_SID,
          authToken: values.TWILIO_AUTH_TOKEN!,
          from: values.TWILIO_FROM!,
          apiUrl: values.TWILIO_API_URL.replace(/\/+$/, ''),
        }
      : null,
    serviceUrls: Object.fromEntries(
      Object.keys(serviceUrls).map((name) => [name, values[name as keyof typeof serviceUrls]]),
    ),
    redisUrl: values.REDIS_URL ?? null,
    watchdogUrl: values.WATCHDOG_URL ?? null,
    production: values.NODE_ENV === 'production',
    agentEnvironment: Object.fromEntries(
      AGENT_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    grpcTls: values.GRPC_TLS_CERT_FILE
      ? { certFile: values.GRPC_TLS_CERT_FILE, keyFile: values.GRPC_TLS_KEY_FILE! }
      : values.GRPC_TLS_HOSTS.length > 0
        ? { hosts: values.GRPC_TLS_HOSTS }
        : null,
  };
}

/** The host of a URL as the domain of a mail address (RFC 5321 §4.1.3 for addresses). */
function mailHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return isIP(hostname) === 0 ? hostname : `[${hostname}]`;
}

/** What is wrong with single variables, and what the others contradict each other in: so nobody starts twice to hear all. */
function faultsOf(issues: readonly z.core.$ZodIssue[], given: Record<string, string | undefined>): string[] {
  const wrong = new Set(issues.map(({ path }) => String(path[0])));
  const rest = configVariables.safeParse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))),
  );
  const contradictions = rest.success ? configContradictions(rest.data) : [];
  return [
    ...issues.map((issue) => describeConfigFault(issue, given)),
    // One that names a variable which is wrong anyway may be gone with it.
    ...contradictions.filter((fault) => ![...wrong].some((name) => fault.includes(name))),
  ];
}

/** The settings that the operators' commands need: of the database, and of new accounts. They run beside a service that has the rest. */
export interface AdminConfig extends Pick<Config, 'databaseUrl' | 'dataDir' | 'encryptionKey' | 'defaultPlan'> {
  /** null: the embedded provider. */
  issuer: string | null;
}

/** @throws ConfigError as `readConfig` does */
export function readAdminConfig(env: Readonly<Record<string, string | undefined>> = process.env): AdminConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = configVariables
    .pick({ DATABASE_URL: true, DATA_DIR: true, ENCRYPTION_KEY: true, OIDC_ISSUER: true, DEFAULT_PLAN: true })
    .safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => describeConfigFault(issue, given)));
  const { DATABASE_URL, DATA_DIR, ENCRYPTION_KEY, OIDC_ISSUER, DEFAULT_PLAN } = parsed.data;
  return {
    databaseUrl: DATABASE_URL ?? null,
    dataDir: DATA_DIR,
    encryptionKey: ENCRYPTION_KEY ?? null,
    issuer: OIDC_ISSUER ?? null,
    defaultPlan: DEFAULT_PLAN,
  };
}

/** Where agents reach the gateway: at the host of `baseUrl`, or else at the first name that its certificate has. */
export function agentUrlOf({ grpcTls, grpcPort }: Pick<Config, 'grpcTls' | 'grpcPort'>, baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const names = grpcTls !== null && 'hosts' in grpcTls ? grpcTls.hosts : [];
  const host = names.length === 0 || names.includes(hostname) ? hostname : names[0]!;
  return `${grpcTls === null ? 'http' : 'https'}://${isIP(host) === 6 ? `[${host}]` : host}:${grpcPort}`;
}

/** Where callers reach a process that listens on `host` and `port`, unless BASE_URL is set. */
export function baseUrlOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return config.baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
