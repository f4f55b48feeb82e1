export { overviewRoutes } from './overview-routes.js';
export type { OverviewDeps } from './overview-deps.js';
export { readOverview } from './read-overview.js';
