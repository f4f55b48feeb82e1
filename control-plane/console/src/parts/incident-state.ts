import type { ShownState } from './state.js';

/** What decides how an incident looks, as in the API. */
export interface ShownIncident {
  isClosed: boolean;
  ended: string | null;
  severity: 'down' | 'partial' | 'warning';
  worstSeverity: 'down' | 'partial' | 'warning';
}

export const INCIDENT_KINDS = {
  Availability: 'Availability',
  SslExpiry: 'Certificate',
  Latency: 'Latency',
  Dns: 'DNS',
  Heartbeat: 'Heartbeat',
} as const;

export const INCIDENT_STATES = { down: 'unavailable', partial: 'partial', warning: 'degraded' } as const;

const WAS = { down: ', was down', partial: ', was partly down', warning: '' } as const;

/** @returns the state that an incident is shown in, and its word */
export function incidentState(incident: ShownIncident): { state: ShownState; word?: string } {
  const { isClosed, ended, severity, worstSeverity } = incident;
  if (isClosed || ended !== null)
    return { state: 'available', word: `${isClosed ? 'Closed' : 'Recovered'}${WAS[worstSeverity]}` };
  return { state: INCIDENT_STATES[severity] };
}
