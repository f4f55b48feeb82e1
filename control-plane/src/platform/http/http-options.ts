import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../db/database.js';
import type { Caller, WorkspaceAccess } from '../identity/caller.js';
import type { Gatekeeper, SessionCookies } from './serving/gatekeeper.js';
import type { CreateLimiter } from './rate-limiter.js';
import type { NamedWorkspace } from './reading/read-credentials.js';
import type { Route } from './route.js';

export interface HttpConfig {
  version: string;
  /** Where callers reach this service, without a slash at the end. */
  baseUrl: string;
  issuer: string;
  /** Where `/` leads browsers; default: it lists what is there. */
  homePath?: string;
  /** Origins that browsers may call from; `*` for any. */
  corsOrigins: readonly string[];
  trustProxyCidrs: readonly string[];
  /** Where to report vulnerabilities, as URIs. */
  securityContacts: readonly string[];
  /** Requests a minute and principal, which is a user or an API key. */
  rateLimitPerMinute: number;
  /** The provider's endpoints, for the OpenAPI description; left out where they are not known. */
  oauthEndpoints?: OAuthEndpoints;
}

export interface OAuthEndpoints {
  authorization: string;
  token: string;
}

export interface HealthReport {
  /** `unavailable` makes `/health` and `/health/ready` answer 503. */
  status: 'ok' | 'degraded' | 'unavailable';
  /** By dependency: `database`, `redis`, `agents`. */
  checks: Readonly<Record<string, HealthCheck>>;
}

export interface HealthCheck {
  status: 'ok' | 'degraded' | 'unavailable' | 'unused';
  /** One sentence without internals, where something is wrong. */
  message?: string;
}

/** Encrypts what is kept of answers: they may hold tokens and links that are shown once. */
export interface Sealer {
  /** @param context what the value belongs to: it opens with the same one only */
  seal(plain: string | Buffer, context: string): Buffer;
  open(sealed: Buffer, context: string): Buffer;
}

/** What an endpoint that is no route shares with the routes. */
export interface HttpShell {
  gatekeeper: Gatekeeper;
  createLimiter: CreateLimiter;
}

export interface HttpOptions {
  routes: readonly Route[];
  /** @throws Fault `invalid_token` */
  authenticate(token: string): Promise<Caller>;
  /** Takes the session cookie of browsers; without it no route does. */
  sessions?: SessionCookies;
  /** @throws Fault `no_workspace_context`, `member_suspended`, or `not_found` for a workspace named by the path */
  resolveWorkspace(caller: Caller, named: NamedWorkspace): Promise<WorkspaceAccess>;
  /**
   * Replaces what an answer in JSON names by codes with the names that callers know.
   * @param workspaceId of the caller; null: there is none, and nothing of a workspace is named
   */
  nameCodes(workspaceId: string | null, json: string): Promise<string>;
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  config: HttpConfig;
  health: { check(): Promise<HealthReport> };
  secretBox: Sealer;
  /** Mounted before the routes and after logging, errors, CORS and security headers: the embedded provider, pages. */
  extra?: readonly Middleware[];
  /** Mounted after those, for a protocol of its own over HTTP: MCP. */
  endpoint?: (shell: HttpShell) => Middleware;
  /** Default: in this process's memory. */
  createLimiter?: CreateLimiter;
  /** Longest a request may take before it is answered with 503; default 30 s. */
  deadlineMs?: number;
  /** Answers that disagree with their declared schema become 500: for tests. */
  checkAnswers?: boolean;
}
