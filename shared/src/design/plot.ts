/** A point of a series: null where data is missing. */
export type Point = number | null;

/**
 * The path of a line with gaps where data is missing. A point between two gaps is a short stroke, so that it is seen.
 * @param max the value at the top
 */
export function linePath(points: readonly Point[], width: number, height: number, max: number): string {
  if (points.length === 0 || max <= 0) return '';
  const step = points.length === 1 ? 0 : width / (points.length - 1);
  const xOf = (index: number) => round(index * step);
  const yOf = (value: number) => round(height - (Math.min(value, max) / max) * height);
  let path = '';
  points.forEach((value, index) => {
    if (value === null) return;
    const isFirst = (points[index - 1] ?? null) === null;
    const isLone = isFirst && (points[index + 1] ?? null) === null;
    path += `${isFirst ? 'M' : 'L'}${xOf(index)} ${yOf(value)}`;
    if (isLone) path += `h${round((index === points.length - 1 ? -1 : 1) * Math.max(1, step / 2))}`;
  });
  return path;
}

/** The path of the area under a line, with the same gaps. */
export function areaPath(points: readonly Point[], width: number, height: number, max: number): string {
  if (points.length === 0 || max <= 0) return '';
  const step = points.length === 1 ? 0 : width / (points.length - 1);
  let path = '';
  for (let from = 0; from < points.length; from++) {
    if (points[from] === null) continue;
    let to = from;
    while ((points[to + 1] ?? null) !== null) to++;
    if (to > from) {
      path += `M${round(from * step)} ${height}`;
      for (let index = from; index <= to; index++) {
        path += `L${round(index * step)} ${round(height - (Math.min(points[index]!, max) / max) * height)}`;
      }
      path += `L${round(to * step)} ${height}Z`;
    }
    from = to;
  }
  return path;
}

/** The path of the area between two lines, where both have a value. */
export function bandPath(
  low: readonly Point[],
  high: readonly Point[],
  width: number,
  height: number,
  max: number,
): string {
  if (max <= 0) return '';
  const step = low.length <= 1 ? 0 : width / (low.length - 1);
  const yOf = (value: number) => round(height - (Math.min(value, max) / max) * height);
  const isThere = (at: number) => (low[at] ?? null) !== null && (high[at] ?? null) !== null;
  let path = '';
  for (let from = 0; from < low.length; from++) {
    if (!isThere(from)) continue;
    let to = from;
    while (isThere(to + 1)) to++;
    for (let at = from; at <= to; at++) path += `${at === from ? 'M' : 'L'}${round(at * step)} ${yOf(high[at]!)}`;
    for (let at = to; at >= from; at--) path += `L${round(at * step)} ${yOf(low[at]!)}`;
    path += 'Z';
    from = to;
  }
  return path;
}

/** The values of equal steps of time, each drawn in the middle of its step. */
export interface TimeLine {
  startMs: number;
  stepMs: number;
  points: readonly Point[];
}

/** Where the path of a line begins, and how wide it is, in a picture as wide as a range of time. */
export function placeOfLine(
  { startMs, stepMs, points }: TimeLine,
  range: { startMs: number; endMs: number },
  width: number,
): { x: number; width: number } {
  const xOf = (ms: number) =>
    Math.min(width, Math.max(0, ((ms - range.startMs) / (range.endMs - range.startMs)) * width));
  const x = xOf(startMs + stepMs / 2);
  return { x, width: xOf(startMs + (points.length - 0.5) * stepMs) - x };
}

/** @returns the values of an axis from 0 to at least `max`, at most `count` steps of 1, 2, 2.5 or 5 times a power of ten */
export function axisTicks(max: number, count = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough - power * 1e-9)!;
  const ticks = [0];
  while (ticks.at(-1)! < max) ticks.push(round(ticks.length * step));
  return ticks;
}

const TIME_STEPS_MS = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 20_160, 43_200, 86_400].map(
  (minutes) => minutes * 60_000,
);

/** @returns moments for the axis of time, at most `count`, on whole steps of the viewer's clock */
export function timeTicks(startMs: number, endMs: number, count: number): number[] {
  const length = endMs - startMs;
  if (!(length > 0) || count < 1) return [];
  const step = TIME_STEPS_MS.find((each) => length / each <= count) ?? TIME_STEPS_MS.at(-1)!;
  const zoneMs = -new Date(startMs).getTimezoneOffset() * 60_000;
  const ticks: number[] = [];
  for (let at = Math.ceil((startMs + zoneMs) / step) * step - zoneMs; at <= endMs; at += step) ticks.push(at);
  return ticks;
}

/** The number of the colours of a heatmap. */
export const HEAT_LEVELS = 5;

/**
 * The level of a value among others, from 0 to `HEAT_LEVELS - 1`: steps of equal ratio between the least and the greatest.
 * Without a difference all are 0.
 */
export function heatLevel(value: number, least: number, greatest: number): number {
  const [low, high] = [Math.max(least, 1e-3), Math.max(greatest, 1e-3)];
  if (!(high > low)) return 0;
  const share = Math.log(Math.max(value, low) / low) / Math.log(high / low);
  return Math.min(HEAT_LEVELS - 1, Math.floor(share * HEAT_LEVELS + 1e-9));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
