import type { ActionGroupView } from '@watchpost/control-plane/capabilities/alerts/action-group-schemas';
import type { DeliveryView } from '@watchpost/control-plane/capabilities/alerts/delivery/delivery-schemas';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/alerts/samples/message-preview-schemas';
import { capitalized } from '../../parts/format.js';

export type GroupType = ActionGroupView['type'];

export const GROUP_TYPES: readonly GroupType[] = ['email', 'sms', 'webhook', 'slack', 'teams'];
export const TYPE_NAMES: Record<GroupType, string> = {
  email: 'Email',
  sms: 'SMS',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

export const DELIVERY_STATES: readonly DeliveryView['state'][] = ['waiting', 'delivered', 'failed', 'cancelled'];

/** Where a group sends to, in one line. */
export function destinationText(group: ActionGroupView): string {
  if (group.type === 'email') return group.recipients.join(', ');
  if (group.type === 'sms') return group.phoneNumbers.join(', ');
  return group.type === 'webhook' ? group.url : group.webhookUrl;
}

/** Recipients and numbers of a group that get nothing, with the reason. */
export function silentRecipients(group: ActionGroupView): { pending: readonly string[]; refused: readonly string[] } {
  if (group.type !== 'email' && group.type !== 'sms') return { pending: [], refused: [] };
  return { pending: group.recipientsPending, refused: group.recipientsRefused };
}

const EVENTS: Readonly<Record<MessagePreview['type'] | 'test' | 'confirmation', string>> = {
  test: 'Test',
  confirmation: 'Confirmation of a number',
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.updated': 'Incident changed',
  'incident.resolved': 'Incident closed',
  'incident.note_added': 'Note added',
  'monitor.certificate_expiring': 'Certificate expires',
  'monitor.dns_changed': 'DNS records changed',
};

/** What a delivery is about. */
export function eventText(type: string): string {
  return EVENTS[type as keyof typeof EVENTS] ?? capitalized(type.replace(/[._]/g, ' '));
}

/** How a delivery went, in one sentence. */
export function outcomeText({ state, answer, attempts, error }: DeliveryView): string {
  if (answer !== null) return answer;
  if (error !== null) return error.replace(/_/g, ' ');
  if (state === 'delivered') return 'It was accepted.';
  if (state === 'cancelled') return 'It was no longer needed.';
  return attempts === 0 ? 'It was not tried yet.' : 'There was no answer.';
}

/** Lines of text (`Name: value`) as headers; what has no colon is passed on, so that the API names it. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

export function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Addresses or numbers separated by lines, commas, semicolons or, unless they are numbers, blanks. */
export function listOf(text: string, type: 'email' | 'sms'): string[] {
  const parts = text.split(type === 'email' ? /[\s,;]+/ : /[\n,;]+/);
  const cleaned = parts.map((part) => (type === 'sms' ? part.replace(/[\s()-]/g, '') : part.trim()));
  return cleaned.filter((part) => part !== '');
}

export interface GroupValues {
  type: GroupType;
  name: string;
  isEnabled: boolean;
  recipients: string;
  phoneNumbers: string;
  url: string;
  headers: string;
  webhookUrl: string;
}

export const NEW_GROUP: GroupValues = {
  type: 'email',
  name: '',
  isEnabled: true,
  recipients: '',
  phoneNumbers: '',
  url: '',
  headers: '',
  webhookUrl: '',
};

/** A group as a form has it. The URL of a chat is a secret: it is left empty. */
export function valuesOf(group: ActionGroupView): GroupValues {
  const values = { ...NEW_GROUP, type: group.type, name: group.name, isEnabled: group.isEnabled };
  if (group.type === 'email') return { ...values, recipients: group.recipients.join('\n') };
  if (group.type === 'sms') return { ...values, phoneNumbers: group.phoneNumbers.join('\n') };
  if (group.type === 'webhook') return { ...values, url: group.url, headers: headersText(group.headers) };
  return values;
}

/** What is sent for these values: the fields of the type, without secrets that were not entered. */
export function bodyOf(values: GroupValues): Record<string, unknown> {
  const { type, name, isEnabled } = values;
  const common = { name, isEnabled };
  if (type === 'email') return { ...common, recipients: listOf(values.recipients, 'email') };
  if (type === 'sms') return { ...common, phoneNumbers: listOf(values.phoneNumbers, 'sms') };
  if (type === 'webhook') return { ...common, url: values.url.trim(), headers: headersOf(values.headers) };
  return { ...common, ...(values.webhookUrl !== '' && { webhookUrl: values.webhookUrl.trim() }) };
}
