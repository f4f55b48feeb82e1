export { NOTE_RECEPTION_MS, noteReception } from './note-reception.js';
export { pingEndpoint, type PingEndpoint } from './ping-endpoint.js';
export { pingRoutes } from './ping-routes.js';
export { erasePings, purgePings } from './purge-pings.js';
