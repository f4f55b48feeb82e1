import type { Middleware } from 'koa';
import type { Registry } from 'prom-client';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { CallerGone } from '../../platform/http/reading/read-body.js';
import { requestState } from '../../platform/http/serving/request-state.js';
import { type CreateLimiter, rateLimitHeaders } from '../../platform/http/rate-limiter.js';
import { metricsOn } from '../../platform/telemetry/metrics-on.js';
import { hashPingToken } from '../monitors/index.js';
import { PingQueue, type ReceivedPing } from './ping-queue.js';
import { readPingBody, readPingPath, readRid, readUserAgent } from './read-ping-request.js';

const PREFIX = '/ping/';
const METHODS = new Set(['GET', 'HEAD', 'POST']);
const PINGS_PER_MINUTE = 60;

export interface PingEndpointDeps {
  clock: Clock;
  registry: Registry;
  createLimiter: CreateLimiter;
  store(pings: readonly ReceivedPing[]): Promise<ReadonlyMap<string, { ownerId: string }>>;
}

/**
 * Receives pings. It comes before the routes, because a ping needs nothing that they share: the token is the only credential.
 * A ping is answered when it is committed.
 */
export function pingEndpoint({ clock, registry, createLimiter, store }: PingEndpointDeps): Middleware {
  const metrics = metricsOn(registry);
  const received = metrics.counter('watchpost_pings_total', 'Pings of jobs, by kind', 'kind');
  const refused = metrics.counter('watchpost_pings_refused_total', 'Pings refused because too many wait');
  const queue = new PingQueue({ store, onRefused: () => refused.inc() });
  metrics.shown('watchpost_pings_waiting', 'Pings that wait to be stored', () => queue.waiting);
  const limiter = createLimiter({ keyPrefix: 'ping', points: PINGS_PER_MINUTE, windowSeconds: 60 });

  return async (ctx, next) => {
    if (!ctx.path.startsWith(PREFIX)) {
      await next();
      return;
    }
    const state = requestState(ctx);
    Object.assign(state, { route: '/ping/{token}', quiet: true, secretPath: true });
    ctx.set('Cache-Control', 'no-store');
    const address = readPingPath(ctx.path);
    if (!address) throw unknownToken();
    if (!METHODS.has(ctx.method)) {
      ctx.set('Allow', [...METHODS].join(', '));
      throw new Fault('method_not_allowed', 'Send pings by GET, HEAD or POST.');
    }
    const hash = hashPingToken(address.token);
    const quota = await limiter.take(hash.toString('base64url'));
    if (!quota.allowed) {
      ctx.set(rateLimitHeaders('pings', quota));
      throw new Fault('rate_limited', 'Send at most 60 pings a minute to this URL.', [], quota.resetSeconds);
    }
    const { kind, exitCode } = address;
    const atMs = clock.now();
    const body = await readPingBody(ctx.req).catch(() => {
      throw new CallerGone();
    });
    const isKnown = await queue.add({
      hash,
      ping: {
        atMs,
        kind,
        exitCode,
        rid: readRid(ctx.querystring),
        remoteAddress: state.remoteAddress,
        userAgent: readUserAgent(ctx.req),
        body,
      },
    });
    if (!isKnown) throw unknownToken();
    received.inc({ kind });
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = 'OK';
  };
}

function unknownToken(): Fault {
  return new Fault('not_found', 'This ping URL leads to no monitor: copy it again from the monitor.');
}
