import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { STATE_LOOKS, type State } from '@watchpost/shared/design/states';
import { untilText } from './format.js';

export type { State };

/** `degraded` looks as `partial` does: every region reaches it, and something is not as it should be. */
export type ShownState = State | 'degraded';

/** What decides the state of a monitor, as in the API. */
export interface WatchedMonitor {
  monitoringStatus: string;
  healthStatus: 'available' | 'unavailable' | 'degraded' | null;
  regions: readonly { status: string }[];
  /** The window that covers it now. */
  maintenance: { until: string } | null;
}

/** @returns the state that a monitor is shown in */
export function stateOf({ monitoringStatus, healthStatus, regions, maintenance }: WatchedMonitor): ShownState {
  if (monitoringStatus !== 'enabled') return 'paused';
  if (maintenance !== null) return 'maintenance';
  if (healthStatus === null) return 'unknown';
  if (healthStatus !== 'degraded') return healthStatus;
  return regions.some(({ status }) => status === 'unavailable') ? 'partial' : 'degraded';
}

/** The word of its state: `Maintenance until 14:05`. */
export function stateWord(monitor: WatchedMonitor): string {
  const state = stateOf(monitor);
  return state === 'maintenance' ? `${wordOf(state)} ${untilText(monitor.maintenance!.until)}` : wordOf(state);
}

export function wordOf(state: ShownState): string {
  return state === 'degraded' ? 'Degraded' : STATE_LOOKS[state].word;
}

/** The state whose colour and mark it has. */
export function lookOf(state: ShownState): State {
  return state === 'degraded' ? 'partial' : state;
}

type ShownIncident = Pick<IncidentSummary, 'isClosed' | 'ended' | 'severity' | 'worstSeverity'>;

export const INCIDENT_STATES = { down: 'unavailable', partial: 'partial', warning: 'degraded' } as const;

const WAS = { down: ', was down', partial: ', was partly down', warning: '' } as const;

/** @returns the state that an incident is shown in, and its word */
export function incidentState(incident: ShownIncident): { state: ShownState; word?: string } {
  const { isClosed, ended, severity, worstSeverity } = incident;
  if (isClosed || ended !== null)
    return { state: 'available', word: `${isClosed ? 'Closed' : 'Recovered'}${WAS[worstSeverity]}` };
  return { state: INCIDENT_STATES[severity] };
}
