import { setTimeout as sleep } from 'node:timers/promises';
import { OutcomeKind, type CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { httpCheck, type ScriptedControlPlane } from '../../support/scripted-control-plane.js';

const MONITORS = 20;
const INTERVAL_MS = 1_000;
/** Time for the last results to arrive. */
const DONE_WITHIN_MS = 2_000;
const MOST_WINDOWS = 3;

/** Checks of one owner on a site that answers at once. */
export function victimChecks(url: string): CheckSpec[] {
  return Array.from({ length: MONITORS }, (_, index) =>
    httpCheck(index + 1, url, {
      intervalMs: INTERVAL_MS,
      timeoutMs: 5_000,
      phaseMs: (index * 47) % INTERVAL_MS,
      ownerKey: 'victim',
      siteKey: 'shop',
    }),
  );
}

/**
 * Measures the starts of the victim's checks for some time, and again where one was missed or slow: a machine that is held
 * up for a second disturbs one window, an owner who takes the victim's share disturbs all.
 */
export async function victimStarts(plane: ScriptedControlPlane, windowMs: number, limitMs: number) {
  for (let windows = 1; ; windows++) {
    const seen = await startsWithin(plane, windowMs);
    const isDisturbed = seen.missed > 0 || seen.inconclusive > 0 || Math.max(...seen.lagMs, ...seen.totalMs) >= limitMs;
    if (!isDisturbed || windows === MOST_WINDOWS) return seen;
  }
}

async function startsWithin(plane: ScriptedControlPlane, windowMs: number) {
  const fromMs = Date.now();
  await sleep(windowMs + DONE_WITHIN_MS);
  const own = plane.received
    .map(({ result }) => result)
    .filter(({ key }) => Number(key!.monitorKey) <= MONITORS)
    .filter(({ scheduledAtMs: at }) => at >= fromMs && at < fromMs + windowMs);
  const up = own.filter(({ outcome }) => outcome === OutcomeKind.OUTCOME_KIND_UP);
  return {
    lagMs: own.map(({ startedAtMs, scheduledAtMs }) => Number(startedAtMs - scheduledAtMs)),
    totalMs: own.map(({ totalUs }) => Math.round(totalUs / 100) / 10),
    missed: Math.max(0, Math.floor((MONITORS * windowMs) / INTERVAL_MS) - up.length),
    inconclusive: own.filter(({ outcome }) => outcome === OutcomeKind.OUTCOME_KIND_INCONCLUSIVE).length,
  };
}
