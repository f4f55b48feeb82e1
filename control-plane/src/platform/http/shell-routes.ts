import { z } from 'zod';
import { fixedJson, once } from './fixed-json.js';
import type { HealthReport, HttpOptions } from './http-options.js';
import { openApiDocument } from './openapi/openapi-document.js';
import { PLAIN_PAGE_HEADERS, plainPage } from './plain-page.js';
import { route, type ApiAnswer, type Route } from './route.js';
import { securityTxtRoute } from './security-txt.js';
import { FOR_ANYBODY } from './schemas.js';
import { SCOPES } from './scopes.js';
import { swaggerPage } from './openapi/swagger-page.js';
import { html } from './html.js';

/** However many ask, the dependencies are looked at no more than this often. */
const HEALTH_KEPT_MS = 1_000;
const HEALTH_DEADLINE_MS = 5_000;

const healthState = z.enum(['ok', 'degraded', 'unavailable']);
const healthSchema = z
  .strictObject({
    status: healthState,
    version: z.string(),
    checks: z.record(
      z.string(),
      z.strictObject({ status: z.enum([...healthState.options, 'unused']), message: z.string().optional() }),
    ),
  })
  .meta({ id: 'Health' });
const protectedResourceSchema = z
  .strictObject({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
  })
  .meta({ id: 'ProtectedResource' });
const liveSchema = z.strictObject({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Liveness' });

export function shellRoutes(options: HttpOptions): Route[] {
  const check = sharedCheck(options.health.check.bind(options.health));
  const { version, homePath } = options.config;
  const answerHealth = async (): Promise<ApiAnswer> => {
    const report = await check();
    return {
      status: report.status === 'unavailable' ? 503 : 200,
      body: { status: report.status, version, checks: report.checks },
    };
  };
  const healthAnswers = {
    200: { description: 'Requests can be served', schema: healthSchema },
    503: { description: 'A dependency is down; `checks` names it', schema: healthSchema },
  };
  const routes: Route[] = [
    route({
      ...FOR_ANYBODY,
      path: '/',
      operationId: 'getHome',
      summary: 'Where things are, for who opens the address in a browser',
      produces: ['text/html'],
      answers: { 200: { description: 'An HTML page' }, 302: { description: 'To the console, for browsers' } },
      handle: ({ wantsPage }) =>
        Promise.resolve(
          homePath !== undefined && wantsPage
            ? { status: 302, location: homePath, headers: { 'Cache-Control': 'no-store' } }
            : { body: home(), type: 'text/html; charset=utf-8', headers: PLAIN_PAGE_HEADERS },
        ),
    }),
    route({
      ...FOR_ANYBODY,
      path: '/health',
      operationId: 'getHealth',
      summary: 'Health of the service and its dependencies',
      answers: healthAnswers,
      handle: answerHealth,
    }),
    route({
      ...FOR_ANYBODY,
      path: '/health/live',
      operationId: 'getLiveness',
      summary: 'Whether the process runs',
      answers: { 200: { description: 'It runs', schema: liveSchema } },
      handle: () => Promise.resolve({ body: { status: 'ok', version } }),
    }),
    route({
      ...FOR_ANYBODY,
      path: '/health/ready',
      operationId: 'getReadiness',
      summary: 'Whether traffic should come here',
      answers: healthAnswers,
      handle: answerHealth,
    }),
    route({
      ...FOR_ANYBODY,
      path: '/.well-known/oauth-protected-resource',
      operationId: 'getProtectedResource',
      summary: 'Whose tokens are taken here, and for which scopes (RFC 9728)',
      answers: { 200: { description: 'The metadata', schema: protectedResourceSchema } },
      handle: () => Promise.resolve({ body: protectedResource(options.config) }),
    }),
    securityTxtRoute(options),
    route({
      ...FOR_ANYBODY,
      path: '/swagger/v1/swagger.json',
      operationId: 'getOpenApi',
      summary: 'This description, OpenAPI 3.1',
      answers: { 200: { description: 'The OpenAPI document', schema: z.record(z.string(), z.unknown()) } },
      handle: () => Promise.resolve(documentAnswer()),
    }),
    route({
      ...FOR_ANYBODY,
      path: '/swagger',
      operationId: 'getOpenApiPage',
      summary: 'This description as a page to read',
      produces: ['text/html'],
      answers: { 200: { description: 'An HTML page' } },
      handle: () => Promise.resolve({ body: page(), type: 'text/html; charset=utf-8' }),
    }),
  ];
  const document = once(() => openApiDocument([...options.routes, ...routes], options.config));
  const documentAnswer = fixedJson(document);
  const page = once(() => swaggerPage(document()));
  const hasMailbox = options.routes.some(({ path }) => path === '/mailbox');
  const home = once(() => homePage({ version, hasMailbox }));
  return routes;
}

/** RFC 9728 §2: what a client that got a 401 reads next. */
function protectedResource({ baseUrl, issuer }: HttpOptions['config']): z.output<typeof protectedResourceSchema> {
  return {
    resource: baseUrl,
    authorization_servers: [issuer],
    scopes_supported: Object.keys(SCOPES),
    bearer_methods_supported: ['header'],
  };
}

/** One look at the dependencies for all who ask at the same time, with a deadline: a hanging check is a failing one. */
export function sharedCheck(check: () => Promise<HealthReport>): () => Promise<HealthReport> {
  let last: { at: number; report: Promise<HealthReport> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > HEALTH_KEPT_MS) last = { at: now, report: boundedCheck(check) };
    return last.report;
  };
}

async function boundedCheck(check: () => Promise<HealthReport>): Promise<HealthReport> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthReport>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'unavailable', checks: {} }), HEALTH_DEADLINE_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return { status: 'unavailable', checks: {} };
  } finally {
    clearTimeout(timer);
  }
}

/** The bare address shows the ways in, for people who have just started the service or were given its address. */
function homePage({ version, hasMailbox }: { version: string; hasMailbox: boolean }): string {
  return plainPage(
    'Watchpost',
    html`<h1>Watchpost ${version}</h1>
      <p>Watches websites and, when one is down, notifies people with evidence.</p>
      <ul>
        <li><a href="/swagger">The REST interface</a>, described; <a href="/swagger/v1/swagger.json">as OpenAPI</a></li>
        <li>Assistants connect to /mcp (<a href="/.well-known/mcp.json">how</a>)</li>
        <li>Public status pages are at /status/ and the page’s name</li>
        <li><a href="/health">Health</a></li>
        ${hasMailbox && html`<li><a href="/mailbox">Local mailbox</a>: mail that was to be sent</li>`}
      </ul>`,
  );
}
