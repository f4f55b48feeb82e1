export { alertRoutes } from './alert-routes.js';
export { alertsMonitorListener, requireActionGroups } from './default-action-groups.js';
export { disableGroupsOverLimit } from './disable-over-limit.js';
export { forgetFormerSecrets } from './rotate-webhook-secret.js';
export { createWebhookUrlCheck } from './webhook-url.js';
export { publishEvents, type AlertEvent, type AlertEventType } from './publish-events.js';
export { enqueueMail, type OutgoingMail } from './enqueue-mail.js';
export { formatElapsed } from './format-elapsed.js';
