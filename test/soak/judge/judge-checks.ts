import { schedulePhaseMs, SETTLE_MS } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import { during, isOfAgent, isOfControl, naming, timeOf } from './disturbances.js';
import type { Disturbance, Finding, Judgement, Request, Watched } from './observation.js';

/** The specification: no check begins later than this after its scheduled time. */
const LATEST_MS = 15_000;
/** Clocks and relays of the test itself. */
const TOLERANCE_MS = 1_000;
/** How long after the recovery from two faults an agent may still catch up. */
const CATCH_UP_MS = 15_000;

export interface CheckFacts {
  watched: readonly Watched[];
  /** By subject. */
  requests: ReadonlyMap<string, readonly Request[]>;
  disturbances: readonly Disturbance[];
  agentsEach: number;
  fromMs: number;
  toMs: number;
}

/**
 * Every scheduled time must have a request at the target that begins within 15 s. What explains a missing or late one:
 * both agents of the region were struck at once; or an agent was struck while control planes or their database were,
 * so that nobody could give its checks to the other one. One fault alone explains none.
 */
export function judgeChecks(facts: CheckFacts): Judgement[] {
  const missed: Finding[] = [];
  const late: Finding[] = [];
  let judged = 0;
  for (const one of facts.watched) {
    const requests = facts.requests.get(one.subject) ?? [];
    for (const region of one.regions) {
      const own = requests.filter((request) => request.region === null || request.region === region);
      for (const dueMs of scheduledTimes(one, region, facts.fromMs, facts.toMs)) {
        judged++;
        const begun = own.filter(
          ({ atMs }) => atMs >= dueMs - TOLERANCE_MS && atMs < dueMs - TOLERANCE_MS + one.intervalMs,
        );
        const firstMs = Math.min(...begun.map(({ atMs }) => atMs));
        if (firstMs <= dueMs + LATEST_MS + TOLERANCE_MS) continue;
        const explanation = explain(facts, region, dueMs);
        const name = `${one.subject} in ${region}, due ${timeOf(dueMs)}`;
        const more = explanation === undefined ? {} : { explanation };
        if (begun.length === 0) missed.push({ rule: 'checks missed', what: name, atMs: dueMs, ...more });
        else {
          const what = `${name}, ${((firstMs - dueMs) / 1000).toFixed(1)} s late`;
          late.push({ rule: 'checks late', what, atMs: dueMs, ...more });
        }
      }
    }
  }
  return [
    { rule: 'checks missed', meaning: 'scheduled times without a request at the target', judged, findings: missed },
    { rule: 'checks late', meaning: 'scheduled times whose check began after more than 15 s', judged, findings: late },
  ];
}

function explain({ disturbances, agentsEach }: CheckFacts, region: Region, dueMs: number): string | undefined {
  const near = during(disturbances, dueMs - TOLERANCE_MS, dueMs + LATEST_MS, CATCH_UP_MS);
  const struck = near.filter((one) => isOfAgent(one) && one.region === region);
  if (new Set(struck.map(({ subject }) => subject)).size >= agentsEach) return naming(struck);
  const control = near.filter(isOfControl);
  return struck.length > 0 && control.length > 0 ? naming([...struck, ...control]) : undefined;
}

/**
 * The scheduled times of a monitor in a region, from a while after its creation.
 * The definition of the schedule is repeated independently: docs/decisions/0004-scheduled-times-are-computed.md.
 */
export function scheduledTimes(one: Watched, region: Region, fromMs: number, toMs: number): number[] {
  const { intervalMs } = one;
  const phase = schedulePhaseMs({ monitorKey: one.key, kind: one.kind }, region, intervalMs);
  const beginMs = Math.max(fromMs, one.fromMs + 2 * SETTLE_MS);
  const times: number[] = [];
  for (let ms = phase + Math.ceil((beginMs - phase) / intervalMs) * intervalMs; ms < toMs; ms += intervalMs)
    times.push(ms);
  return times;
}
