import { linePath, placeOfLine } from './plot.js';

const MOST_POINTS = 2_000;
/** Where no two points show how far apart they are. */
const USUAL_POINTS = 96;

/** Puts the points of a series at even steps, with gaps where points are missing: one line for each of the keys. */
export function evenSeries<Key extends string>(
  points: readonly ({ time: string } & Record<Key, number | null>)[],
  range: { startMs: number; endMs: number },
  keys: readonly Key[],
) {
  const times = points.map(({ time }) => Date.parse(time));
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const least = Math.ceil((range.endMs - range.startMs) / MOST_POINTS);
  const usual = Math.ceil((range.endMs - range.startMs) / USUAL_POINTS);
  // Checks fall into steps that are now one shorter, now one longer: their distance is that of most neighbours on average.
  const near = gaps.filter((gap) => gap < 1.5 * Math.min(...gaps));
  const mean = near.reduce((sum, gap) => sum + gap, 0) / near.length;
  const stepMs = Math.max(1_000, least, near.length > 0 ? Math.round(mean) : usual);
  const firstMs = times[0] ?? range.startMs;
  // Before the first point and after the last one are gaps too, so that all ranges have the width of their time.
  const before = Math.max(0, Math.floor((firstMs - range.startMs) / stepMs));
  const startMs = firstMs - before * stepMs;
  const count = Math.max(1, Math.min(MOST_POINTS, Math.ceil((range.endMs - startMs) / stepMs)));
  const line = (key: Key) => {
    const values = Array.from({ length: count }, (): number | null => null);
    points.forEach((point, index) => {
      const at = Math.round((times[index]! - startMs) / stepMs);
      if (at >= 0 && at < count) values[at] = point[key];
    });
    return values;
  };
  return {
    start: new Date(startMs).toISOString(),
    stepSeconds: stepMs / 1_000,
    ...(Object.fromEntries(keys.map((key) => [key, line(key)])) as Record<Key, (number | null)[]>),
  };
}

/** The path of the averages in a picture as wide as a range of time, and where it begins. */
export function averagePath(
  averages: readonly { time: string; average: number }[],
  range: { startMs: number; endMs: number },
  picture: { width: number; height: number; max: number },
): { x: number; d: string } {
  const { start, stepSeconds, average: points } = evenSeries(averages, range, ['average']);
  const line = { startMs: Date.parse(start), stepMs: stepSeconds * 1_000, points };
  const { x, width } = placeOfLine(line, range, picture.width);
  return { x, d: linePath(points, width, picture.height, picture.max) };
}
