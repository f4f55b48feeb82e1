import { STATE_LOOKS, type State } from '@watchpost/shared/design/states';

export type { State };

/** `degraded` looks as `partial` does: every region reaches it, and something is not as it should be. */
export type ShownState = State | 'degraded';

/** What decides the state of a monitor, as in the API. */
export interface WatchedMonitor {
  monitoringStatus: string;
  healthStatus: 'available' | 'unavailable' | 'degraded' | null;
  regions: readonly { status: string }[];
}

/** @returns the state that a monitor is shown in */
export function stateOf({ monitoringStatus, healthStatus, regions }: WatchedMonitor): ShownState {
  if (monitoringStatus !== 'enabled') return 'paused';
  if (healthStatus === null) return 'unknown';
  if (healthStatus !== 'degraded') return healthStatus;
  return regions.some(({ status }) => status === 'unavailable') ? 'partial' : 'degraded';
}

export function wordOf(state: ShownState): string {
  return state === 'degraded' ? 'Degraded' : STATE_LOOKS[state].word;
}

/** The state whose colour and mark it has. */
export function lookOf(state: ShownState): State {
  return state === 'degraded' ? 'partial' : state;
}
