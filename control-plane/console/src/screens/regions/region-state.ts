import type { State } from '@watchpost/shared/design/states';
import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';

/** A state of a region is shown by colour, shape and word. */
export const REGION_MARKS = {
  healthy: { state: 'available', word: 'Healthy' },
  suspect: { state: 'partial', word: 'Suspect' },
  silent: { state: 'unknown', word: 'Silent' },
} as const;

/** The states of the agents of a private location, the best first, and how it is shown by that of its best agent. */
const AGENT_MARKS = {
  connected: REGION_MARKS.healthy,
  outdated: { state: 'partial', word: 'Outdated' },
  blind: { state: 'unknown', word: 'Blind' },
  silent: REGION_MARKS.silent,
  waiting: { state: 'unknown', word: 'Waiting' },
} as const;

/** A private location is as its best agent. @param agents the states of its agents */
export function locationMark(agents: readonly (keyof typeof AGENT_MARKS)[]): { state: State; word: string } {
  const best = Object.entries(AGENT_MARKS).find(([state]) => agents.some((agent) => agent === state));
  return best?.[1] ?? { state: 'unknown', word: 'No agent' };
}

export function regionMeaning({ state, since, monitors }: RegionView): string {
  if (state === 'healthy') {
    return monitors === 0 ? 'Ready. No monitor of this workspace uses it.' : 'Counted.';
  }
  if (state === 'suspect') {
    return 'Its failures are probably its own, so they do not count. Its successes do.';
  }
  return since === null
    ? 'No agent was ever connected. Monitors that use only this region stay unknown.'
    : 'No agent is connected. It is left out of verdicts; monitors that use only this region turn unknown.';
}

/** `0.5`, `12`, `1,204`: checks a minute. */
export function rateText(perMinute: number): string {
  return perMinute.toLocaleString('en-GB', { maximumFractionDigits: perMinute < 10 ? 1 : 0 });
}
