export type { PublishDeps } from './follow-incidents.js';
export { pageDuePeople } from './page-due-people.js';
export { IS_PAGE_DUE } from './paging-store.js';
export { findReachTroubles, type ReachDeps } from './preview/find-reach-troubles.js';
export { previewRoutes } from './preview/preview-routes.js';
export { publishEvents } from './publish-events.js';
export { type Notified, readNotified } from './read-notified.js';
