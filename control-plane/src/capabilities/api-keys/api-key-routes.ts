import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import { apiKeyInput, apiKeyQuery, apiKeySchema, DEFAULT_DAYS, newApiKeySchema } from './api-key-schemas.js';
import {
  type ApiKeyDeps,
  createApiKey,
  EXPIRED_DAYS,
  listApiKeys,
  MAX_LIVE_KEYS,
  revokeApiKey,
  steadyPart,
} from './api-keys.js';

const apiKey = resource({
  path: '/api/v1/api-keys',
  name: 'API key',
  tag: 'API keys',
  schema: apiKeySchema,
  read: { scopes: ['account.read'], role: 'Viewer' },
  write: { scopes: ['account.write'], role: 'Viewer' },
});

export function apiKeyRoutes(deps: ApiKeyDeps): Route[] {
  return [
    apiKey.list({
      summary: 'List API keys of this workspace',
      description: `Newest first: your own, or with \`all=true\` those of every member, for an Admin. An expired key is listed for ${EXPIRED_DAYS} days.`,
      query: apiKeyQuery,
      run: ({ actor, query: { all } }, rows) => listApiKeys(deps, actor, { all }, rows),
    }),
    apiKey.create({
      summary: 'Create an API key',
      description: `For scripts and clients that cannot sign in. It acts for you, in this workspace only, with your role and the plan as they are at each use, and ends with your membership; an end that you do not name is in ${DEFAULT_DAYS} days. Send it as \`Authorization: Bearer wpk_…\` to REST and MCP. It matches \`^wpk_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{43}$\`. The answer contains the key this once; only its SHA-256 is stored. A member has at most ${MAX_LIVE_KEYS} live keys.`,
      apiKeys: false,
      body: apiKeyInput,
      created: newApiKeySchema,
      faults: ['plan_limit_exceeded'],
      run: ({ actor, body }) => createApiKey(deps, actor, body),
      answer: ({ key, ...shown }) => ({
        body: { ...shown, key },
        repeatedBody: shown,
        resource: steadyPart(shown),
      }),
    }),
    apiKey.delete({
      operationId: 'revokeApiKey',
      audits: ['api_key.revoked'],
      summary: 'Revoke an API key',
      description: 'Your own, or any of the workspace as Admin. It is refused everywhere within 5 s.',
      apiKeys: false,
      run: ({ actor, params }) => revokeApiKey(deps, actor, params.id),
    }),
  ];
}
