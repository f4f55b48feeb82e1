import { randomUUID } from 'node:crypto';
import { isUuid } from '@watchpost/shared/id';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { asRequest } from '../../db/request-context.js';
import { addressBlock } from '../remote-address.js';
import type { HttpMetrics } from './http-metrics.js';
import type { RequestState } from './request-state.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** What nginx made customary for a caller who hung up before the answer. */
const CALLER_GONE = 499;
const LOGGED_PATH_LENGTH = 200;

export interface ObserveDeps {
  logger: Logger;
  metrics: HttpMetrics;
  remoteAddressOf: (peer: string | undefined, forwardedFor: string | undefined) => string;
}

/**
 * Outermost of all: gives each request its id and, once the answer is out or the caller gone, counts
 * and logs it. Neither queries nor headers are logged, for they may hold secrets.
 */
export function observeRequests({ logger, metrics, remoteAddressOf }: ObserveDeps): Middleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const given = req.headers['x-request-id'];
    const forwardedFor = req.headers['x-forwarded-for'];
    const state: RequestState = {
      requestId: typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
      remoteAddress: remoteAddressOf(
        req.socket.remoteAddress,
        Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
      ),
      startedAt: performance.now(),
      route: '',
      quiet: false,
      secretPath: false,
      scopes: [],
      wantsPage: false,
      isStream: false,
    };
    ctx.state = { request: state };
    res.setHeader('X-Request-Id', state.requestId);
    metrics.started();
    const { method } = req;
    const path = ctx.path.slice(0, LOGGED_PATH_LENGTH);
    res.once('close', () => {
      const durationMs = performance.now() - state.startedAt;
      const status = res.writableFinished || state.isStream ? res.statusCode : CALLER_GONE;
      const route = state.route || (status === 404 ? 'unmatched' : 'other');
      metrics.ended(method ?? 'GET', route, status, state.isStream ? null : durationMs);
      logger[state.quiet ? 'debug' : 'info'](
        {
          requestId: state.requestId,
          method,
          route,
          path: state.secretPath ? state.route : state.route === '' ? withoutTokens(path) : path,
          status,
          durationMs: Math.round(durationMs * 10) / 10,
          remoteAddress: state.remoteAddress,
          userId: state.userId,
          apiKeyId: state.apiKeyId,
          workspaceId: state.workspaceId,
          traceparent: state.traceparent,
        },
        'request',
      );
    });
    return asRequest(addressBlock(state.remoteAddress), next);
  };
}

/** What leads nowhere may be a link that holds a token, with a slash too many: what looks like one is not shown. */
function withoutTokens(path: string): string {
  return path.replace(/[\w-]{20,}/g, (text) => (isUuid(text) ? text : '***'));
}
