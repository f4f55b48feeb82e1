import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { FAULT_CODES } from '@watchpost/shared/fault';
import type { HttpConfig } from '../http-options.js';
import { openApiAnswers } from './openapi-answers.js';
import type { Route } from '../route.js';
import { SCOPES } from '../scopes.js';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;
export type OpenApiInfo = Pick<HttpConfig, 'version' | 'baseUrl' | 'issuer' | 'oauthEndpoints'>;

const DESCRIPTION = `Website monitoring with a verdict you can trust.

Timestamps are ISO 8601 in UTC, durations ISO 8601 (\`PT1M\`), identifiers UUIDs. Lists are plain arrays with \`X-Total-Count\` and \`Link\`
headers; \`page\` counts from 1. Unknown fields and parameters are refused. PUT replaces the fields that it names and keeps the others,
PATCH is a JSON Merge Patch (RFC 7396). Every answer carries \`X-Request-Id\`; name it when you ask for help.`;

const errorSchema = {
  type: 'object' as const,
  properties: {
    error: {
      type: 'string' as const,
      enum: [...FAULT_CODES],
      description: 'For machines: a code never changes its meaning',
    },
    message: { type: 'string' as const, description: 'For people: one sentence with what to do' },
    details: {
      type: 'array' as const,
      description: 'Every field at fault, where fields are',
      items: {
        type: 'object' as const,
        properties: {
          path: { type: 'string' as const, description: 'Dotted, like `http.headers.0`' },
          message: { type: 'string' as const },
        },
        required: ['path', 'message'],
        additionalProperties: true,
      },
    },
    requestId: { type: 'string' as const },
  },
  required: ['error', 'message', 'requestId'],
};

const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' as const },
  ...(example === undefined ? {} : { example }),
});

const HEADERS = {
  RequestId: text('The id of this request, yours where it was well-formed'),
  ETag: text('A strong tag of this state of the resource, for `If-Match` and `If-None-Match`'),
  Location: text('Where the created resource is'),
  TotalCount: { description: 'How many there are on all pages', schema: { type: 'integer' as const, minimum: 0 } },
  Link: text('`first`, `prev`, `next` and `last` page (RFC 8288)'),
  RateLimit: text(
    'What is left: `default` of the caller, `owner` of all callers in the workspaces of the same owner',
    '"default";r=599;t=42, "owner";r=5987;t=17',
  ),
  RateLimitPolicy: text(
    'The quotas: `default` of the caller, `owner` of all callers in the workspaces of the same owner',
    '"default";q=600;w=60, "owner";q=6000;w=60',
  ),
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' as const, minimum: 1 } },
  WWWAuthenticate: text('How to get a token (RFC 6750, RFC 9728)'),
};

