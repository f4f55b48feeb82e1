export { alertRoutes } from './alert-routes.js';
export { alertsMonitorListener, requireActionGroups } from './default-action-groups.js';
export { disableGroupsOverLimit } from './disable-over-limit.js';
export { forgetFormerSecrets } from './rotate-webhook-secret.js';
export { createWebhookUrlCheck } from './webhook-url.js';
