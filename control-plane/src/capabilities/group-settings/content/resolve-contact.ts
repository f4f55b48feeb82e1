import { MASK } from '@watchpost/shared/secrets/secret-header';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { maskUrl } from '../../../platform/http/masked-url.js';
import { type ChannelField, channelOf, type Destination, destinationFields } from '../../channels/index.js';
import type { ContactMethodType } from '../../workspaces/index.js';
import { openGroupFields, type SealedGroup } from './resolve-destination.js';

/**
 * The field that the oldest enabled group of a type lends for messages to a person, who gives an address only; null where
 * the address is enough. What belongs to a server of somebody's choice is never lent.
 */
export const LENT_FIELDS: Readonly<Record<ContactMethodType, string | null>> = {
  telegram: 'botToken',
  ntfy: null,
  pushover: 'apiToken',
};

/** A group that lends its bot or application. */
export type Lender = Pick<SealedGroup, 'id' | 'settings' | 'secrets'>;

/** The field of the groups of a type whose values the addresses of people are. */
export function contactField(type: ContactMethodType): ChannelField {
  const channel = channelOf(type);
  const [name] = destinationFields(channel);
  return channel.fields.find((field) => field.name === name)!;
}

/** The part of an address that others may see. */
export function maskContact(type: ContactMethodType, address: string): string {
  const { kind } = contactField(type);
  return kind === 'secretUrl' ? maskUrl(address) : kind === 'secret' ? MASK : address;
}

/**
 * The destination of messages to a person.
 * @returns a sentence where no group lends what they need
 */
export function resolveContact(
  box: SecretBox,
  { type, address }: { type: ContactMethodType; address: string },
  lender: Lender | null,
): Destination | string {
  const lent = LENT_FIELDS[type];
  if (lent !== null && lender === null) return withoutLender(type);
  const fields = lent === null ? {} : { [lent]: openGroupFields(box, type, lender!)[lent] };
  const shown = maskContact(type, address);
  return { channel: type, address: shown, fields: { ...fields, [contactField(type).name]: address } };
}

function withoutLender(type: ContactMethodType): string {
  const { title, fields } = channelOf(type);
  const field = fields.find(({ name }) => name === LENT_FIELDS[type])!;
  return `No enabled ${title} group of this workspace lends its ${field.title.toLowerCase().replace('api', 'API')}.`;
}
