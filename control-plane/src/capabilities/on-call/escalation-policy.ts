import { type Severity, SEVERITIES } from '@watchpost/shared/incident-types';

/** Whom a step pages. `onCall` without a schedule means the first one of the team. */
export type EscalationTarget =
  | { type: 'onCall'; scheduleId?: string | undefined }
  | { type: 'user'; id: string }
  | { type: 'leads' }
  | { type: 'team' }
  | { type: 'actionGroup'; id: string };

export interface EscalationStep {
  /** The wait after the step before, or after the beginning, as an ISO 8601 duration. */
  after: string;
  targets: EscalationTarget[];
  /** `each`: the next step comes until everybody who was paged by this one has acknowledged. */
  ackRequired: 'one' | 'each';
}

/** The rules by which people are paged while nobody acknowledges an incident. */
export interface EscalationPolicy {
  name: string;
  severities: Severity[];
  steps: EscalationStep[];
  /** The number of rounds after the first one. */
  repeat: number;
  /** The time for which an acknowledgement holds without a note, as an ISO 8601 duration; null: without end. */
  ackTimeout: string | null;
}

/** The policy of teams that have none for the severity of an incident. */
export const BUILT_IN: Readonly<EscalationPolicy> = {
  name: 'Built-in',
  severities: [...SEVERITIES],
  steps: [
    { after: 'PT0S', targets: [{ type: 'onCall' }], ackRequired: 'one' },
    { after: 'PT10M', targets: [{ type: 'onCall' }], ackRequired: 'one' },
    { after: 'PT10M', targets: [{ type: 'leads' }], ackRequired: 'one' },
  ],
  repeat: 0,
  ackTimeout: null,
};
