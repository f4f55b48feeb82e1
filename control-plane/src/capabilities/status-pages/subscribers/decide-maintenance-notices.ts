import { DAY_MS } from '@watchpost/shared/time';

/** How long before its start subscribers are notified of maintenance. */
export const NOTICE_MS = DAY_MS;
/** Later than this, the end of maintenance is no news: the page was not published, or nothing ran. */
const NEWS_MS = DAY_MS;

/** Maintenance of which the subscribers of a page were notified and that is not over for them. Times in ms. */
export interface KnownMaintenance {
  windowId: string;
  name: string;
  startMs: number;
  endMs: number;
  /** As it is now; null: it was moved, cancelled, or no longer concerns the page. */
  now: { endMs: number; notifies: boolean } | null;
}

/** Maintenance that is not over, and of which the subscribers of a page were not notified. */
export interface ComingMaintenance {
  windowId: string;
  name: string;
  description: string;
  startMs: number;
  endMs: number;
  /** Whether the window takes place more than once. */
  recurs: boolean;
  systemIds: readonly string[];
}

/** A change of what subscribers know, and, but for `forgotten`, a notice. */
export type MaintenanceNews =
  | { kind: 'planned'; coming: ComingMaintenance }
  /** `isPlanned`: the new time is so near that no other notice precedes it. */
  | { kind: 'moved'; known: KnownMaintenance; coming: ComingMaintenance; isPlanned: boolean }
  | { kind: 'resized' | 'over'; known: KnownMaintenance; endMs: number }
  | { kind: 'cancelled'; known: KnownMaintenance }
  | { kind: 'forgotten'; known: KnownMaintenance };

/**
 * What the subscribers of a page are to be notified of.
 * @param coming in the order of time; beyond `NOTICE_MS` only where it may be the new time of known maintenance
 */
export function decideMaintenanceNotices(
  known: readonly KnownMaintenance[],
  coming: readonly ComingMaintenance[],
  nowMs: number,
): MaintenanceNews[] {
  const isNear = ({ startMs }: ComingMaintenance) => startMs <= nowMs + NOTICE_MS;
  const left = [...coming];
  const ofKnown = known.map((one): MaintenanceNews[] => {
    const { now, startMs } = one;
    if (now && !now.notifies) return [{ kind: 'forgotten', known: one }];
    if (now && now.endMs > nowMs)
      return now.endMs === one.endMs ? [] : [{ kind: 'resized', known: one, endMs: now.endMs }];
    if (now || startMs <= nowMs) {
      const endMs = now?.endMs ?? Math.min(nowMs, one.endMs);
      return [nowMs - endMs > NEWS_MS ? { kind: 'forgotten', known: one } : { kind: 'over', known: one, endMs }];
    }
    // The next time of a recurring window takes the place of this one only where it would have been announced as well.
    const index = left.findIndex((other) => other.windowId === one.windowId && (!other.recurs || isNear(other)));
    if (index < 0) return [{ kind: 'cancelled', known: one }];
    const [other] = left.splice(index, 1) as [ComingMaintenance];
    return [{ kind: 'moved', known: one, coming: other, isPlanned: isNear(other) }];
  });
  return [...ofKnown.flat(), ...left.filter(isNear).map((one): MaintenanceNews => ({ kind: 'planned', coming: one }))];
}
