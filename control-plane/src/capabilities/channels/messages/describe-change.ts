import { INCIDENT_WORDS, SEVERITY_WORDS } from '@watchpost/shared/incident-types';
import { regionPlaces } from '@watchpost/shared/region';
import { fullDayText, lengthText, momentText } from '@watchpost/shared/design/texts';
import { closingWords } from '../../../platform/pages/closing-words.js';
import type { CertificateExpiringDetail, DnsChangedDetail, DomainExpiringDetail } from '../alert-event.js';
import type { AlertMessage, IncidentSummary, NotifiedEvent } from './alert-message.js';

interface ChangeDescription {
  tone: AlertMessage['tone'];
  /** A few words, with which the title begins. */
  headline: string;
  sentences: string[];
}

/** Recognises a sentence that asks the reader to acknowledge, which a mail without a link for it leaves out. */
export function asksToAcknowledge(sentence: string): boolean {
  return sentence.startsWith('Acknowledge the incident');
}

export function describeChange(event: NotifiedEvent): ChangeDescription {
  const { type, subject, detail } = event;
  const by = subject.person === null ? '' : ` by ${subject.person}`;
  const { incident } = subject;
  switch (type) {
    case 'test':
      return {
        tone: 'info',
        headline: 'Test',
        sentences: ['This is a test notification. Notifications about incidents are sent here too. Nothing is wrong.'],
      };
    case 'confirmation':
      return {
        tone: 'info',
        headline: 'Confirmation',
        sentences: ['It confirms that alerts may be sent here. If you do not expect this, do not share the code.'],
      };
    case 'location.silent':
      return {
        tone: 'warning',
        headline: 'Private location silent',
        sentences: [
          text(detail.why),
          'What only this location checks is not known until it is back; no incident opens.',
        ],
      };
    case 'location.back':
      return { tone: 'good', headline: 'Private location back', sentences: ['Its checks are made again.'] };
    case 'monitor.certificate_expiring':
      return describeCertificate(event);
    case 'monitor.domain_expiring':
      return describeDomain(event);
    case 'monitor.dns_changed':
      return {
        tone: 'warning',
        headline: 'DNS changed',
        sentences: ['The DNS records changed.', ...recordsOf(detail)],
      };
    case 'incident.opened':
      return incident ? describeOpened(incident, detail) : describeUnknown('Incident');
    case 'incident.acknowledged':
      return {
        tone: 'info',
        headline: 'Acknowledged',
        sentences: [`The incident was acknowledged${by}: somebody works on it.`],
      };
    case 'incident.note_added':
      return { tone: 'info', headline: 'Note', sentences: [`A note was added${by}:`, text(detail.note)] };
    case 'incident.resolved':
      return describeResolved(event, by);
    case 'incident.updated':
      return describeUpdated(event, by);
  }
}

function describeOpened(incident: IncidentSummary, { groupId, hasWaited }: Record<string, unknown>): ChangeDescription {
  const since = momentText(Date.parse(incident.started));
  const where = incident.regions.length === 0 ? '' : `, seen from ${regionPlaces(incident.regions)}`;
  return {
    tone: toneOfProblem(incident),
    headline: nameProblem(incident),
    sentences: [
      `Since ${since}${where}.`,
      incident.failureReason,
      ...(groupId === undefined || hasWaited === true ? [] : ['It was open before you were to be notified of it.']),
      incident.acknowledged
        ? 'It is acknowledged: somebody works on it.'
        : 'Acknowledge the incident, so that others know that you work on it.',
    ],
  };
}

