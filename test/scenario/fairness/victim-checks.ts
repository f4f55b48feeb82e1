import { OutcomeKind, type CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { eventually } from '../../support/eventually.js';
import { httpCheck, type ScriptedControlPlane } from '../../support/scripted-control-plane.js';

const MONITORS = 20;
/** A check that has waited for half of it does not start, and is inconclusive. */
const INTERVAL_MS = 12_000;
/** Longer than the victim may wait: so long do hostile checks hold their places. */
export const HELD_MS = 30_000;
/** The median where the victim waits for no place. */
export const UNHINDERED_MS = 10_000;

/** Checks of one owner on a site that answers at once. */
export function victimChecks(url: string): CheckSpec[] {
  return Array.from({ length: MONITORS }, (_, index) =>
    httpCheck(index + 1, url, {
      intervalMs: INTERVAL_MS,
      timeoutMs: 10_000,
      phaseMs: (index * INTERVAL_MS) / MONITORS,
      ownerKey: 'victim',
      siteKey: 'shop',
    }),
  );
}

/** The next check of each monitor of the victim. */
export async function nextOfVictim(plane: ScriptedControlPlane) {
  const fromMs = Date.now();
  const own = await eventually(
    'each monitor of the victim is checked',
    () => {
      const next = plane.received
        .map(({ result }) => result)
        .filter(({ key, scheduledAtMs }) => Number(key!.monitorKey) <= MONITORS && scheduledAtMs >= fromMs);
      return new Set(next.map(({ key }) => key!.monitorKey)).size === MONITORS ? next : undefined;
    },
    60_000,
  );
  return {
    lagMs: own.map(({ startedAtMs, scheduledAtMs }) => Number(startedAtMs - scheduledAtMs)),
    totalMs: own.map(({ totalUs }) => Math.round(totalUs / 100) / 10),
    notUp: own.filter(({ outcome }) => outcome !== OutcomeKind.OUTCOME_KIND_UP).map(({ message }) => message),
  };
}
