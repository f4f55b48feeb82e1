export type { PublishDeps } from './follow-incidents.js';
export { pagingTask } from './page-due-people.js';
export { escalateNow } from './escalate-now.js';
export { findReachTroubles } from './preview/find-reach-troubles.js';
export { readReachable, type ReachDeps } from './read-reachable.js';
export { previewRoutes } from './preview/preview-routes.js';
export { publishEvents } from './publish-events.js';
export { type Notified, readNotified } from './read-notified.js';
