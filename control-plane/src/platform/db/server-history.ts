import { createHash } from 'node:crypto';

/**
 * The history of a database: the cluster's identifier and its timeline. Promoting a standby begins a new timeline, which
 * may lack the newest transactions of the former one and uses their transaction ids again.
 */
export interface ServerHistory {
  /** '' where the server does not disclose it. */
  cluster: string;
  timeline: number;
}

/** What a server reports about itself. */
export interface ServerState {
  isWritable: boolean;
  /** Null where the server does not disclose it. */
  history: ServerHistory | null;
}

/** A short opaque name of a history; '' for none. */
export function historyId(history: ServerHistory | null): string {
  if (history === null) return '';
  return createHash('sha256').update(`${history.cluster} ${history.timeline}`).digest('base64url').slice(0, 12);
}

/** Whether `history` is an older timeline of the same cluster than `known`: a former primary that does not know of it. */
export function isOutdated(history: ServerHistory | null, known: ServerHistory | null): boolean {
  return history !== null && known !== null && history.cluster === known.cluster && history.timeline < known.timeline;
}

/**
 * Chooses the server to use.
 * @param states of each server; null for one that did not answer
 * @param current the server in use
 * @returns null where no server accepts writes
 */
export function decidePrimary(
  states: readonly (ServerState | null)[],
  current: number | null,
  known: ServerHistory | null,
): number | null {
  let best: number | null = null;
  states.forEach((state, index) => {
    if (!state?.isWritable || isOutdated(state.history, known)) return;
    const chosen = best === null ? null : states[best]!;
    if (chosen === null || isOutdated(chosen.history, state.history)) best = index;
    else if (index === current && !isOutdated(state.history, chosen.history)) best = index;
  });
  return best;
}

/**
 * Decides whether the answers of some servers are enough to choose: one is chosen, and it is the one in use, or follows it on a newer
 * timeline, or none is in use. Otherwise the one in use may be slow, and is not left.
 */
export function isPrimaryFound(...[states, current, known]: Parameters<typeof decidePrimary>): boolean {
  const chosen = decidePrimary(states, current, known);
  if (chosen === null || current === null || chosen === current) return chosen !== null;
  return isOutdated(known, states[chosen]!.history);
}
