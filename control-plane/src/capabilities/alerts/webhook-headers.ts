import { headerFaults, type HeaderFault } from '../monitors/index.js';

/** What the service says about the message itself, Standard Webhooks' three among it. */
const OWN = /^(?:content-.*|webhook-.*)$/i;

/** Everything that is wrong with headers that are to go with a webhook. */
export function webhookHeaderFaults(headers: Readonly<Record<string, string>>): HeaderFault[] {
  const own = Object.keys(headers).filter((name) => OWN.test(name));
  return [
    ...headerFaults(headers),
    ...own.map((name) => ({ name, message: 'is set by the service itself and cannot be given' })),
  ];
}
