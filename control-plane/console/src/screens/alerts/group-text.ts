import type {
  ActionGroupView,
  ChannelFieldView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import type { MessagePreview } from '@watchpost/control-plane/capabilities/channels/samples/message-preview-schemas';
import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';
import type { IsSecretText } from '../../data/drafts.js';
import { capitalized } from '../../parts/format.js';

export const DELIVERY_STATES: readonly DeliveryView['state'][] = ['waiting', 'delivered', 'failed', 'cancelled'];

/** The field with the destination of a group: the first with a value that is no secret as a whole. */
export function destinationField(group: ActionGroupView, channel: ChannelView): ChannelFieldView {
  const shown = channel.fields.find(({ name, kind }) => kind !== 'secret' && textOf(group[name], kind) !== '');
  return shown ?? channel.fields[0]!;
}

/** Where a group sends to, in one line. */
export function destinationText(group: ActionGroupView, channel: ChannelView | undefined): string {
  if (channel === undefined) return '';
  const field = destinationField(group, channel);
  return textOf(group[field.name], field.kind).replaceAll('\n', ', ');
}

/** The channels in whose name, type or category all words are, those whose name begins with the first. */
export function findChannels(channels: readonly ChannelView[], text: string): readonly ChannelView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ title }: ChannelView) => title.toLowerCase().startsWith(words[0] ?? '');
  return channels
    .filter(({ title, type, category }) =>
      words.every((word) => `${title} ${type} ${category}`.toLowerCase().includes(word)),
    )
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
}

/** Names in a few words what a channel can do beyond sending. */
export function traitsOf({ canEdit, canAcknowledge, personal }: ChannelView): string {
  if (canAcknowledge) return 'Acknowledge from the message';
  if (canEdit) return 'One message for an incident';
  return personal ? 'To people, who may have to confirm' : '';
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
  'monitor.domain_expiring': 'Domain expires',
  digest: 'Several at once',
};

export function eventText(type: string): string {
  return EVENTS[type as keyof typeof EVENTS] ?? capitalized(type.replace(/[._]/g, ' '));
}

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

/** When a group is notified, and in which words, as in the API; in a form, what is not chosen is ''. */
export interface Rules {
  severities: readonly string[];
  delay: string;
  hours: {
    timezone: string;
    days: readonly string[];
    start: string;
    end: string;
    outside: 'hold' | 'drop';
  } | null;
  repeatEvery: string | null;
  digestAfter: number | '' | null;
  template: string | null;
}

const NO_RULES: Rules = {
  severities: ['down', 'partial', 'warning'],
  delay: 'PT0S',
  hours: null,
  repeatEvery: null,
  digestAfter: null,
  template: null,
};

function rulesOf({ severities, delay, hours, repeatEvery, digestAfter, template }: Rules): Rules {
  const chosen = { repeatEvery: repeatEvery || null, digestAfter: digestAfter || null, template: template || null };
  return { severities, delay, hours, ...chosen };
}

/** Reports whether any rule differs from those of a new group. */
export function hasRules(values: Rules): boolean {
  return JSON.stringify(rulesOf(values)) !== JSON.stringify(NO_RULES);
}

/** A form of a group: its name, whether it is enabled, its monitors, and the fields of its channel as texts. */
export interface GroupValues extends Rules {
  type: string;
  name: string;
  isEnabled: boolean;
  reach: 'all' | 'tags' | 'these';
  attachTo: { tags: readonly string[]; all: boolean };
  monitorIds: readonly string[];
  /** The index in the alternatives of the channel. */
  way: string;
  [field: string]: unknown;
}

export function newValues(type: string, name: string, { madeWithMonitor }: ChannelView): GroupValues {
  const attachTo = { tags: [], all: false };
  const reach = madeWithMonitor ? 'these' : 'all';
  return { ...NO_RULES, type, name, isEnabled: true, reach, attachTo, monitorIds: [], way: '0' };
}

/** A group as a form has it. Secrets are left empty. */
export function valuesOf(group: ActionGroupView, { fields, alternatives }: ChannelView): GroupValues {
  const { type, name, isEnabled, attachTo } = group;
  const texts = fields.map((field): [string, string] => [
    field.name,
    field.secret ? '' : textOf(group[field.name], field.kind),
  ]);
  const given = (names: readonly string[]) => names.filter((one) => (group[one] ?? null) !== null).length;
  const way = alternatives.findIndex(
    (names) => given(names) === names.length && given([...new Set(alternatives.flat())]) === names.length,
  );
  const reach = attachTo.all ? 'all' : attachTo.tags.length > 0 ? 'tags' : 'these';
  const shown = { type, name, isEnabled, reach, attachTo, monitorIds: [], way: String(Math.max(way, 0)) } as const;
  return { ...rulesOf(group), ...shown, ...Object.fromEntries(texts) };
}

/** Decides which texts of a group are secrets: also headers as a whole where one is, and the query of a URL. */
export function isSecretOf({ fields }: ChannelView): IsSecretText {
  return ([name = ''], text) => {
    const field = fields.find((one) => one.name === name);
    if (field?.kind === 'url') return text.includes('?') && !text.endsWith(`?${MASK}`);
    if (field?.kind === 'headers')
      return Object.entries(headersOf(text)).some(([header, value]) => isSecretHeader(header) && value !== MASK);
    return field?.secret === true;
  };
}

/** The fields of a channel that a form asks for: of the alternatives, those of one. */
export function fieldsAsked({ fields, alternatives }: ChannelView, way: string): readonly ChannelFieldView[] {
  const chosen = alternatives[Number(way)] ?? [];
  return fields.flatMap((field) => {
    if (chosen.includes(field.name)) return [{ ...field, required: true }];
    return alternatives.some((names) => names.includes(field.name)) ? [] : [field];
  });
}

/** What is sent for these values. Optional fields without a value are null, except secrets, which stay as they are. */
export function bodyOf(values: GroupValues, channel: ChannelView): Record<string, unknown> {
  const { name, isEnabled, reach } = values;
  const asked = fieldsAsked(channel, values.way);
  const given = channel.fields.flatMap(({ name: field, kind, secret }): [string, unknown][] => {
    const value = values[field];
    const text = typeof value === 'string' ? value : '';
    const own = asked.find((one) => one.name === field);
    if (own === undefined) return [[field, null]];
    if (kind === 'emails' || kind === 'phones') return [[field, listOf(text, kind)]];
    if (kind === 'headers') return [[field, headersOf(text)]];
    if (text.trim() !== '') return [[field, text.trim()]];
    return secret ? [] : [[field, own.required ? '' : null]];
  });
  const attachTo = { all: reach === 'all', tags: reach === 'tags' ? values.attachTo.tags : [] };
  return { name, isEnabled, attachTo, ...rulesOf(values), ...Object.fromEntries(given) };
}

export function textOf(value: unknown, kind: ChannelFieldView['kind']): string {
  if (kind === 'emails' || kind === 'phones') return ((value ?? []) as string[]).join('\n');
  if (kind === 'headers') return headersText((value ?? {}) as Record<string, string>);
  return typeof value === 'string' ? value : '';
}
