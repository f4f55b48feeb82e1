import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { STATUS_CODES } from 'node:http';
import { FAULT_STATUS, type FaultCode } from '@watchpost/shared/fault';
import { groupBy } from '@watchpost/shared/group-by';
import { EVENT_STREAM } from '../event-stream.js';
import type { Route } from '../route.js';

const EXAMPLE_REQUEST_ID = '019aa5c2-7d3e-7c11-9f0a-3b1c5d7e9f01';
const ref = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Every answer of a route: those that it declares, and every error that the shell or its verbs may give. */
export function openApiAnswers(route: Route): Record<string, ResponseConfig> {
  const answers: Record<string, ResponseConfig> = {};
  for (const [status, answer] of Object.entries(route.answers)) {
    if (Number(status) < 400 || answer.schema) answers[status] = declaredAnswer(route, Number(status), answer);
  }
  if (route.method === 'get' && !route.list && !route.isStream && answers[200])
    answers[304] = { description: 'You have it already', headers: headersOf(route, 304) };
  for (const [status, codes] of groupBy(faultCodesOf(route), (code) => FAULT_STATUS[code])) {
    answers[status] ??= errorAnswer(route, status, codes, route.answers[status]?.description);
  }
  return answers;
}

function faultCodesOf(route: Route): FaultCode[] {
  const declared = Object.keys(route.answers).map(Number);
  return [
    ...new Set<FaultCode>([
      ...(route.body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
      ...(route.rawBodyLimit === undefined ? [] : (['payload_too_large'] as const)),
      'validation_failed',
      ...(route.scopes === 'anonymous'
        ? []
        : ([
            'missing_token',
            'invalid_token',
            'insufficient_scope',
            'member_suspended',
            'not_invited',
            'rate_limited',
          ] as const)),
      ...(route.role !== null ? (['insufficient_workspace_role'] as const) : []),
      ...(route.role !== null && route.workspaceParam === undefined ? (['no_workspace_context'] as const) : []),
      ...(route.params || declared.includes(404) ? (['not_found'] as const) : []),
      ...(route.method === 'post' && route.scopes !== 'anonymous' ? (['idempotency_conflict'] as const) : []),
      ...(['put', 'patch', 'delete'].includes(route.method) ? (['precondition_failed'] as const) : []),
      ...(route.faults ?? []),
      'not_acceptable',
      'internal_error',
      'unavailable',
    ]),
  ];
}

function declaredAnswer(route: Route, status: number, answer: Route['answers'][number]): ResponseConfig {
  const text = { schema: { type: 'string' as const } };
  const example = answer.example === undefined ? {} : { example: answer.example };
  const others = route.isStream
    ? [[EVENT_STREAM, { ...text, ...example }] as const]
    : (route.produces ?? []).map((type) => [type, text] as const);
  const json = answer.schema ? [['application/json', { schema: answer.schema, ...example }] as const] : [];
  const content = Object.fromEntries<object>([...json, ...others]);
  const empty = status === 204 || status === 304 || Object.keys(content).length === 0;
  return { description: answer.description, headers: headersOf(route, status), ...(empty ? {} : { content }) };
}

function errorAnswer(
  route: Route,
  status: number,
  codes: readonly FaultCode[],
  description: string | undefined,
): ResponseConfig {
  const names = codes.map((code) => `\`${code}\``).join(', ');
  return {
    description: `${description ?? STATUS_CODES[status]}: ${names}`,
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { error: { type: 'string', enum: [...codes] } } },
          ],
        },
        example: {
          error: codes[0],
          message: 'One sentence with what to do.',
          ...(codes[0] === 'validation_failed' ? { details: [{ path: 'name', message: 'is required' }] } : {}),
          requestId: EXAMPLE_REQUEST_ID,
        },
      },
      ...(route.produces?.includes('text/html') ? { 'text/html': { schema: { type: 'string' as const } } } : {}),
    },
  };
}

/** What the route sends with every answer, unchanged. */
function fixedHeadersOf({ headers = {} }: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      { description: 'The same with every answer', schema: { type: 'string' as const }, example: value },
    ]),
  );
}

function headersOf(route: Route, status: number): NonNullable<Exclude<ResponseConfig['headers'], undefined>> {
  const success = status >= 200 && status < 300;
  const tagged =
    !route.list &&
    !route.isStream &&
    (status === 304 || (success && status !== 204 && (route.method !== 'post' || status === 201)));
  const limited = route.scopes !== 'anonymous' && status !== 401;
  return {
    'X-Request-Id': ref('RequestId'),
    ...fixedHeadersOf(route),
    ...(tagged && route.method !== 'delete' ? { ETag: ref('ETag') } : {}),
    ...(status === 201 ? { Location: ref('Location') } : {}),
    ...(success && route.list ? { 'X-Total-Count': ref('TotalCount'), Link: ref('Link') } : {}),
    ...(limited ? { RateLimit: ref('RateLimit'), 'RateLimit-Policy': ref('RateLimitPolicy') } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': ref('RetryAfter') } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': ref('WWWAuthenticate') } : {}),
  };
}
