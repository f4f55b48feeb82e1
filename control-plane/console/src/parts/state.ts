import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { type NamedState, STATE_LOOKS, type State } from '@watchpost/shared/design/states';
import { SEVERITY_WORDS } from '@watchpost/shared/incident-types';
import { untilText } from './format.js';

export type { State };

/** What decides the state of a monitor, as in the API. */
export interface WatchedMonitor {
  monitoringStatus: string;
  healthStatus: 'available' | 'unavailable' | 'degraded' | null;
  /** The window that covers it now. */
  maintenance: { until: string } | null;
}

/** @returns the state that a monitor is shown in */
export function stateOf({ monitoringStatus, healthStatus, maintenance }: WatchedMonitor): State {
  if (monitoringStatus !== 'enabled') return 'paused';
  if (maintenance !== null) return 'maintenance';
  if (healthStatus === null) return 'unknown';
  return healthStatus === 'degraded' ? 'partial' : healthStatus;
}

/** The word of its state: `Maintenance until 14:05`. */
export function stateWord(monitor: WatchedMonitor): string {
  const state = stateOf(monitor);
  const { word } = STATE_LOOKS[state];
  return state === 'maintenance' ? `${word} ${untilText(monitor.maintenance!.until)}` : word;
}

type ShownIncident = Pick<IncidentSummary, 'isClosed' | 'ended' | 'severity' | 'worstSeverity'>;

/** @returns the state that an incident is shown in, and its word */
export function incidentState({ isClosed, ended, severity, worstSeverity }: ShownIncident): NamedState {
  if (!isClosed && ended === null)
    return { state: severity === 'down' ? 'unavailable' : 'partial', word: SEVERITY_WORDS[severity] };
  const was = worstSeverity === 'warning' ? '' : `, was ${SEVERITY_WORDS[worstSeverity].toLowerCase()}`;
  return { state: 'available', word: `${isClosed ? 'Closed' : 'Recovered'}${was}` };
}

/** The severities to choose from, each with what it is. */
export const SEVERITY_CHOICES = (['down', 'partial', 'warning'] as const).map((value) => ({
  value,
  label: `${SEVERITY_WORDS[value]}${{ down: '', partial: ', in some regions', warning: ', such as a certificate that expires' }[value]}`,
}));
