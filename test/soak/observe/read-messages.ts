import type { Message } from '../judge/observation.js';
import type { ReceivedMail } from '../../support/mail-server.js';
import type { ReceivedCall } from '../../support/webhook-receiver.js';

/** Returns what receivers took about incidents: webhooks that were answered with success, and mails. */
export function readMessages(taken: readonly ReceivedCall[], mails: readonly ReceivedMail[]): Message[] {
  const messages = [...taken.map(readCall), ...mails.map(readMail)];
  return messages.filter((message) => message !== undefined);
}

function readCall({ body, headers, atMs }: ReceivedCall): Message | undefined {
  const { type, data } = JSON.parse(body) as { type: string; data: { incident?: { id: string } } };
  if (!data.incident) return undefined;
  const messageId = headers['webhook-id']!;
  return { channel: 'webhook', messageId, incidentId: data.incident.id, type, atMs: performance.timeOrigin + atMs };
}

function readMail({ headers, raw }: ReceivedMail): Message | undefined {
  const incidentId = /<incident-([0-9a-f-]{36})@/.exec(headers['references'] ?? '')?.[1];
  if (incidentId === undefined) return undefined;
  const type = typeOfMail(headers['subject'] ?? '', raw);
  return { channel: 'mail', messageId: headers['message-id']!, incidentId, type, atMs: Date.parse(headers['date']!) };
}

/** A mail does not name its type; its headline and its sentences do. */
function typeOfMail(subject: string, raw: string): string {
  if (/^(?:Recovered|Resolved|Closed)/.test(subject)) return 'incident.resolved';
  return / again: |^Update/.test(subject) || raw.includes('It changed after') ? 'incident.updated' : 'incident.opened';
}
