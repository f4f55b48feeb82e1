import type { IncidentType, Severity } from '@watchpost/shared/incident-types';
import type { PathEvidence } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { TimelineEvent } from '../timeline/index.js';
import type { EvidenceContext } from './incident-evidence-schemas.js';

export const INCIDENT_STATUSES = ['Ongoing', 'Investigating', 'Resolved'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

/** Orders of a list of incidents. */
export const INCIDENT_SORTS = ['-started', 'severity'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

/** A failure of a monitor, with what its incident has of it, or the incident that explains it. */
export interface MonitorFailure {
  workspaceId: string;
  monitorKey: number;
  monitorId: string;
  monitorName: string;
  incidentType: IncidentType;
  severity: Severity;
  regions: Region[];
  /** The sentence of the first failing result. */
  failureReason: string;
  context: EvidenceContext;
}

/** A change of an open incident. It has no effect on a closed one. */
interface IncidentChange {
  workspaceId: string;
  incidentId: string;
  atMs: number;
  /** During maintenance: nobody is notified. */
  isSilent?: boolean;
  events: TimelineEvent[];
}

/** What a verdict changes about an incident, in the transaction in which it was reached. */
export type IncidentCommand =
  | (MonitorFailure & {
      kind: 'open';
      atMs: number;
      /** When it began, `atMs` or before; absent: at `atMs`. */
      startedMs?: number;
      /** Further timeline events; the `opened` event with `openedDetail` is always written first. */
      events: TimelineEvent[];
      /** For example `{ earlierIncidentId }` for a relapse within five minutes of an automatic close. */
      openedDetail: Record<string, unknown>;
    })
  /** Regions failed or recovered, the severity changed, or there are events. */
  | (IncidentChange & { kind: 'update'; regions: Region[]; severity: Severity })
  /** Recovered: sets `ended`, and closes with `autoClose`; without it, the status becomes Investigating. */
  | (IncidentChange & { kind: 'recover'; autoClose: boolean })
  /** Failing again after a recovery, while the incident waits for a person to close it: clears `ended`. */
  | (IncidentChange & { kind: 'relapse'; regions: Region[]; severity: Severity })
  /** The monitor is paused, disabled or deleted, by `closing.actorId`, or no longer checks for it: closes the incident. */
  | {
      kind: 'stop';
      workspaceId: string;
      incidentId: string;
      closing: TimelineEvent & { detail: { reason: string } };
      atMs: number;
      isSilent?: boolean;
    }
  /** The incident explains the failure of a monitor that depends on its monitor. Nobody is notified of that failure. */
  | (MonitorFailure & { kind: 'attach'; incidentId: string; atMs: number })
  /** It no longer does: the dependent recovered, or its failure opens an incident by another command. */
  | {
      kind: 'detach';
      workspaceId: string;
      incidentId: string;
      monitorKey: number;
      incidentType: IncidentType;
      atMs: number;
      /** The incident that it fails again in; null also where another command opens one. */
      ownIncidentId: string | null;
    };

/** The state of the newest incident of a monitor and type. */
export interface CurrentIncident {
  id: string;
  monitorKey: number;
  incidentType: IncidentType;
  isClosed: boolean;
  /** null while it is open, and where the service closed it. */
  closedBy: string | null;
  startedMs: number;
  endedMs: number | null;
}

export interface OpenedIncident {
  monitorKey: number;
  incidentType: IncidentType;
  incidentId: string;
}

/** The path to an address to which the check with this key could not connect. */
export interface FailurePath {
  monitorKey: number;
  region: Region;
  /** ISO 8601. */
  scheduledAt: string;
  message: string;
  path: PathEvidence;
}
