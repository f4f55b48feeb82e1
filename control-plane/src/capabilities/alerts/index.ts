export { alertRoutes } from './alert-routes.js';
export { alertsMonitorListener, requireActionGroups } from './default-action-groups.js';
export { disableGroupsOverLimit } from './disable-over-limit.js';
export { forgetFormerSecrets } from './rotate-webhook-secret.js';
export { createWebhookUrlCheck } from './webhook-url.js';
export { SEALED_GROUP_COLUMNS } from './group-secrets.js';
export { DELIVERY_CHANNEL } from './alert-event-store.js';
export type { AlertEvent, AlertEventType, CertificateExpiringDetail, DnsChangedDetail } from './alert-event.js';
export { publishEvents } from './publish-events.js';
export {
  EVIDENCE_PATH,
  incidentOfEvidenceLink,
  issueEvidenceLink,
  newestEvidencePath,
  readEvidenceLinks,
  removeEvidenceLinks,
} from './evidence-link.js';
export { EVIDENCE_CHANNELS } from './evidence-link-store.js';
export { enqueueMail } from './enqueue-mail.js';
export type { OutgoingMail } from './channels/mailer.js';
export { createChannels } from './channels/create-channels.js';
export { mailboxCommand } from './channels/mailbox-command.js';
export { mailboxRoutes } from './channels/mailbox-routes.js';
export { cancelDeliveries, type Contact, deliverTo } from './delivery/deliver-to.js';
export { DeliveryMetrics } from './delivery/delivery-metrics.js';
export { deliveryRoutes } from './delivery/delivery-routes.js';
export { DeliveryWorker } from './delivery/delivery-worker.js';
export { restDeliveries } from './delivery/rest-deliveries.js';
export { purgeDeliveries } from './delivery/purge-deliveries.js';
export { PAGE_LINK_PATH, purgePageLinks, readPageLink, usePageLink } from './paging/page-links.js';
export { pageDue } from './paging/page-due.js';
export { admitMail, sendInvitation } from './recipients/admit-mail.js';
export { askRecipients } from './recipients/ask-recipients.js';
export { copyRecipientAnswers, noteUnaskedRecipients, purgeRecipients } from './recipients/note-recipients.js';
export type { RecipientRules } from './recipients/recipient-rules.js';
export { previewRoutes } from './paging/preview-routes.js';
