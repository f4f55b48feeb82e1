import { randomOf } from './random.js';

/** How a target fails. */
export type OutageMode = 'error' | 'reset' | 'silent';

/** A scheduled outage of one target, ms from the start of the run. */
export interface PlannedOutage {
  subject: string;
  mode: OutageMode;
  fromMs: number;
  toMs: number;
}

export interface OutageRules {
  seed: number;
  /** The targets that can fail, with the ways in which they can. */
  subjects: readonly { subject: string; modes: readonly OutageMode[] }[];
  /** All outages end before this time. */
  lastsMs: number;
  /** From the start of one outage to that of the next. */
  everyMs: number;
  durationMs: readonly [least: number, most: number];
  /** Between two outages of one target, so that each can be judged alone. */
  restMs: number;
}

/** Draws when which targets fail. */
export function drawOutages({ seed, subjects, lastsMs, everyMs, durationMs, restMs }: OutageRules): PlannedOutage[] {
  const random = randomOf(seed, 'outages');
  const freeFrom = new Map<string, number>();
  const outages: PlannedOutage[] = [];
  for (let fromMs = random.between(0, everyMs); fromMs < lastsMs; fromMs += random.between(1, 2 * everyMs)) {
    const { subject, modes } = random.pick(subjects);
    const toMs = fromMs + random.between(...durationMs);
    const mode = random.pick(modes);
    if (toMs > lastsMs || (freeFrom.get(subject) ?? 0) > fromMs) continue;
    freeFrom.set(subject, toMs + restMs);
    outages.push({ subject, mode, fromMs, toMs });
  }
  return outages;
}
