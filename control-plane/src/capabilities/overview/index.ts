export { overviewRoutes } from './overview-routes.js';
export type { OverviewDeps } from './overview-deps.js';
export { readGroups } from './read-groups.js';
export { readOverview } from './read-overview.js';
