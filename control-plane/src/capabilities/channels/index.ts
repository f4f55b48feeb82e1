export {
  type AlertEvent,
  type LocationEventType,
  type CertificateExpiringDetail,
  type DnsChangedDetail,
  type DomainExpiringDetail,
} from './alert-event.js';
export {
  CHANNEL_CATEGORIES,
  type Channel,
  destinationFields,
  destinationsOf,
  type Outlet,
  OUTLETS,
  type Throttle,
} from './channel.js';
export { type AlertRules, type ChannelField, FIELD_KIND_NAMES, kindOf } from './content/field-kinds.js';
export { createWebhookUrlCheck } from './content/webhook-url.js';
export type { MessageExtra, MonitorSummary, Notification, NotifiedEvent } from './messages/alert-message.js';
export { type MessagePreview, messagePreviewSchema } from './samples/message-preview-schemas.js';
export { sampleMessages, type SampleSubject } from './samples/sample-messages.js';
export { isGenuineCall } from './presses/is-genuine-call.js';
export { CALL_PATH } from './voice.js';
export { ACTION_GROUP_TYPES, type ActionGroupType, channelOf, CHANNELS, typesWithin } from './registry.js';
export type { Destination } from './sending/channels.js';
export { createChannels } from './sending/create-channels.js';
export { type Outgoing, sendMessage, TEMPLATE_FAILED } from './sending/send-message.js';
export { composeForGroup } from './templates/compose-by-template.js';
export { templateFault } from './templates/liquid-text.js';
