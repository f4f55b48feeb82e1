export { consoleCookies } from './cookies.js';
export { consoleMiddleware } from './console-middleware.js';
export { consoleMetrics } from './session-metrics.js';
export { ConsoleSessions, SEALED_ID_TOKEN } from './sessions.js';
export { type BuiltConsole, readBuiltConsole } from './built-files.js';
export { callerOfSession, createSessionAuthenticator } from './authenticate-session.js';
export { sessionRoutes } from './session-routes.js';
