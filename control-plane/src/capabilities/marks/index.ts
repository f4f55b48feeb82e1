export { markRoutes } from './mark-routes.js';
export { listMarks, purgeMarks } from './marks.js';
