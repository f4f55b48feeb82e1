import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock, systemClock, type Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { composeControlPlane, type ControlPlane } from '@watchpost/control-plane/app/compose';
import { planListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { readConfig, type Config } from '@watchpost/control-plane/config/config';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { EVENT_CHANNEL } from '@watchpost/control-plane/capabilities/events/index';
import type { BuiltConsole } from '@watchpost/control-plane/capabilities/sign-in/index';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { createSecretBox, type SecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import type { CreateLimiter } from '@watchpost/control-plane/platform/http/rate-limiter';
import type { OpenApiDocument } from '@watchpost/control-plane/platform/http/openapi/openapi-document';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import type { Route } from '@watchpost/control-plane/platform/http/route';
import type { Role } from '@watchpost/control-plane/platform/identity/caller';
import { composeIdentity } from '@watchpost/control-plane/app/compose-identity';
import { LIMIT_KEYS } from '@watchpost/shared/plan-limits';
import type { PlanName } from '@watchpost/control-plane/capabilities/plans/index';
import { setPlan } from '@watchpost/control-plane/capabilities/plans/set-plan';
import { ensureUserIn } from '@watchpost/control-plane/capabilities/users/index';
import { createPersonalWorkspace } from '@watchpost/control-plane/capabilities/workspaces/index';
import { createAnswerCheck } from './answer-check.js';
import { callApi } from './call-api.js';
import { createTestDatabase, NOON, type TestStatements } from './database.js';
import { ALL_SCOPES, startTestIssuer, type TestIssuer } from './issuer.js';
import type { Api } from './product.js';

const TOKEN_SECONDS = 10 * 365 * 86_400;

/** A user with a personal workspace. */
export interface TestUser {
  sub: string;
  userId: string;
  email: string;
  /** The personal workspace of the user. */
  workspaceId: string;
  /** Calls REST as this user, in the default workspace. */
  api: Api;
}

/** A user who belongs to the workspace of `app.owner` with one role. */
export interface TestMember extends TestUser {
  role: Role;
  /** The member record in the owner's workspace. */
  memberId: string;
}

export interface CallAs {
  /** Scopes of the token, separated by blanks. Null: a token without scopes. Default: all. */
  scope?: string | null;
  /** Sent as `X-Workspace-Id`. */
  workspaceId?: string;
}

export interface TestAppOptions {
  /** Default: a clock that shows noon of 2026-11-21 until it is moved. */
  clock?: Clock;
  /** Environment variables of the configuration, in addition to those of all tests. */
  env?: Readonly<Record<string, string>>;
  /** The encryption of secrets. Default: a new key. */
  secretBox?: SecretBox;
  /** The built console. Default: it was not built. */
  builtConsole?: BuiltConsole;
  /** The plan of the first user. Default: Enterprise with the limits of that plan. */
  plan?: PlanName;
}

export interface TestApp extends TestStatements {
  readonly baseUrl: string;
  readonly config: Config;
  /** Advances only if the app was started without the option `clock`. */
  readonly clock: ManualClock;
  readonly db: Database;
  readonly databaseUrl: string;
  /** The keys with which this app encrypts and signs. */
  readonly secretBox: SecretBox;
  readonly issuer: TestIssuer;
  readonly plane: ControlPlane;
  readonly routes: readonly Route[];
  /** As served at /swagger/v1/swagger.json. */
  describe(): Promise<OpenApiDocument>;
  /** Lines of the log at `warn` and above, as JSON. */
  readonly warnings: Record<string, unknown>[];
  /** The first user: Owner of the workspace that most tests work in. */
  readonly owner: TestUser;
  /** Calls REST as `owner`. */
  readonly api: Api;
  /** Calls REST as the user with this subject, whom the first call creates. */
  as(sub: string, options?: CallAs): Api;
  /** Calls REST without a token. */
  readonly anonymous: Api;
  /** Calls REST with exactly this token. */
  withToken(token: string): Api;
  token(sub: string, scope?: string | null): Promise<string>;
  /** A user as the first request of this subject makes it, who is a member of the personal workspace only. Default: a new one. */
  user(sub?: string, plan?: PlanName): Promise<TestUser>;
  /** A member of the owner's workspace with this role, created once for each role. */
  member(role: Role): Promise<TestMember>;
  /** Sets the plan of an account, by default the owner's, as the operator does, with these limits of its own and no others. */
  setPlan(plan: PlanName, limits?: Readonly<Record<string, number | null>>, of?: TestUser): Promise<void>;
  stop(): Promise<void>;
}

export { NOON };

/**
 * Starts the real control plane in this process, over HTTP on loopback and with a separate database: every slice, and the
 * token verifier with a test issuer. Each answer is compared with the OpenAPI description. There are no agents, running
 * jobs or gRPC.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? new ManualClock(NOON);
  const days = clock === systemClock ? 'today' : 'noon';
  const warnings: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const [issuer, test] = await Promise.all([startTestIssuer(), createTestDatabase({ days })]);
  const db = test.database;
  const config = readConfig({
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
    PROBE_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    RATE_LIMIT_PER_MINUTE: '1000000',
    DATABASE_URL: test.url,
    ...options.env,
  });
  const registry = new Registry();
  let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
  const listener = await listenHttp((request, response) => handler(request, response), { host: '127.0.0.1', port: 0 });
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  const secretBox = options.secretBox ?? createSecretBox(randomBytes(32));
  const platform = { config, db, clock, logger, registry, secretBox, baseUrl };
  const plane = composeControlPlane(platform);
  await plane.partitions.makeAhead();
  plane.events.listenWith((onNotify) => listen({ hosts: db.hosts, channel: EVENT_CHANNEL, logger, onNotify }));

  const identity = await composeIdentity(platform);
  const httpApp = createServiceApp({
    platform,
    plane,
    identity,
    baseUrl,
    servesAgents: false,
    builtConsole: options.builtConsole ?? null,
    overrides: { checkAnswers: true, createLimiter },
  });
  handler = httpApp.callback();
  const describe = async () => (await (await fetch(`${baseUrl}/swagger/v1/swagger.json`)).json()) as OpenApiDocument;
  const faultInAnswer = await answerCheckOf(plane.routes, describe);

  const tokens = new Map<string, Promise<string>>();
  const token = (sub: string, scope: string | null = ALL_SCOPES): Promise<string> => {
    const key = `${sub} ${scope}`;
    const known = tokens.get(key) ?? issuer.token({ sub, scope, expiresIn: TOKEN_SECONDS, claims: claimsOf(sub) });
    tokens.set(key, known);
    return known;
  };
  const apiWith =
    (given: Readonly<Record<string, string>>, tokenOf: () => Promise<string | null>): Api =>
    async (method, path, body, headers = {}) => {
      const bearer = await tokenOf();
      const answer = await callApi(baseUrl + path, method, body, {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...given,
        ...headers,
      });
      const fault = faultInAnswer(method, path, answer);
      if (fault !== undefined)
        throw new Error(`${method} ${path} answered ${answer.status} ${show(answer.body)}: ${fault}`);
      return answer;
    };
  const as = (sub: string, { scope, workspaceId }: CallAs = {}): Api =>
    apiWith(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }, () => token(sub, scope));

  let strangers = 0;
  async function user(sub = `stranger-${++strangers}`, plan = config.defaultPlan): Promise<TestUser> {
    const { email, email_verified: emailVerified, name } = claimsOf(sub);
    const principal = { issuer: issuer.issuer, subject: sub, profile: { email, emailVerified, name } };
    const deps = { clock, onUserCreated: createPersonalWorkspace, defaultPlan: plan };
    const [userId, workspaceId] = await db.transaction(async (tx) => {
      const user = await ensureUserIn(tx, deps, principal);
      const personal = 'SELECT id FROM workspace WHERE owner_id = $1 AND is_personal';
      return [user.userId, await tx.value<string>(personal, [user.userId])];
    });
    return { sub, userId, email, workspaceId, api: as(sub) };
  }
  const owner = await user('owner', options.plan ?? 'Enterprise');
  const members = new Map<Role, Promise<TestMember>>();
  async function makeMember(role: Role): Promise<TestMember> {
    if (role === 'Owner') return { ...owner, role, memberId: await memberIdOf(owner.userId) };
    const made = await user(role.toLowerCase());
    await test.sql(
      `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(clock.now()), owner.workspaceId, made.userId, role, new Date(clock.now())],
    );
    return {
      ...made,
      role,
      memberId: await memberIdOf(made.userId),
      api: as(made.sub, { workspaceId: owner.workspaceId }),
    };
  }
  async function memberIdOf(userId: string): Promise<string> {
    return test.value<string>('SELECT id FROM workspace_member WHERE workspace_id = $1 AND user_id = $2', [
      owner.workspaceId,
      userId,
    ]);
  }

  const app: TestApp = {
    baseUrl,
    config,
    clock: clock as ManualClock,
    db,
    databaseUrl: test.url,
    secretBox: platform.secretBox,
    issuer,
    plane,
    routes: plane.routes,
    describe,
    warnings,
    owner,
    api: owner.api,
    as,
    anonymous: apiWith({}, () => Promise.resolve(null)),
    withToken: (text) => apiWith({}, () => Promise.resolve(text)),
    token,
    user,
    member(role) {
      const known = members.get(role) ?? makeMember(role);
      members.set(role, known);
      return known;
    },
    async setPlan(plan, limits = {}, of = owner) {
      const ofPlan = Object.fromEntries(LIMIT_KEYS.map((key) => [key, 'plan'] as const));
      const change = { user: of.email, plan, limits: { ...ofPlan, ...limits } };
      await setPlan({ db, clock, planListeners: planListeners({ clock }) }, change);
    },
    sql: test.sql,
    value: test.value,
    column: test.column,
    async stop() {
      await plane.events.stop();
      await listener.close(1_000);
      await plane.fleet.stop();
      await identity.stop();
      await issuer.stop();
      await test.drop();
    },
  };
  return app;
}

/** By the routes that they check: a description takes half a second of processor time to make, send and compile. */
const answerChecks = new Map<string, Promise<ReturnType<typeof createAnswerCheck>>>();

function answerCheckOf(
  routes: readonly Route[],
  describe: TestApp['describe'],
): Promise<ReturnType<typeof createAnswerCheck>> {
  const key = routes.map(({ method, path }) => `${method} ${path}`).join('\n');
  const known = answerChecks.get(key) ?? describe().then(createAnswerCheck);
  answerChecks.set(key, known);
  return known;
}

function claimsOf(sub: string) {
  return { email: `${sub}@example.test`, email_verified: true, name: `The ${sub}`, groups: ['watchpost'] };
}

/** Rate limiters that never refuse, because the limits have their own tests. */
const createLimiter: CreateLimiter = ({ points, windowSeconds }) => {
  const quota = { allowed: true, limit: points, windowSeconds, remaining: points, resetSeconds: windowSeconds };
  return { take: () => Promise.resolve(quota) };
};

function show(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 500) ?? '';
}