const PARAMETERS = {
  WorkspaceId: {
    name: 'X-Workspace-Id',
    in: 'header' as const,
    description:
      'The workspace to work in. Without it: the cookie `workspace_id`, your only workspace, or the one used last.',
    schema: { type: 'string' as const, format: 'uuid' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header' as const,
    description:
      'The same key with the same request within 24 h gets the first answer again; with another request 409 `idempotency_conflict`. ' +
      'An answer over 256 KiB is not kept: the repeat is 409 `idempotency_conflict` and names what was created. So is the repeat of a ' +
      'request that changed something and whose answer was lost in a failure. At most 16 MiB of answers are kept for you; a new key ' +
      'beyond that is 429 `rate_limited`.',
    schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header' as const,
    description: 'The `ETag` that you read; answers 412 where the resource has changed since.',
    schema: { type: 'string' as const },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header' as const,
    description: 'The `ETag` that you have; answers 304 where it still holds.',
    schema: { type: 'string' as const },
  },
};

/** The OpenAPI 3.1 description of the routes, made from the same objects that serve them. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('schemas', 'Error', errorSchema);
  for (const [name, header] of Object.entries(HEADERS)) registry.registerComponent('headers', name, header);
  for (const [name, parameter] of Object.entries(PARAMETERS)) registry.registerComponent('parameters', name, parameter);
  registerSecurity(registry, info);
  for (const route of routes) registry.registerPath(operation(route, info.oauthEndpoints !== undefined));
  const document = new OpenApiGeneratorV31(registry.definitions, { sortComponents: 'alphabetically' }).generateDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Watchpost',
        version: info.version,
        description: DESCRIPTION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: info.baseUrl }],
    },
  );
  if (Object.keys(document.webhooks ?? {}).length === 0) delete document.webhooks;
  return document;
}

function registerSecurity(registry: OpenAPIRegistry, { issuer, oauthEndpoints }: OpenApiInfo): void {
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `An access token of ${issuer}, sent as \`Authorization: Bearer …\`. Pages of the console send the cookie of their session instead, which has every scope: it counts only with \`Sec-Fetch-Site: same-origin\`, or with \`Origin\` of this service where a browser does not send that header. Every other use of it is 401 \`missing_token\`, and 401 \`invalid_token\` once the session has ended.`,
  });
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'wpk_…',
    description:
      'An API key (`POST /api/v1/api-keys`), sent as `Authorization: Bearer wpk_…`: for scripts, CI and clients that cannot sign in. ' +
      'It acts for the member who created it, in the one workspace that it was created in and within its scopes, with the role and the ' +
      'plan as they are at the time of each request. Another workspace is 403 `no_workspace_context`, or 404 in a path. An unknown, ' +
      'expired or revoked key is 401 `invalid_token`. Rate limits count for each key by itself. Operations that do not list this ' +
      'scheme are 403 `insufficient_scope` with any key.',
  });
  if (!oauthEndpoints) return;
  const scopes = { ...SCOPES };
  registry.registerComponent('securitySchemes', 'oauth2', {
    type: 'oauth2',
    description:
      'Authorization code with PKCE for apps, client credentials for machines; command lines use the device flow.',
    flows: {
      authorizationCode: {
        authorizationUrl: oauthEndpoints.authorization,
        tokenUrl: oauthEndpoints.token,
        refreshUrl: oauthEndpoints.token,
        scopes,
      },
      clientCredentials: { tokenUrl: oauthEndpoints.token, scopes },
    },
  });
}

function operation(route: Route, oauth: boolean): RouteConfig {
  const { scopes } = route;
  const anonymous = scopes === 'anonymous';
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, accessSentence(route)].filter((part) => part !== undefined).join('\n\n'),
    tags: [route.tag],
    ...(route.deprecated ? { deprecated: true } : {}),
    security: anonymous
      ? []
      : scopes.flatMap((scope) => [
          ...(oauth ? [{ oauth2: [scope] }] : []),
          { bearer: [scope] },
          ...(route.apiKeys === false ? [] : [{ apiKey: [scope] }]),
        ]),
    request: {
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.body
        ? { body: { required: !route.body.safeParse(undefined).success, content: bodyContent(route) } }
        : {}),
      ...(route.rawBodyLimit === undefined ? {} : { body: { required: true, content: { '*/*': { schema: {} } } } }),
    },
    parameters: headerParameters(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    responses: openApiAnswers(route),
  };
}

function bodyContent(route: Route) {
  const schema = route.body!;
  return {
    'application/json': { schema },
    ...(route.method === 'patch' ? { 'application/merge-patch+json': { schema } } : {}),
    ...(route.forms ? { 'application/x-www-form-urlencoded': { schema } } : {}),
  };
}

function headerParameters(route: Route): (keyof typeof PARAMETERS)[] {
  return [
    ...(route.role !== null && route.workspaceParam === undefined ? ['WorkspaceId' as const] : []),
    ...(route.method === 'post' && route.scopes !== 'anonymous' ? ['IdempotencyKey' as const] : []),
    ...(['put', 'patch', 'delete'].includes(route.method) ? ['IfMatch' as const] : []),
    ...(route.method === 'get' && !route.list ? ['IfNoneMatch' as const] : []),
  ];
}

function accessSentence(route: Route): string {
  if (route.scopes === 'anonymous') return 'Needs no token.';
  const scopes = `Scope: ${route.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  const role = route.role === null ? '' : ` Role: ${route.role} or above.`;
  return `${scopes}${role}${route.apiKeys === false ? ' Not with an API key.' : ''}`;
}
