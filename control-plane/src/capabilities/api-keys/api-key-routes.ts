import { z } from 'zod';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../platform/http/schemas.js';
import { apiKeyInput, apiKeyQuery, apiKeySchema, DEFAULT_DAYS, newApiKeySchema } from './api-key-schemas.js';
import { type ApiKeyDeps, createApiKey, listApiKeys, MAX_LIVE_KEYS, revokeApiKey, steadyPart } from './api-keys.js';
import { EXPIRED_DAYS } from './purge-api-keys.js';

const tag = 'API keys';
const PATH = '/api/v1/api-keys';

/** API keys over REST. */
export function apiKeyRoutes(deps: ApiKeyDeps): Route[] {
  return [
    route({
      method: 'get',
      path: PATH,
      operationId: 'listApiKeys',
      summary: 'List API keys of this workspace',
      description: `Newest first: your own, or with \`all=true\` those of every member, for an Admin. An expired key is listed for ${EXPIRED_DAYS} days.`,
      tag,
      scopes: ['account.read'],
      role: 'Viewer',
      query: apiKeyQuery,
      list: true,
      answers: { 200: { description: 'A page of keys', schema: z.array(apiKeySchema) } },
      handle: async ({ actor, query: { page, pageSize, all } }) =>
        listAnswer(await listApiKeys(deps, actor, { all }, rowsOfPage({ page, pageSize }))),
    }),
    route({
      method: 'post',
      path: PATH,
      operationId: 'createApiKey',
      audits: ['api_key.created'],
      summary: 'Create an API key',
      description: `For scripts and clients that cannot sign in. It acts for you, in this workspace only, with your role and the plan as they are at each use, and ends with your membership; an end that you do not name is in ${DEFAULT_DAYS} days. Send it as \`Authorization: Bearer wpk_…\` to REST and MCP. It matches \`^wpk_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{43}$\`. The answer contains the key this once; only its SHA-256 is stored. A member has at most ${MAX_LIVE_KEYS} live keys.`,
      tag,
      scopes: ['account.write'],
      role: 'Viewer',
      apiKeys: false,
      body: apiKeyInput,
      answers: { 201: { description: 'The key', schema: newApiKeySchema } },
      faults: ['plan_limit_exceeded'],
      async handle({ actor, body }) {
        const { key, ...shown } = await createApiKey(deps, actor, body);
        return {
          status: 201,
          body: { ...shown, key },
          repeatedBody: shown,
          resource: steadyPart(shown),
          location: `${PATH}/${shown.id}`,
        };
      },
    }),
    route({
      method: 'delete',
      path: `${PATH}/{id}`,
      operationId: 'revokeApiKey',
      audits: ['api_key.revoked'],
      summary: 'Revoke an API key',
      description: 'Your own, or any of the workspace as Admin. It is refused everywhere within 5 s.',
      tag,
      scopes: ['account.write'],
      role: 'Viewer',
      apiKeys: false,
      params: idParam,
      answers: { 204: { description: 'It is revoked' } },
      async handle({ actor, params, checkPrecondition }) {
        await revokeApiKey(deps, actor, params.id, checkPrecondition);
        return { status: 204 };
      },
    }),
  ];
}
