import { Webhook } from 'standardwebhooks';
import { lengthText } from '@watchpost/shared/design/texts';
import type { AlertMessage, IncidentSummary, Notification, NotifiedEvent } from './messages/alert-message.js';
import type { MessageLinks } from './sending/channels.js';

/** The fields of the detail that are internal. */
const INTERNAL = new Set([
  'minor',
  'actorId',
  'groupName',
  'groupId',
  'groupIds',
  'exceptGroupId',
  'hasWaited',
  'person',
]);

/**
 * Returns what a webhook contains: `{ type, timestamp, data }`, the same at every attempt. The items of a digest are what the
 * webhooks of its events would contain, in their order.
 * @param message where a template made it, its text is contained too
 */
export function bodyOf(
  [{ event }, ...others]: readonly [Notification, ...Notification[]],
  links: Pick<MessageLinks, 'evidenceUrl'>,
  message?: AlertMessage,
) {
  const first = webhookContent(event, links);
  const items = [first, ...others.map((one) => webhookContent(one.event, links))];
  const { type, timestamp, data } =
    others.length === 0
      ? first
      : { type: 'digest', timestamp: items.at(-1)!.timestamp, data: { workspaceId: event.workspaceId, items } };
  const text = message?.byTemplate && { message: { title: message.title, body: message.sentences.join('\n') } };
  return { type, timestamp, data: { ...data, ...text } };
}

export function webhookContent(
  { type, atMs, workspaceId, subject, detail }: NotifiedEvent,
  { evidenceUrl }: Pick<MessageLinks, 'evidenceUrl'>,
) {
  const shown = Object.fromEntries(Object.entries(detail).filter(([name]) => !INTERNAL.has(name)));
  // Of an incident that was closed because somebody paused or deleted its monitor.
  if (type === 'incident.resolved' && shown['reason'] !== undefined && subject.person !== null)
    shown['person'] = subject.person;
  return {
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
  };
}

/** Returns an incident in the form of lists in the interface. */
function incidentAsShown(incident: IncidentSummary, atMs: number) {
  const { started, ended, created, lastModified, acknowledgedByName: _, ...rest } = incident;
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
 * Returns the three headers of Standard Webhooks.
 * @param nowMs the time of this attempt: receivers refuse old messages
 * @param secrets each adds a signature; receivers accept the message if any is valid
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
