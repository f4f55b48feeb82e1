import type { AlertMessage, IncidentSummary, ToldEvent } from './alert-message.js';
import { nameTrouble } from './name-trouble.js';
import { lengthText, momentText } from '../../web/moment-text.js';

interface Said {
  tone: AlertMessage['tone'];
  what: string;
  sentences: string[];
}

/** What an event says: two words, and a few sentences. */
export function describeChange(event: ToldEvent): Said {
  const { type, subject, detail } = event;
  const by = subject.person === null ? '' : ` by ${subject.person}`;
  const { incident } = subject;
  switch (type) {
    case 'test':
      return {
        tone: 'info',
        what: 'Test',
        sentences: ['This is a test notification. Whoever reads it hears of incidents here too; nothing is wrong.'],
      };
    case 'confirmation':
      return {
        tone: 'info',
        what: 'Confirmation',
        sentences: ['It confirms that alerts may be sent to this number. If you do not expect this, tell nobody.'],
      };
    case 'monitor.certificate_expiring':
      return sayCertificate(event);
    case 'monitor.dns_changed':
      return { tone: 'warning', what: 'DNS changed', sentences: ['The DNS records changed.', ...recordsOf(detail)] };
    case 'incident.opened':
      return incident ? sayOpened(incident) : nothingKnown('Incident');
    case 'incident.acknowledged':
      return {
        tone: 'info',
        what: 'Acknowledged',
        sentences: [`The incident was acknowledged${by}: somebody works on it.`],
      };
    case 'incident.note_added':
      return { tone: 'info', what: 'Note', sentences: [`A note was added${by}:`, text(detail.note)] };
    case 'incident.resolved':
      return sayResolved(event, by);
    case 'incident.updated':
      return sayUpdated(event, by);
  }
}

function sayOpened(incident: IncidentSummary): Said {
  const since = momentText(Date.parse(incident.started));
  const where = incident.regions.length === 0 ? '' : `, seen from ${incident.regions.join(', ')}`;
  return {
    tone: incident.severity === 'down' ? 'bad' : 'warning',
    what: nameTrouble(incident),
    sentences: [
      `Since ${since}${where}.`,
      incident.failureReason,
      'Acknowledge the incident, so that others know that you work on it.',
    ],
  };
}

function sayResolved({ atMs, detail, subject }: ToldEvent, by: string): Said {
  const { incident } = subject;
  if (!incident) return nothingKnown('Closed');
  const endMs = incident.ended === null ? atMs : Date.parse(incident.ended);
  const lasted = `It lasted ${lengthText(endMs - Date.parse(incident.started), 'second')}.`;
  if (typeof detail.reason === 'string')
    return { tone: 'info', what: 'Closed', sentences: [`The incident was closed. ${detail.reason}`, lasted] };
  if (by !== '') return { tone: 'good', what: 'Resolved', sentences: [`The incident was closed${by}.`, lasted] };
  return { tone: 'good', what: 'Recovered', sentences: [`All is well again. ${lasted}`] };
}

function sayUpdated({ atMs, detail, subject }: ToldEvent, by: string): Said {
  const { incident } = subject;
  if (!incident) return nothingKnown('Update');
  const elapsed = lengthText(
    (incident.ended === null ? atMs : Date.parse(incident.ended)) - Date.parse(incident.started),
    'second',
  );
  switch (detail.change) {
    case 'recovered':
      return {
        tone: 'good',
        what: 'Recovered',
        sentences: [`All is well again, after ${elapsed}.`, 'The incident stays open until somebody closes it.'],
      };
    case 'relapsed':
      return {
        tone: 'bad',
        what: `${nameTrouble(incident)} again`,
        sentences: ['It fails again.', incident.failureReason],
      };
    case 'unacknowledged':
      return {
        tone: 'warning',
        what: 'No longer acknowledged',
        sentences: [`The acknowledgement was taken back${by}: nobody is known to work on it.`],
      };
    case 'status':
      return {
        tone: 'info',
        what: 'Update',
        sentences: [`The status is now ${text(detail.status)}, set${by || ' by the service'}.`],
      };
    default:
      return {
        tone: incident.severity === 'down' ? 'bad' : 'warning',
        what: nameTrouble(incident),
        sentences: [`It changed after ${elapsed}.`, `It now fails from ${incident.regions.join(', ') || 'no region'}.`],
      };
  }
}

function sayCertificate({ detail }: ToldEvent): Said {
  const days = typeof detail.daysUntilExpiry === 'number' ? detail.daysUntilExpiry : null;
  const when = days === null ? 'soon' : days < 0 ? 'already' : `in ${days} ${days === 1 ? 'day' : 'days'}`;
  return {
    tone: 'warning',
    what: days !== null && days < 0 ? 'Certificate expired' : `Certificate expires ${when}`,
    sentences: [
      typeof detail.validTo === 'string'
        ? `The certificate is valid until ${detail.validTo}.`
        : 'The certificate runs out.',
      'Renew it, and install the new one on every server that answers for this name.',
    ],
  };
}

/** A few of the changes; a zone that changed as a whole is not told record by record. */
function recordsOf({ changes }: Record<string, unknown>): string[] {
  if (!Array.isArray(changes)) return [];
  return (changes as unknown[]).slice(0, 10).flatMap((change) => {
    if (typeof change !== 'object' || change === null) return [];
    const { type, added, removed } = change as Record<string, unknown>;
    const list = (sign: string, values: unknown) =>
      Array.isArray(values)
        ? (values as unknown[]).slice(0, 10).map((value) => `${sign} ${text(type)} ${text(value)}`)
        : [];
    return [...list('added', added), ...list('removed', removed)];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

const nothingKnown = (what: string): Said => ({ tone: 'info', what, sentences: [] });
