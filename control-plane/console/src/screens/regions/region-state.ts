import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';

/** What the state of a region means for verdicts. */
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
