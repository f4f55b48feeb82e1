export { apiKeyRoutes } from './api-key-routes.js';
export { looksLikeApiKey } from './api-key-text.js';
export { purgeApiKeys, revokeKeysOfMember } from './api-keys.js';
export { type ApiKeyVerifier, createApiKeyVerifier } from './verify-api-key.js';
