import Koa from 'koa';
import { createLocalLimiter } from '../coordination/limiters.js';
import { compressAnswers } from './answering/compress-answers.js';
import { answerErrors } from './answering/answer-errors.js';
import { faultsOfRoutes } from './check-routes.js';
import { cors } from './serving/cors.js';
import { Gatekeeper } from './serving/gatekeeper.js';
import { HttpMetrics } from './serving/http-metrics.js';
import type { HttpOptions } from './http-options.js';
import { mountRoutes } from './serving/mount-routes.js';
import { observeRequests } from './serving/observe-requests.js';
import { remoteAddressReader } from './remote-address.js';
import { securityHeaders } from './security-headers.js';
import { shellRoutes } from './shell-routes.js';

/** Refused tokens a minute and address: far above what a misconfigured client does, far below what guessing needs. */
const REFUSALS_PER_MINUTE = 300;

/** The calls of an owner's people and keys together, in those of one of them: a big team's, and not those of 5,000 keys. */
const CALLERS_OF_AN_OWNER = 10;

/**
 * The HTTP face: every route mounted as it is declared, with the checks, limits, logs and descriptions
 * that all of them share.
 * @throws Error naming every declaration that is not sound
 */
export function createHttpApp(options: HttpOptions): Koa {
  const { logger, config } = options;
  const routes = [...options.routes, ...shellRoutes(options)];
  const faults = faultsOfRoutes(routes);
  if (faults.length > 0) throw new Error(`routes are not declared soundly:\n${faults.join('\n')}`);

  const createLimiter = options.createLimiter ?? createLocalLimiter;
  const gatekeeper = new Gatekeeper({
    authenticate: (token) => options.authenticate(token),
    ...(options.sessions ? { sessions: options.sessions } : {}),
    origin: new URL(config.baseUrl).origin,
    callers: createLimiter({ keyPrefix: 'principal', points: config.rateLimitPerMinute, windowSeconds: 60 }),
    owners: createLimiter({
      keyPrefix: 'owner',
      points: config.rateLimitPerMinute * CALLERS_OF_AN_OWNER,
      windowSeconds: 60,
    }),
    strangers: createLimiter({ keyPrefix: 'refused', points: REFUSALS_PER_MINUTE, windowSeconds: 60 }),
  });

  const app = new Koa();
  // What reaches this is a broken socket, never an answer: those are made in answerErrors.
  app.on('error', (error: unknown) => logger.debug({ err: error }, 'connection failed while answering'));
  app.use(
    observeRequests({
      logger,
      metrics: new HttpMetrics(options.registry),
      remoteAddressOf: remoteAddressReader(config.trustProxyCidrs),
    }),
  );
  app.use(answerErrors(logger, config.baseUrl));
  const headers = Object.entries(securityHeaders(config.baseUrl));
  app.use((ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  });
  app.use(cors(config.corsOrigins));
  app.use(compressAnswers());
  for (const middleware of options.extra ?? []) app.use(middleware);
  if (options.endpoint) app.use(options.endpoint({ gatekeeper, createLimiter }));
  for (const middleware of mountRoutes(routes, { ...options, gatekeeper })) app.use(middleware);
  return app;
}
