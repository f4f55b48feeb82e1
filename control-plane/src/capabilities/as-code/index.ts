export type { AsCodeDeps } from './apply-document.js';
export { asCodeRoutes } from './as-code-routes.js';
export { operationsOf } from './operations.js';
