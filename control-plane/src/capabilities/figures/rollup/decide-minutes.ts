import { MINUTE_MS } from '@watchpost/shared/time';
import type { Range } from './decide-bucket-plan.js';
import type { Span } from './span-codec.js';

/** Minutes in which a heartbeat was up and down, in a step of time. */
export interface Minutes {
  /** Start of the step, ms since the epoch; 0 where there is one step only. */
  startMs: number;
  up: number;
  down: number;
}

/**
 * The minutes of the spans of a heartbeat within ranges of time, in steps aligned to the epoch; null: one step. Steps without
 * any are left out. Milliseconds are added before they are divided, so that the minutes of all parts of a time are those of it.
 * @param ranges apart from each other
 */
export function decideMinutes(
  spans: readonly Span[],
  ranges: readonly Pick<Range, 'startMs' | 'endMs'>[],
  stepMs: number | null,
): Minutes[] {
  const steps = new Map<number, Minutes>();
  for (const span of spans)
    for (const range of ranges) {
      const endMs = Math.min(span.endMs, range.endMs);
      for (let fromMs = Math.max(span.startMs, range.startMs); fromMs < endMs;) {
        const startMs = stepMs === null ? 0 : Math.floor(fromMs / stepMs) * stepMs;
        const toMs = stepMs === null ? endMs : Math.min(endMs, startMs + stepMs);
        const step = steps.get(startMs) ?? { startMs, up: 0, down: 0 };
        steps.set(startMs, step);
        step[span.up ? 'up' : 'down'] += toMs - fromMs;
        fromMs = toMs;
      }
    }
  return [...steps.values()]
    .map(({ startMs, up, down }) => ({ startMs, up: up / MINUTE_MS, down: down / MINUTE_MS }))
    .toSorted((a, b) => a.startMs - b.startMs);
}
