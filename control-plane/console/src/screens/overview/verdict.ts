import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { State } from '../../parts/state.js';

export interface VerdictPart {
  text: string;
  state: State;
  /** The monitors that it counts, as the list filters them; undefined for all. */
  filter: string | undefined;
}

/** The state of a workspace, in the parts of a sentence: what is wrong first, and nothing that is zero. */
export function verdictParts(counts: Overview['counts']): VerdictPart[] {
  const { available, degraded, unavailable, unknown, maintenance, paused, total } = counts;
  const watched = total - paused;
  if (total === 0) return [{ text: 'Nothing is monitored yet', state: 'unknown', filter: undefined }];
  if (watched === 0) {
    const text = total === 1 ? 'The only monitor is paused' : `All ${number(total)} monitors are paused`;
    return [{ text, state: 'paused', filter: 'paused' }];
  }
  const all = available === watched;
  const parts = [
    { count: unavailable, text: 'down', state: 'unavailable', filter: 'down' },
    { count: degraded, text: 'degraded', state: 'partial', filter: 'degraded' },
    { count: unknown, text: 'unknown', state: 'unknown', filter: 'unknown' },
    { count: maintenance, text: 'in maintenance', state: 'maintenance', filter: 'maintenance' },
    { count: available, text: 'available', state: 'available', filter: 'available' },
    // Only where nothing is wrong: it is no news beside an outage.
    { count: all ? paused : 0, text: 'paused', state: 'paused', filter: 'paused' },
  ] as const;
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, text, state, filter }, index) => ({
      text: `${all && index === 0 && count > 1 ? 'All ' : ''}${number(count)} ${text}`,
      state,
      filter,
    }));
}

export function verdictSentence(counts: Overview['counts']): string {
  return verdictParts(counts)
    .map(({ text }) => text)
    .join(', ');
}

function number(count: number): string {
  return count.toLocaleString('en-GB');
}
