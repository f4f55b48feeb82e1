import type {
  ActionGroupView,
  ChannelFieldView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/channels/samples/message-preview-schemas';
import { capitalized } from '../../parts/format.js';

export const DELIVERY_STATES: readonly DeliveryView['state'][] = ['waiting', 'delivered', 'failed', 'cancelled'];

/** Where a group sends to, in one line. */
export function destinationText(group: ActionGroupView, channel: ChannelView | undefined): string {
  const [field] = channel?.fields ?? [];
  return field === undefined ? '' : textOf(group[field.name], field.kind).replaceAll('\n', ', ');
}

/** Recipients and numbers of a group that get nothing, with the reason. */
export function silentRecipients(group: ActionGroupView): { pending: readonly string[]; refused: readonly string[] } {
  return { pending: group.recipientsPending ?? [], refused: group.recipientsRefused ?? [] };
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
export function listOf(text: string, kind: 'emails' | 'phones'): string[] {
  const parts = text.split(kind === 'emails' ? /[\s,;]+/ : /[\n,;]+/);
  const cleaned = parts.map((part) => (kind === 'phones' ? part.replace(/[\s()-]/g, '') : part.trim()));
  return cleaned.filter((part) => part !== '');
}

/** A form of a group: its name, whether it is enabled, and the fields of its channel as texts. */
export interface GroupValues {
  type: string;
  name: string;
  isEnabled: boolean;
  /** Of a new group: what it is attached to, where its channel asks for that. */
  monitorIds?: readonly string[];
  [field: string]: string | boolean | readonly string[];
}

export const NEW_GROUP: GroupValues = { type: 'email', name: '', isEnabled: true, monitorIds: [] };

/** A group as a form has it. Secrets are left empty. */
export function valuesOf(group: ActionGroupView, fields: readonly ChannelFieldView[]): GroupValues {
  const { type, name, isEnabled } = group;
  const texts = fields.map((field): [string, string] => [
    field.name,
    field.secret ? '' : textOf(group[field.name], field.kind),
  ]);
  return { type, name, isEnabled, ...Object.fromEntries(texts) };
}

/** What is sent for these values: the fields of the channel, without secrets and optional ones that were not entered. */
export function bodyOf(values: GroupValues, fields: readonly ChannelFieldView[]): Record<string, unknown> {
  const { name, isEnabled } = values;
  const given = fields.flatMap(({ name: field, kind, secret, required }): [string, unknown][] => {
    const text = String(values[field] ?? '');
    if (kind === 'emails' || kind === 'phones') return [[field, listOf(text, kind)]];
    if (kind === 'headers') return [[field, headersOf(text)]];
    return text.trim() === '' && (secret || !required) ? [] : [[field, text.trim()]];
  });
  return { name, isEnabled, ...Object.fromEntries(given) };
}

/** The value of a field as a form has it. */
export function textOf(value: unknown, kind: ChannelFieldView['kind']): string {
  if (kind === 'emails' || kind === 'phones') return ((value ?? []) as string[]).join('\n');
  if (kind === 'headers') return headersText((value ?? {}) as Record<string, string>);
  return typeof value === 'string' ? value : '';
}
