export { type AlertEvent, type CertificateExpiringDetail, type DnsChangedDetail } from './alert-event.js';
export {
  CHANNEL_CATEGORIES,
  type Channel,
  destinationFields,
  destinationsOf,
  type Outlet,
  OUTLETS,
  type Throttle,
} from './channel.js';
export { decideGroupContent, emptyContent } from './content/decide-group-content.js';
export { type AlertRules, FIELD_KIND_NAMES, kindOf } from './content/field-kinds.js';
export type { GroupContent, GroupInput, GroupSettings } from './content/group-content.js';
export {
  newWebhookSecret,
  openGroupSecrets,
  SEALED_GROUP_COLUMNS,
  sealFormerSecret,
  sealGroupSecrets,
  secretsByField,
} from './content/group-secrets.js';
export { openGroupFields, resolveDestination, type SealedGroup } from './content/resolve-destination.js';
export { createWebhookUrlCheck } from './content/webhook-url.js';
export type { MessageExtra, MonitorSummary, Notification, NotifiedEvent } from './messages/alert-message.js';
export {
  changedRules,
  groupRulesInput,
  groupRulesShown,
  type GroupRules,
  type StoredRules,
  wholeRules,
} from './rules/group-rules-schemas.js';
export { type MessagePreview, messagePreviewSchema } from './samples/message-preview-schemas.js';
export { composeMessage } from './messages/compose-message.js';
export { sampleMessages, type SampleSubject } from './samples/sample-messages.js';
export { isGenuineCall } from './presses/is-genuine-call.js';
export { CALL_PATH } from './voice.js';
export { ACTION_GROUP_TYPES, type ActionGroupType, channelOf, CHANNELS, typesWithin } from './registry.js';
export type { Destination } from './sending/channels.js';
export { createChannels } from './sending/create-channels.js';
export { type Outgoing, sendMessage } from './sending/send-message.js';
