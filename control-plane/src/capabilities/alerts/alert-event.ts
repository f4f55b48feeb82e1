export const ALERT_EVENT_TYPES = [
  'incident.opened',
  'incident.acknowledged',
  'incident.updated',
  'incident.resolved',
  'incident.note_added',
  'monitor.certificate_expiring',
  'monitor.dns_changed',
] as const;
export type AlertEventType = (typeof ALERT_EVENT_TYPES)[number];

/** Something that the groups of a monitor hear of. */
export interface AlertEvent {
  workspaceId: string;
  monitorKey: number;
  type: AlertEventType;
  /** null for what is no incident's. */
  incidentId: string | null;
  /** When it happened, ms since the epoch. */
  atMs: number;
  /** What the message says beyond monitor and incident: a note's text, a certificate's end, records added and removed. */
  detail: Record<string, unknown>;
}

/** The detail of `monitor.certificate_expiring`: the certificate as it was checked. */
export interface CertificateExpiringDetail {
  region: string;
  /** The threshold that was crossed. */
  thresholdDays: number;
  /** Rounded down: negative once it has expired. */
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

/** The detail of `monitor.dns_changed`. */
export interface DnsChangedDetail {
  region: string;
  changes: readonly { type: string; added: readonly string[]; removed: readonly string[] }[];
  records: unknown;
  resolver: string | null;
}
