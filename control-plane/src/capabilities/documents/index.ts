export type { DocumentDeps } from './apply-document.js';
export { documentRoutes } from './document-routes.js';
export { operationsOf } from './operations.js';
