export {
  ALERT_EVENT_TYPES,
  type AlertEvent,
  type AlertEventType,
  type CertificateExpiringDetail,
  type DnsChangedDetail,
} from './alert-event.js';
export { type Channel, type Outlet, OUTLETS, type Throttle } from './channel.js';
export { decideGroupContent, emptyContent } from './content/decide-group-content.js';
export {
  type AlertRules,
  type ChannelField,
  emailAddress,
  FIELD_KIND_NAMES,
  isSecretKind,
  kindOf,
  phoneNumber,
} from './content/field-kinds.js';
export type { GroupContent, GroupInput, GroupSecrets, GroupSettings } from './content/group-content.js';
export {
  FORMER_SECRET_MS,
  newWebhookSecret,
  openFormerSecret,
  openGroupSecrets,
  SEALED_GROUP_COLUMNS,
  sealFormerSecret,
  sealGroupSecrets,
  SIGNING,
} from './content/group-secrets.js';
export { createWebhookUrlCheck } from './content/webhook-url.js';
export type {
  EventSubject,
  IncidentSummary,
  MessageExtra,
  MonitorSummary,
  Notification,
  NotifiedEvent,
} from './messages/alert-message.js';
export { composeMessage } from './messages/compose-message.js';
export { mailDocument } from './messages/mail-message.js';
export {
  ACTION_GROUP_TYPES,
  type ActionGroupType,
  channelOf,
  CHANNELS,
  channelTitle,
  EVENT_CHANNELS,
  isSentBy,
  typesWithin,
} from './registry.js';
export type { Channels, Destination, MessageLinks } from './sending/channels.js';
export { type ChannelSettings, createChannels } from './sending/create-channels.js';
export { type Mailer, noMailer, type OutgoingMail } from './sending/mailer.js';
export { sendMessage } from './sending/send-message.js';
export type { SendOutcome } from './sending/send-outcome.js';
