export { createDeliveryDeps } from './delivery-deps.js';
export { admitMessage } from './admission/admit-message.js';
export {
  decideRecipientState,
  type RecipientChannel,
  type RecipientRules,
  type RecipientState,
  type RecipientStatus,
} from './admission/decide-recipient-state.js';
export { recipientStates } from './admission/recipient-states.js';
export { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from './alert-deps.js';
export { acknowledgeLinks, issueAcknowledgeLinks } from './links/acknowledge-link.js';
export {
  EVIDENCE_PATH,
  incidentOfEvidenceLink,
  issueEvidenceLinks,
  newestEvidencePath,
  readEvidenceLinks,
  removeEvidenceLinks,
} from './links/evidence-link.js';
export { phoneCalls } from './calls/phone-calls.js';
export { addLocationEvent, DELIVERY_CHANNEL } from './queue/alert-event-store.js';
export { moveDeliveriesOfGroup } from './queue/delivery-move-store.js';
export { PAGE_PURPOSE } from './queue/delivery.js';
export { noteRefused } from './queue/note-refused.js';
export { cancelDeliveries, type Contact, notifyContacts } from './queue/notify-contacts.js';
export { areDeliveriesStuck } from './queue/are-deliveries-stuck.js';
export { deliveryJobs } from './queue/purge-deliveries.js';
export { deliveryRoutes } from './reading/delivery-routes.js';
export { readDeliveryTroubles } from './reading/delivery-trouble-store.js';
export type { DeliveryMetrics } from './sending/delivery-metrics.js';
export { DeliveryWorker } from './sending/delivery-worker.js';
export { disabledGroup } from './sending/disabled-group.js';
export { hoursBeginAt } from './rules/decide-hours.js';
export { enqueueMail, queueEvents, sendConfirmationCode, setDeliveriesPaused } from './queue/queue.js';
