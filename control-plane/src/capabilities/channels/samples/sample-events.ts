import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ALERT_EVENT_TYPES, type AlertEventType } from '../alert-event.js';
import type { IncidentSummary, MonitorSummary, NotifiedEvent } from '../messages/alert-message.js';

/** The id of all that exists in samples only. */
export const SAMPLE_ID = '00000000-0000-7000-8000-000000000000';
const LASTED_MS = 7 * MINUTE_MS;
const REGION = 'northeurope';

export const SAMPLE_MONITOR: MonitorSummary = {
  id: SAMPLE_ID,
  name: 'Example shop',
  url: 'https://shop.example/',
  monitorTypes: ['HttpAvailability'],
};

const OTHER_ID = '00000000-0000-7000-8000-000000000001';

export type SampleEvent = NotifiedEvent & { type: AlertEventType };

/**
 * Makes one event of each type about a monitor: an outage of seven minutes, and what else groups are notified of.
 * @param about with an incident in place of the invented one
 */
export function sampleEvents(
  about: { workspaceId: string; workspaceName: string; monitor: MonitorSummary; incident?: IncidentSummary | null },
  nowMs: number,
): SampleEvent[] {
  const { workspaceId, workspaceName, monitor, incident = null } = about;
  const details = sampleDetails(nowMs);
  return ALERT_EVENT_TYPES.map((type) => ({
    id: SAMPLE_ID,
    workspaceId,
    type,
    atMs: nowMs,
    detail: details[type] ?? {},
    subject: {
      workspaceName,
      monitor,
      incident: type.startsWith('incident.')
        ? inState(sampleIncident(workspaceId, monitor, type, nowMs), incident)
        : null,
      person: type === 'incident.acknowledged' || type === 'incident.note_added' ? 'Alex Example' : null,
    },
  }));
}

/** Makes what a digest contains: the incident of samples that opens, and one of an invented monitor. */
export function sampleDigest(events: readonly SampleEvent[]): [SampleEvent, SampleEvent] {
  const opened = events.find(({ type }) => type === 'incident.opened')!;
  const monitor = { ...SAMPLE_MONITOR, id: OTHER_ID, name: 'Example API' };
  const incident = { ...opened.subject.incident!, id: OTHER_ID, monitorId: OTHER_ID, monitorName: monitor.name };
  return [opened, { ...opened, id: OTHER_ID, subject: { ...opened.subject, monitor, incident } }];
}

function sampleIncident(
  workspaceId: string,
  monitor: MonitorSummary,
  type: AlertEventType,
  nowMs: number,
): IncidentSummary {
  const isClosed = type === 'incident.resolved';
  const started = new Date(type === 'incident.opened' ? nowMs : nowMs - LASTED_MS).toISOString();
  return {
    id: SAMPLE_ID,
    workspaceId,
    monitorId: monitor.id,
    monitorName: monitor.name,
    incidentType: 'Availability',
    status: isClosed ? 'Resolved' : 'Ongoing',
    isClosed,
    severity: 'down',
    worstSeverity: 'down',
    dependentCount: 0,
    regions: [REGION],
    acknowledged: type === 'incident.acknowledged',
    started,
    ended: isClosed ? new Date(nowMs).toISOString() : null,
    failureReason: 'The server answered 503 where 200 to 299 was expected.',
    created: started,
    lastModified: new Date(nowMs).toISOString(),
  };
}

function inState(sample: IncidentSummary, incident: IncidentSummary | null): IncidentSummary {
  if (incident === null) return sample;
  const { status, isClosed, acknowledged, ended } = sample;
  return { ...incident, status, isClosed, acknowledged, ended: ended === null ? null : (incident.ended ?? ended) };
}

function sampleDetails(nowMs: number): Partial<Record<AlertEventType, Record<string, unknown>>> {
  return {
    'incident.updated': { change: 'relapsed' },
    'incident.note_added': { note: 'The load balancer was restarted.' },
    'monitor.certificate_expiring': {
      region: REGION,
      thresholdDays: 14,
      daysUntilExpiry: 13,
      certificate: {
        subject: 'CN=shop.example',
        issuer: 'CN=Example CA',
        serialNumber: '0A',
        validFrom: new Date(nowMs - 76 * DAY_MS).toISOString(),
        validTo: new Date(nowMs + 13 * DAY_MS + DAY_MS / 2).toISOString(),
        fingerprint256: Array(32).fill('00').join(':'),
      },
    },
    'monitor.domain_expiring': {
      domain: 'shop.example',
      thresholdDays: 14,
      daysUntilExpiry: 13,
      expiresAt: new Date(nowMs + 13 * DAY_MS + DAY_MS / 2).toISOString(),
      registrar: 'Example Registrar',
    },
    'monitor.dns_changed': {
      region: REGION,
      changes: [{ type: 'A', added: ['192.0.2.20'], removed: ['192.0.2.10'] }],
      records: { A: ['192.0.2.20'] },
      resolver: null,
    },
  };
}
