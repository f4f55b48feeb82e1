import { randomBytes } from 'node:crypto';
import { channelOf, isChannel } from '../registry.js';
import { hasAllOf, type OpenFields, type Proof, type ServiceCall } from './service-call.js';

/**
 * Reports whether a call is one of the service of a group. Where there is no group, or it lacks a secret, the call is
 * checked with secrets that nobody has, so that the time is the same.
 * @param kind what the service calls about
 * @param fields of the group of this type; null where there is none
 */
export function isGenuineCall(
  type: string,
  kind: 'presses' | 'events',
  call: ServiceCall,
  fields: OpenFields | null,
): boolean {
  const proof = isChannel(type) ? channelOf(type)[kind] : undefined;
  if (!proof) return false;
  const isAsked = fields !== null && hasAllOf(proof, fields);
  return proof.isGenuine(call, isAsked ? fields : nobodysFields(proof)) && isAsked;
}

function nobodysFields({ needs }: Proof): OpenFields {
  return Object.fromEntries(needs.map((name) => [name, randomBytes(32).toString('hex')]));
}
