export { documentRoutes } from './document-routes.js';