function describeResolved({ atMs, detail, subject }: NotifiedEvent, by: string): ChangeDescription {
  const { incident } = subject;
  if (!incident) return describeUnknown('Closed');
  const endMs = incident.ended === null ? atMs : Date.parse(incident.ended);
  const lasted = `It lasted ${lengthText(endMs - Date.parse(incident.started), 'second')}.`;
  if (typeof detail.reason === 'string')
    return {
      tone: 'info',
      headline: 'Closed',
      sentences: [`The incident was ${closingWords(detail.reason, subject.person)}.`, lasted],
    };
  // The person may have deleted the account since.
  if (by !== '' || detail['actorId'] !== undefined)
    return { tone: 'good', headline: 'Resolved', sentences: [`The incident was closed${by}.`, lasted] };
  return { tone: 'good', headline: 'Recovered', sentences: [`All is well again. ${lasted}`] };
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
        headline: 'Recovered',
        sentences: [`All is well again, after ${elapsed}.`, 'The incident stays open until somebody closes it.'],
      };
    case 'relapsed':
      return {
        tone: 'bad',
        headline: `${nameProblem(incident)} again`,
        sentences: ['It fails again.', incident.failureReason],
      };
    case 'reminded':
      return {
        tone: toneOfProblem(incident),
        headline: `Still ${nameProblem(incident).replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}`,
        sentences: [`It has lasted ${elapsed}, and nobody has acknowledged it.`, incident.failureReason],
      };
    case 'unacknowledged':
      return {
        tone: 'warning',
        headline: 'No longer acknowledged',
        sentences: [`The acknowledgement was taken back${by}: nobody is known to work on it.`],
      };
    case 'status':
      return {
        tone: 'info',
        headline: 'Update',
        sentences: [`The status is now ${text(detail.status)}, set${by || ' by the service'}.`],
      };
    default:
      return {
        tone: toneOfProblem(incident),
        headline: nameProblem(incident),
        sentences: [
          `It changed after ${elapsed}.`,
          `It now fails from ${regionPlaces(incident.regions) || 'no region'}.`,
        ],
      };
  }
}

function describeCertificate({ detail }: NotifiedEvent): ChangeDescription {
  const { certificate, daysUntilExpiry: days } = detail as unknown as CertificateExpiringDetail;
  const day = fullDayText(Date.parse(certificate.validTo));
  const renew = 'Renew it, and install the new one on every server that answers for this name.';
  // The days are rounded down: the first day after the expiry is day -1.
  if (days < 0)
    return {
      tone: 'bad',
      headline: 'Certificate expired',
      sentences: [`Certificate expired on ${day} (${dayCount(-days - 1)} ago).`, renew],
    };
  return {
    tone: 'warning',
    headline: `Certificate expires in ${dayCount(days)}`,
    sentences: [`Certificate expires on ${day} (${dayCount(days)} left).`, renew],
  };
}

function describeDomain({ detail }: NotifiedEvent): ChangeDescription {
  const { domain, daysUntilExpiry: days, expiresAt, registrar } = detail as unknown as DomainExpiringDetail;
  const day = fullDayText(Date.parse(expiresAt));
  const renew = `Renew it${registrar === null ? '' : ` at ${registrar}`}.`;
  const left =
    days < 0
      ? `The domain ${domain} expired on ${day}.`
      : `The domain ${domain} expires on ${day} (${dayCount(days)} left).`;
  return {
    tone: days < 0 ? 'bad' : 'warning',
    headline: days < 0 ? 'Domain expired' : `Domain expires in ${dayCount(days)}`,
    sentences: [left, renew],
  };
}

function dayCount(days: number): string {
  if (days === 0) return 'less than a day';
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Lists the first changes; a zone that changed as a whole has too many records for a message. */
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

const describeUnknown = (headline: string): ChangeDescription => ({ tone: 'info', headline, sentences: [] });

export function atWorst({ incidentType, severity, worstSeverity = severity }: IncidentSummary) {
  return { incidentType, severity: worstSeverity };
}

/** The tone of an incident that nobody works on. */
export function toneOfProblem({ severity }: Pick<IncidentSummary, 'severity'>): AlertMessage['tone'] {
  return severity === 'down' ? 'bad' : 'warning';
}

export function nameProblem({ incidentType, severity }: Pick<IncidentSummary, 'incidentType' | 'severity'>): string {
  return incidentType === 'Availability' && severity === 'partial'
    ? SEVERITY_WORDS.partial
    : INCIDENT_WORDS[incidentType].headline;
}
