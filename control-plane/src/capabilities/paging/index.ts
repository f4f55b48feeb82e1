export type { PublishDeps } from './follow-incidents.js';
export { pagingTask } from './page-due-people.js';
export { findReachTroubles, type ReachDeps } from './preview/find-reach-troubles.js';
export { previewRoutes } from './preview/preview-routes.js';
export { publishEvents } from './publish-events.js';
export { type Notified, readNotified } from './read-notified.js';
