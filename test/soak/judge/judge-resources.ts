import { groupBy } from '@watchpost/shared/group-by';
import type { Finding, Judgement, QueueSample, Sample } from './observation.js';

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;
/** Caches fill and code is compiled for this long. */
const WARM_UP_MS = 4 * MINUTE_MS;
/** A slope over less means nothing. */
const SHORTEST_MS = 6 * MINUTE_MS;
const MOST_BYTES_A_MINUTE = MIB;
/** Growth below this is noise, however steep. */
const LEAST_GROWTH_BYTES = 16 * MIB;
const MOST_HANDLES_A_MINUTE = 1;
const LEAST_GROWTH_HANDLES = 10;

/** The median of the slopes between all pairs (Theil and Sen), which garbage collection does not move. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes: number[] = [];
  // Pairs half of the period apart are enough, and linear in number.
  const half = Math.floor(points.length / 2);
  for (let index = 0; index + half < points.length; index++) {
    const [[x1, y1], [x2, y2]] = [points[index]!, points[index + half]!];
    if (x2 > x1) slopes.push((y2 - y1) / (x2 - x1));
  }
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}

/** After its warm-up, no process may grow steadily, in memory or in open handles. */
export function judgeResources(samples: readonly Sample[]): Judgement[] {
  const memory: Finding[] = [];
  const handles: Finding[] = [];
  let judged = 0;
  for (const own of groupBy(samples, ({ process, pid }) => `${process} (${pid})`)) {
    const [name, all] = own;
    const warm = all.filter(({ atMs }) => atMs >= all[0]!.atMs + WARM_UP_MS);
    const lastsMs = (warm.at(-1)?.atMs ?? 0) - (warm[0]?.atMs ?? 0);
    if (lastsMs < SHORTEST_MS) continue;
    judged++;
    const slope = (pick: (one: Sample) => number) =>
      MINUTE_MS * slopeOf(warm.map((one) => [one.atMs, pick(one)] as const));
    const bytes = slope(({ rssBytes }) => rssBytes);
    const count = slope((one) => one.handles);
    const minutes = lastsMs / MINUTE_MS;
    if (bytes > MOST_BYTES_A_MINUTE && bytes * minutes > LEAST_GROWTH_BYTES)
      memory.push({
        rule: 'memory growing',
        what: `${name}: ${(bytes / MIB).toFixed(1)} MiB a minute over ${minutes.toFixed(0)} minutes`,
      });
    if (count > MOST_HANDLES_A_MINUTE && count * minutes > LEAST_GROWTH_HANDLES)
      handles.push({
        rule: 'handles growing',
        what: `${name}: ${count.toFixed(1)} a minute over ${minutes.toFixed(0)} minutes`,
      });
  }
  const of = 'processes that ran for at least ten minutes';
  return [
    { rule: 'memory growing', meaning: `${of} and whose resident memory grows steadily`, judged, findings: memory },
    { rule: 'handles growing', meaning: `${of} and whose open handles grow steadily`, judged, findings: handles },
  ];
}

/** At the end, when everything has been calm for a while, every queue is nearly empty. */
export function judgeQueues(samples: readonly QueueSample[], mostLeft: number): Judgement {
  const rule = 'queues not empty';
  const last = [...groupBy(samples, ({ queue }) => queue)].map(([queue, own]) => ({
    queue,
    length: own.at(-1)!.length,
  }));
  return {
    rule,
    meaning: `queues with more than ${mostLeft} entries at the end`,
    judged: last.length,
    findings: last
      .filter(({ length }) => length > mostLeft)
      .map(({ queue, length }) => ({ rule, what: `${queue}: ${length}` })),
  };
}
