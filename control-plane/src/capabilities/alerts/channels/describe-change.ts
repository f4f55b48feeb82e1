import { fullDayText, lengthText, momentText } from '../../../platform/pages/moment-text.js';
import type { CertificateExpiringDetail, DnsChangedDetail } from '../alert-event.js';
import type { AlertMessage, IncidentSummary, NotifiedEvent } from './alert-message.js';

interface ChangeDescription {
  tone: AlertMessage['tone'];
  what: string;
  sentences: string[];
}

/** What an event says: two words, and a few sentences. */
export function describeChange(event: NotifiedEvent): ChangeDescription {
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
      return describeCertificate(event);
    case 'monitor.dns_changed':
      return { tone: 'warning', what: 'DNS changed', sentences: ['The DNS records changed.', ...recordsOf(detail)] };
    case 'incident.opened':
      return incident ? describeOpened(incident) : describeUnknown('Incident');
    case 'incident.acknowledged':
      return {
        tone: 'info',
        what: 'Acknowledged',
        sentences: [`The incident was acknowledged${by}: somebody works on it.`],
      };
    case 'incident.note_added':
      return { tone: 'info', what: 'Note', sentences: [`A note was added${by}:`, text(detail.note)] };
    case 'incident.resolved':
      return describeResolved(event, by);
    case 'incident.updated':
      return describeUpdated(event, by);
  }
}

function describeOpened(incident: IncidentSummary): ChangeDescription {
  const since = momentText(Date.parse(incident.started));
  const where = incident.regions.length === 0 ? '' : `, seen from ${incident.regions.join(', ')}`;
  return {
    tone: incident.severity === 'down' ? 'bad' : 'warning',
    what: nameProblem(incident),
    sentences: [
      `Since ${since}${where}.`,
      incident.failureReason,
      'Acknowledge the incident, so that others know that you work on it.',
    ],
  };
}

function describeResolved({ atMs, detail, subject }: NotifiedEvent, by: string): ChangeDescription {
  const { incident } = subject;
  if (!incident) return describeUnknown('Closed');
  const endMs = incident.ended === null ? atMs : Date.parse(incident.ended);
  const lasted = `It lasted ${lengthText(endMs - Date.parse(incident.started), 'second')}.`;
  if (typeof detail.reason === 'string')
    return { tone: 'info', what: 'Closed', sentences: [`The incident was closed. ${detail.reason}`, lasted] };
  if (by !== '') return { tone: 'good', what: 'Resolved', sentences: [`The incident was closed${by}.`, lasted] };
  return { tone: 'good', what: 'Recovered', sentences: [`All is well again. ${lasted}`] };
}

function describeUpdated({ atMs, detail, subject }: NotifiedEvent, by: string): ChangeDescription {
  const { incident } = subject;
  if (!incident) return describeUnknown('Update');
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
        what: `${nameProblem(incident)} again`,
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
        what: nameProblem(incident),
        sentences: [`It changed after ${elapsed}.`, `It now fails from ${incident.regions.join(', ') || 'no region'}.`],
      };
  }
}

function describeCertificate({ detail }: NotifiedEvent): ChangeDescription {
  const { certificate, daysUntilExpiry: days } = detail as unknown as CertificateExpiringDetail;
  const day = fullDayText(Date.parse(certificate.validTo));
  const renew = 'Renew it, and install the new one on every server that answers for this name.';
  // Rounded down: the first day after the end is day -1.
  if (days < 0)
    return {
      tone: 'bad',
      what: 'Certificate expired',
      sentences: [`Certificate expired on ${day} (${dayCount(-days - 1)} ago).`, renew],
    };
  return {
    tone: 'warning',
    what: `Certificate expires in ${dayCount(days)}`,
    sentences: [`Certificate expires on ${day} (${dayCount(days)} left).`, renew],
  };
}

function dayCount(days: number): string {
  if (days === 0) return 'less than a day';
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** A few of the changes: a zone that changed as a whole is not listed record by record. */
function recordsOf(detail: Record<string, unknown>): string[] {
  const { changes } = detail as unknown as DnsChangedDetail;
  return changes.slice(0, 10).flatMap(({ type, added, removed }) => {
    const list = (sign: string, values: readonly string[]) =>
      values.slice(0, 10).map((value) => `${sign} ${type} ${text(value)}`);
    return [...list('added', added), ...list('removed', removed)];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

const describeUnknown = (what: string): ChangeDescription => ({ tone: 'info', what, sentences: [] });

const TROUBLE: Readonly<Record<IncidentSummary['incidentType'], string>> = {
  Availability: 'Down',
  SslExpiry: 'Certificate at fault',
  Latency: 'Slow',
  Dns: 'DNS at fault',
};

/** What is wrong with the monitor, in a word or two. */
export function nameProblem({ incidentType, severity }: Pick<IncidentSummary, 'incidentType' | 'severity'>): string {
  return incidentType === 'Availability' && severity === 'partial' ? 'Partly down' : TROUBLE[incidentType];
}
