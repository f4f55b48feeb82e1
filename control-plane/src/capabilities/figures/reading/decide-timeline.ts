import { MINUTE_MS } from '@watchpost/shared/time';
import { decideReportedVerdict, type ReportingPlaces, type Verdict } from '../../verdicts/index.js';
import { joined } from '../rollup/decide-bucket-plan.js';
import type { Span } from '../rollup/span-codec.js';

export interface RegionSpan extends Span {
  /** Distinguishes series: a region's code, or any other number. */
  series: number;
  /** It is of a place that only advises. */
  advisory?: boolean | undefined;
}

/** A verdict, or `maintenance` where a maintenance window covered the monitor. */
export type TimelineStatus = Verdict | 'maintenance';

export interface TimelineSpan {
  startMs: number;
  endMs: number;
  status: TimelineStatus;
}

/**
 * Merges the spans of series into one timeline: contiguous spans that cover exactly [startMs, endMs), neighbours of
 * different status. At every moment it is the verdict of `decideReportedVerdict` on the spans there.
 * Spans of one series must not overlap.
 */
export function decideTimeline(spans: readonly RegionSpan[], startMs: number, endMs: number): TimelineSpan[] {
  const edges = spans
    .map((span) => ({ ...span, startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs) }))
    .filter((span) => span.startMs < span.endMs)
    .flatMap(({ up, advisory, ...span }) => {
      const place = up ? (advisory ? null : 'answering') : advisory ? 'advisoryFailing' : 'failing';
      return place === null
        ? []
        : [{ atMs: span.startMs, place, change: 1 } as const, { atMs: span.endMs, place, change: -1 } as const];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const timeline: TimelineSpan[] = [];
  const places: ReportingPlaces = { failing: 0, answering: 0, advisoryFailing: 0 };
  let fromMs = startMs;
  for (const edge of edges) {
    add(timeline, { startMs: fromMs, endMs: edge.atMs, status: decideReportedVerdict(places) });
    fromMs = Math.max(fromMs, edge.atMs);
    places[edge.place] += edge.change;
  }
  add(timeline, { startMs: fromMs, endMs, status: 'unknown' });
  return timeline;
}

function add(timeline: TimelineSpan[], span: TimelineSpan): void {
  if (span.startMs >= span.endMs) return;
  const last = timeline.at(-1);
  if (last?.status === span.status) last.endMs = span.endMs;
  else timeline.push(span);
}

const WORST_FIRST: readonly TimelineStatus[] = ['unavailable', 'partial', 'unknown', 'maintenance', 'available'];

/**
 * Shortens a timeline of more than `most` spans to steps that each show their worst status: no outage is lost, only its
 * bounds become imprecise. A shorter timeline is returned unchanged, with `stepMs` null.
 */
export function coarsenTimeline(
  timeline: readonly TimelineSpan[],
  most: number,
): { stepMs: number | null; spans: readonly TimelineSpan[] } {
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (timeline.length <= most || !first || !last) return { stepMs: null, spans: timeline };
  const stepMs = Math.ceil((last.endMs - first.startMs) / most / MINUTE_MS) * MINUTE_MS;
  return { stepMs, spans: inSteps(timeline, stepMs, first.startMs) };
}

/** The same in steps that start at multiples of `stepMs`: the steps do not move as time passes. */
export function alignTimeline(timeline: readonly TimelineSpan[], stepMs: number): TimelineSpan[] {
  const [first] = timeline;
  return first ? inSteps(timeline, stepMs, Math.floor(first.startMs / stepMs) * stepMs) : [];
}

/** @param fromMs at or before the start of the timeline, to which the first step is clipped */
function inSteps(timeline: readonly TimelineSpan[], stepMs: number, fromMs: number): TimelineSpan[] {
  const [first, last] = [timeline[0]!, timeline.at(-1)!];
  const spans: TimelineSpan[] = [];
  let next = 0;
  for (let stepFromMs = fromMs; stepFromMs < last.endMs; stepFromMs += stepMs) {
    const startMs = Math.max(stepFromMs, first.startMs);
    const endMs = Math.min(stepFromMs + stepMs, last.endMs);
    const seen = new Set<TimelineStatus>();
    for (let index = next; index < timeline.length && timeline[index]!.startMs < endMs; index++) {
      seen.add(timeline[index]!.status);
      if (timeline[index]!.endMs <= endMs) next = index + 1;
    }
    add(spans, { startMs, endMs, status: WORST_FIRST.find((status) => seen.has(status)) ?? 'unknown' });
  }
  return spans;
}

/**
 * Merges timelines of different regions or monitors: without maintenance, the result equals `decideTimeline` of all their
 * spans. It is clipped to the period. Where no timeline has a verdict, it is `maintenance` if one has that, else `unknown`.
 */
export function mergeTimelines(
  timelines: readonly (readonly TimelineSpan[])[],
  startMs: number,
  endMs: number,
): TimelineSpan[] {
  const spans = timelines.flatMap((timeline, index) =>
    timeline.flatMap(({ status, ...span }): RegionSpan[] => {
      const [up, down] = [
        { ...span, series: 2 * index, up: true },
        { ...span, series: 2 * index + 1, up: false },
      ];
      if (status === 'partial') return [up, down];
      if (status === 'available') return [up];
      return status === 'unavailable' ? [down] : [];
    }),
  );
  const merged = decideTimeline(spans, startMs, endMs);
  const covered = timelines.flatMap((timeline) => timeline.filter(({ status }) => status === 'maintenance'));
  return covered.length === 0 ? merged : coverTimeline(merged, joined(covered), ['unknown']);
}

/**
 * Shows `maintenance` in the covered time.
 * @param covered in order, apart from each other
 * @param replaced the only statuses that it replaces; default: all
 */
export function coverTimeline(
  timeline: readonly TimelineSpan[],
  covered: readonly { startMs: number; endMs: number }[],
  replaced?: readonly TimelineStatus[],
): TimelineSpan[] {
  const result: TimelineSpan[] = [];
  for (const { startMs, endMs, status } of timeline) {
    let fromMs = startMs;
    for (const hole of replaced?.includes(status) === false ? [] : covered) {
      if (hole.endMs <= fromMs || hole.startMs >= endMs) continue;
      add(result, { startMs: fromMs, endMs: hole.startMs, status });
      const toMs = Math.min(hole.endMs, endMs);
      add(result, { startMs: Math.max(fromMs, hole.startMs), endMs: toMs, status: 'maintenance' });
      fromMs = toMs;
    }
    add(result, { startMs: fromMs, endMs, status });
  }
  return result;
}

/**
 * The percentage of healthy checks, 4 decimals; null without checks. 100 means that none failed and 0 that none was
 * healthy: rounding never hides either.
 */
export function decideUptime(healthy: number, unhealthy: number): number | null {
  const total = healthy + unhealthy;
  if (total === 0) return null;
  const rounded = Math.round((healthy / total) * 1_000_000) / 10_000;
  if (unhealthy > 0 && rounded === 100) return 99.9999;
  return healthy > 0 && rounded === 0 ? 0.0001 : rounded;
}
