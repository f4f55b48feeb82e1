import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Fault } from '@watchpost/shared/fault';
import { isLockConflict, isOfAPart } from '../../platform/db/database-error.js';
import { CallerGone } from '../../platform/http/reading/read-body.js';
import { senderBlock } from '../../platform/http/remote-address.js';
import { requestState } from '../../platform/http/serving/request-state.js';
import { type CreateLimiter, type Quota, rateLimitHeaders } from '../../platform/http/rate-limiter.js';
import { metricsOn } from '@watchpost/shared/metrics-on';
import type { Ping } from '../heartbeats/index.js';
import { KNOWN_TOKENS, PingQueue } from './ping-queue.js';
import { pingStore } from './ping-store.js';
import { readPingBody, readPingPath, readRid, readUserAgent } from './read-ping-request.js';
import { PUSH_PREFIX, readPush } from './read-push-request.js';
import { storePings, type StorePingsDeps } from './store-pings.js';

const PING_PREFIX = '/ping/';
const PINGS_PER_MINUTE = 60;
/** Imported tokens may have only 59 random bits, so an address cannot try many. */
const UNKNOWN_PUSHES_PER_MINUTE = 3_000;

export interface PingEndpoint {
  middleware: Middleware;
  /** Makes the tokens known that were pinged last. To be called before pings arrive. */
  remember(): Promise<void>;
  /** Whether this process lost pings since the last call, so that it does not count as receiving them. */
  takeLoss(): boolean;
}

export interface PingEndpointDeps extends StorePingsDeps {
  registry: Registry;
  logger: Logger;
  createLimiter: CreateLimiter;
}

/** What a request reports, and how it is answered. */
interface Report extends Pick<Ping, 'kind' | 'exitCode' | 'rid'> {
  hash: Buffer;
  isImported: boolean;
  /** Read to its end, whether it is kept or not. */
  body(request: IncomingMessage): Promise<string | null>;
  answer(ctx: Context): void;
}

/**
 * Receives pings, and the calls of imported push addresses. It comes before the routes, because a ping needs nothing that they
 * share: the token is the only credential. A ping is answered when it is committed.
 */
export function pingEndpoint(deps: PingEndpointDeps): PingEndpoint {
  const { db, clock, registry, logger, createLimiter } = deps;
  const metrics = metricsOn(registry);
  const received = metrics.counter('watchpost_pings_total', 'Pings of jobs, by kind', 'kind');
  const refused = metrics.counter('watchpost_pings_refused_total', 'Pings refused because too many wait');
  const failed = metrics.counter(
    'watchpost_pings_failed_total',
    'Pings that could not be stored although others could',
  );
  const queue = new PingQueue({
    store: (pings) => storePings(deps, pings),
    isOfAPart,
    isLockConflict,
    onRefused: () => refused.inc(),
    onFailed: (error, ownerId) => {
      failed.inc();
      // Anybody can cause it: one line, without a stack.
      logger.warn({ ownerId, reason: String(error).slice(0, 300) }, 'a ping could not be stored');
    },
  });
  metrics.shown('watchpost_pings_waiting', 'Pings that wait to be stored', () => queue.waiting);
  const limiter = createLimiter({ keyPrefix: 'ping', points: PINGS_PER_MINUTE, windowSeconds: 60 });
  const strangers = createLimiter({ keyPrefix: 'push-unknown', points: UNKNOWN_PUSHES_PER_MINUTE, windowSeconds: 60 });

  const middleware: Middleware = async (ctx, next) => {
    const report = readReport(ctx);
    if (report === null) {
      await next();
      return;
    }
    const { hash, kind, exitCode, rid } = report;
    const { remoteAddress } = requestState(ctx);
    if (report.isImported && !queue.knows(hash))
      requireAllowed(ctx, await strangers.take(senderBlock(remoteAddress)), 'Check the tokens of your push addresses.');
    const quota = await limiter.take(hash.toString('base64url'));
    requireAllowed(ctx, quota, 'Send at most 60 pings a minute to this URL.');
    const atMs = clock.now();
    const body = await report.body(ctx.req).catch(() => {
      throw new CallerGone();
    });
    const userAgent = readUserAgent(ctx.req);
    const isKnown = await queue.add({ hash, ping: { atMs, kind, exitCode, rid, remoteAddress, userAgent, body } });
    if (!isKnown) throw unknownToken();
    received.inc({ kind });
    report.answer(ctx);
  };
  return {
    middleware,
    remember: async () => queue.remember(await db.read((tx) => pingStore.latestTokens(tx, KNOWN_TOKENS))),
    takeLoss: () => queue.takeLoss(),
  };
}

/** @returns null where the path is another one. @throws Fault not_found, method_not_allowed */
function readReport(ctx: Context): Report | null {
  const isPing = ctx.path.startsWith(PING_PREFIX);
  if (!isPing && !ctx.path.startsWith(PUSH_PREFIX)) return null;
  const route = isPing ? '/ping/{token}' : '/api/push/{token}';
  Object.assign(requestState(ctx), { route, quiet: true, secretPath: true });
  ctx.set('Cache-Control', 'no-store');
  return isPing ? pingReport(ctx) : pushReport(ctx);
}

function pingReport(ctx: Context): Report {
  const address = readPingPath(ctx.path);
  if (!address) throw unknownToken();
  requireMethod(ctx, ['GET', 'HEAD', 'POST']);
  return {
    hash: address.hash,
    isImported: false,
    kind: address.kind,
    exitCode: address.exitCode,
    rid: readRid(ctx.querystring),
    body: readPingBody,
    answer(answered) {
      answered.type = 'text/plain; charset=utf-8';
      answered.body = 'OK';
    },
  };
}

function pushReport(ctx: Context): Report {
  const push = readPush(ctx.path, ctx.querystring);
  if (!push) throw unknownToken();
  requireMethod(ctx, ['GET', 'HEAD', 'POST', 'PUT', 'PATCH']);
  return {
    hash: push.hash,
    isImported: true,
    kind: push.kind,
    exitCode: null,
    rid: null,
    // Uptime Kuma ignores it too.
    async body(request) {
      await readPingBody(request);
      return push.text;
    },
    answer(answered) {
      answered.body = { ok: true };
    },
  };
}

function requireMethod(ctx: Context, methods: readonly string[]): void {
  if (methods.includes(ctx.method)) return;
  ctx.set('Allow', methods.join(', '));
  throw new Fault('method_not_allowed', `Send pings by ${methods.slice(0, -1).join(', ')} or ${methods.at(-1)}.`);
}

function requireAllowed(ctx: Context, quota: Quota, message: string): void {
  if (quota.allowed) return;
  ctx.set(rateLimitHeaders('pings', quota));
  throw new Fault('rate_limited', message, [], quota.resetSeconds);
}

function unknownToken(): Fault {
  return new Fault('not_found', 'This ping URL leads to no monitor: copy it again from the monitor.');
}
