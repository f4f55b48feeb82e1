import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { OutageSignal } from './decide-outage.js';

/** A failure that outlasts the incident that it is attached to by this long becomes an incident of its own. */
export const OUTLAST_MS = MINUTE_MS;
/** The longest time for which the incident of a dependent waits until its causes have been checked since it began to fail. */
export const AWAIT_MOST_MS = 90 * SECOND_MS;
const AWAITING_AGAIN_MS = 5 * SECOND_MS;
const ATTACHED_AGAIN_MS = 30 * SECOND_MS;

/** The state of a dependent between decisions; empty where it does not fail, or fails with an incident of its own. */
export interface AttachmentMemory {
  /** The incident of a cause that the present failure is attached to. */
  attachedTo?: string;
  /** Since when no cause has that incident any more, although it goes on. */
  unexplainedSinceMs?: number;
  /** Since when its own incident waits for results of causes. */
  awaitingSinceMs?: number;
}

export interface Cause {
  /** Its open incident of availability that has not recovered, or the one that it is attached to itself. */
  incident: { id: string; startedMs: number } | null;
  /** Whether an incident of it may open: it is checked, not in maintenance, and nobody has closed one for its present failure. */
  mayFail: boolean;
  /** Of its fresh results, whether the newest of some region is a failure. */
  isFailing: boolean;
  /** Scheduled time of the newest fresh result, of the region where that is the oldest; null: it has no fresh result. */
  checkedMs: number | null;
}

export interface Causes {
  causes: readonly Cause[];
  /** When the incident recovered or was closed that the failure is attached to; null: not yet, or it is erased. */
  attachedEndedMs: number | null;
}

export const NO_CAUSES: Causes = { causes: [], attachedEndedMs: null };

/** The failure of a monitor that has no incident for it. */
export interface Failure {
  signal: OutageSignal;
  /** Scheduled time of the first failing check, or when a job failed; null where that is not known. */
  sinceMs: number | null;
}

export interface AttachmentDecision {
  memory: AttachmentMemory;
  /** What becomes of the failure: it is one of its own, as without causes; explained by an incident; or not clear yet. */
  outcome: 'own' | 'attached' | 'awaiting';
  /** The incident that the failure becomes attached to, and the one that it no longer is attached to. */
  attach: string | null;
  detach: string | null;
  /** When to decide again even if nothing happens; null: never. */
  decideAtMs: number | null;
}

/**
 * Whether the failure of a dependent is explained by an incident of a cause. It is attached to that incident while it goes on
 * and for a minute after it, and an incident of its own afterwards. Where dependent and cause fail together, the first
 * failing check is often one of the dependent: so its own incident waits until each cause has been checked since, at most
 * `AWAIT_MOST_MS`. Pure, and deciding again changes nothing.
 */
export function decideAttachment(
  before: AttachmentMemory,
  { signal, sinceMs }: Failure,
  { causes, attachedEndedMs }: Causes,
  nowMs: number,
): AttachmentDecision {
  const { attachedTo, unexplainedSinceMs } = before;
  const detached = attachedTo ?? null;
  if (signal === 'fine' || signal === 'removed') return { ...OWN, detach: detached };
  if (signal === 'unclear') return { ...OWN, memory: before, outcome: attachedTo ? 'attached' : 'own' };

  const explaining = causes.flatMap(({ incident }) => incident ?? []);
  if (attachedTo !== undefined && explaining.some(({ id }) => id === attachedTo))
    return { ...OWN, memory: { attachedTo }, outcome: 'attached', decideAtMs: nowMs + ATTACHED_AGAIN_MS };
  const first = explaining.toSorted((a, b) => a.startedMs - b.startedMs || (a.id < b.id ? -1 : 1))[0];
  if (first)
    return {
      memory: { attachedTo: first.id },
      outcome: 'attached',
      attach: first.id,
      detach: detached,
      decideAtMs: nowMs + ATTACHED_AGAIN_MS,
    };
  if (attachedTo !== undefined) {
    const endedMs = attachedEndedMs ?? unexplainedSinceMs ?? nowMs;
    const untilMs = endedMs + OUTLAST_MS;
    if (nowMs >= untilMs) return { ...OWN, detach: detached };
    const memory = { attachedTo, ...(attachedEndedMs === null ? { unexplainedSinceMs: endedMs } : {}) };
    return { ...OWN, memory, outcome: 'attached', decideAtMs: Math.min(untilMs, nowMs + ATTACHED_AGAIN_MS) };
  }
  const awaitingSinceMs = before.awaitingSinceMs ?? nowMs;
  const untilMs = awaitingSinceMs + AWAIT_MOST_MS;
  if (nowMs >= untilMs || !causes.some((cause) => isAwaited(cause, sinceMs ?? awaitingSinceMs))) return OWN;
  const decideAtMs = Math.min(untilMs, nowMs + AWAITING_AGAIN_MS);
  return { ...OWN, memory: { awaitingSinceMs }, outcome: 'awaiting', decideAtMs };
}

const OWN: AttachmentDecision = { memory: {}, outcome: 'own', attach: null, detach: null, decideAtMs: null };

/** Whether the next results of a cause may explain the failure. One without fresh results is not waited for. */
function isAwaited({ mayFail, isFailing, checkedMs }: Cause, sinceMs: number): boolean {
  return mayFail && checkedMs !== null && (isFailing || checkedMs < sinceMs);
}
