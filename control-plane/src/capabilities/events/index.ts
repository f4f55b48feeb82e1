export { EventFeed } from './event-feed.js';
export { eventRoutes } from './event-routes.js';
export { purgeEvents } from './purge-events.js';
export { readEventId } from './read-events.js';
export { recordMonitorEvents } from './record-monitor-event.js';
export { EVENT_CHANNEL } from './workspace-event.js';
