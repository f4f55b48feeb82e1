import { headerFaults, type HeaderFault, MASK } from '../monitors/index.js';

/** Nearly every header that is added to a webhook is there to prove who sends it. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token/i;
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

export interface SplitHeaders {
  /** As they are shown. */
  headers: Record<string, string>;
  /** By lower-case name. */
  secrets: Record<string, string>;
  /** Secrets given masked, of which none is stored. */
  unknown: string[];
}

/** Takes the secrets out of headers as a caller gave them; a masked one keeps what is stored under its name. */
export function splitWebhookHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): SplitHeaders {
  const shown: [string, string][] = [];
  const secrets: [string, string][] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    const isSecret = SECRET_NAME.test(name);
    shown.push([name, isSecret ? MASK : value]);
    if (!isSecret) continue;
    if (value !== MASK) secrets.push([lower, value]);
    else if (Object.hasOwn(stored, lower)) secrets.push([lower, stored[lower]!]);
    else unknown.push(name);
  }
  return { headers: Object.fromEntries(shown), secrets: Object.fromEntries(secrets), unknown };
}
