export const ALERT_EVENT_TYPES = [
  'incident.opened',
  'incident.acknowledged',
  'incident.updated',
  'incident.resolved',
  'incident.note_added',
  'monitor.certificate_expiring',
  'monitor.dns_changed',
  'monitor.domain_expiring',
] as const;
export type AlertEventType = (typeof ALERT_EVENT_TYPES)[number];

/** Events of a private location, of which the groups that it names are notified. */
export type LocationEventType = 'location.silent' | 'location.back';

/** All that a message can be about. */
export type NotifiedEventType = AlertEventType | LocationEventType | 'test' | 'confirmation';

export interface AlertEvent {
  workspaceId: string;
  monitorKey: number;
  type: AlertEventType;
  /** null where the event belongs to no incident. */
  incidentId: string | null;
  /** When it happened, ms since the epoch. */
  atMs: number;
  /** What the message contains beside monitor and incident, such as the text of a note or the records that changed. */
  detail: Record<string, unknown>;
  /** During maintenance: nobody is notified, and paging begins or stops all the same. */
  isSilent?: boolean;
}

export interface CertificateExpiringDetail {
  region: string;
  thresholdDays: number;
  /** Rounded down; negative after the expiry. */
  daysUntilExpiry: number;
  certificate: {
    subject: string;
    issuer: string;
    serialNumber: string;
    validFrom: string;
    /** ISO 8601. */
    validTo: string;
    fingerprint256: string;
  };
}

export interface DomainExpiringDetail {
  domain: string;
  thresholdDays: number;
  /** Rounded down; negative after the expiry. */
  daysUntilExpiry: number;
  /** ISO 8601. */
  expiresAt: string;
  registrar: string | null;
}

export interface DnsChangedDetail {
  region: string;
  changes: readonly { type: string; added: readonly string[]; removed: readonly string[] }[];
  records: unknown;
  resolver: string | null;
}
