export { apiKeyRoutes } from './api-key-routes.js';
export { looksLikeApiKey } from './api-key-text.js';
export { revokeKeysOfMember } from './api-keys.js';
export { purgeApiKeys } from './purge-api-keys.js';
export { type ApiKeyVerifier, createApiKeyVerifier } from './verify-api-key.js';
