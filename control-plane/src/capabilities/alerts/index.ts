export { ACTION_GROUP_TYPES, type ActionGroupType, type GroupInput } from './action-group.js';
export { alertRoutes } from './alert-routes.js';
export { attachDefaultGroups, detachPurgedGroups, requireActionGroups } from './default-action-groups.js';
export { disableGroupsOverLimit } from './disable-groups-over-limit.js';
export { purgeFormerSecrets } from './rotate-webhook-secret.js';
export { createWebhookUrlCheck } from './webhook-url.js';
export { SEALED_GROUP_COLUMNS } from './group-secrets.js';
export { DELIVERY_CHANNEL } from './delivery/alert-event-store.js';
export type { AlertEvent, AlertEventType, CertificateExpiringDetail, DnsChangedDetail } from './alert-event.js';
export type { PublishDeps } from './paging/follow-incidents.js';
export { publishEvents } from './publish-events.js';
export {
  EVIDENCE_PATH,
  type EvidenceSubject,
  incidentOfEvidenceLink,
  issueEvidenceLinks,
  newestEvidencePath,
  readEvidenceLinks,
  removeEvidenceLinks,
} from './evidence/evidence-link.js';
export { isSecretKind } from './channels/field-kinds.js';
export { channelOf, channelTitle } from './channels/registry.js';
export { enqueueMail } from './delivery/enqueue-mail.js';
export type { Mailer, OutgoingMail } from './channels/mailer.js';
export { createChannels } from './channels/create-channels.js';
export { noMailer } from './channels/mailer.js';
export { cancelDeliveries, type Contact, notifyContacts } from './delivery/notify-contacts.js';
export { DeliveryMetrics } from './delivery/delivery-metrics.js';
export { deliveryRoutes } from './delivery/delivery-routes.js';
export { DeliveryWorker } from './delivery/delivery-worker.js';
export { setDeliveriesPaused } from './delivery/pause-deliveries.js';
export { purgeDeliveries } from './delivery/purge-deliveries.js';
export {
  ACKNOWLEDGE_PATH,
  purgeAcknowledgeLinks,
  readAcknowledgeLink,
  useAcknowledgeLink,
} from './paging/acknowledge-link.js';
export { pageDuePeople } from './paging/page-due-people.js';
export { IS_PAGE_DUE } from './paging/paging-store.js';
export { admitMail, sendInvitation } from './recipients/admit-mail.js';
export { IS_REQUEST_DUE } from './recipients/recipient-store.js';
export { sendConfirmationRequests } from './recipients/send-confirmation-requests.js';
export { copyRecipientAnswers, addUnaskedRecipients, purgeRecipients } from './recipients/add-pending-recipients.js';
export type { RecipientRules } from './recipients/decide-recipient-state.js';
export { previewRoutes } from './paging/preview-routes.js';
export { messagePreviewRoutes } from './samples/message-preview-routes.js';
export { findReachTroubles, type ReachDeps } from './paging/find-reach-troubles.js';
export { readNotified, type Notified } from './paging/read-notified.js';
export { readDeliveryTroubles } from './delivery/read-delivery-troubles.js';
export { attachedGroups, configuredByGroupInput, configuredGroups } from './configured-groups.js';
export { READ_ALERTS } from './alert-deps.js';
