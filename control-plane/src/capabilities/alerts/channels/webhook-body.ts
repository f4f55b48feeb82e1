import { Webhook } from 'standardwebhooks';
import { lengthText } from '../../../platform/pages/moment-text.js';
import type { IncidentSummary, NotifiedEvent } from './alert-message.js';
import type { MessageLinks } from './channels.js';

/** What is ours alone in an event's detail. */
const INTERNAL = new Set(['minor', 'actorId', 'groupName']);

/** The body of a webhook: `{ type, timestamp, data }`, the same at every try. */
export function webhookBody(
  { type, atMs, workspaceId, subject, detail }: NotifiedEvent,
  { evidenceUrl }: Pick<MessageLinks, 'evidenceUrl'>,
): string {
  const shown = Object.fromEntries(Object.entries(detail).filter(([name]) => !INTERNAL.has(name)));
  return JSON.stringify({
    type,
    timestamp: new Date(atMs).toISOString(),
    data: {
      workspaceId,
      monitor: subject.monitor,
      incident: subject.incident && {
        ...incidentAsShown(subject.incident, atMs),
        evidenceUrl: evidenceUrl(subject.incident.id) ?? null,
      },
      ...(Object.keys(shown).length === 0 ? {} : { detail: shown }),
    },
  });
}

/** As the interface shows it in lists. */
function incidentAsShown(incident: IncidentSummary, atMs: number) {
  const { started, ended, created, lastModified, ...rest } = incident;
  const iso = (text: string) => new Date(text).toISOString();
  return {
    ...rest,
    started: iso(started),
    ended: ended === null ? null : iso(ended),
    durationFormatted: lengthText((ended === null ? atMs : Date.parse(ended)) - Date.parse(started), 'second'),
    created: iso(created),
    lastModified: iso(lastModified),
  };
}

/**
 * Standard Webhooks' three headers.
 * @param secrets each signs; receivers take the message where any signature is right
 * @param nowMs of this try: receivers refuse what is old
 */
export function signatureHeaders(
  id: string,
  nowMs: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const at = new Date(nowMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
