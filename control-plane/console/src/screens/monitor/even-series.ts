import type { Latency } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';

type LatencyPoint = Pick<Latency['series'][number], 'time' | 'average' | 'p95' | 'p99'>;

const MOST_POINTS = 2_000;
/** Where no two points show how far apart they are. */
const USUAL_POINTS = 96;

/** Puts the points of a series at even steps, with gaps where points are missing. */
export function evenSeries(points: readonly LatencyPoint[], range: { startMs: number; endMs: number }) {
  const times = points.map(({ time }) => Date.parse(time));
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const least = Math.ceil((range.endMs - range.startMs) / MOST_POINTS);
  const usual = Math.ceil((range.endMs - range.startMs) / USUAL_POINTS);
  const stepMs = Math.max(1_000, least, gaps.length > 0 ? Math.min(...gaps) : usual);
  const firstMs = times[0] ?? range.startMs;
  // Before the first point and after the last one are gaps too, so that all ranges have the width of their time.
  const before = Math.max(0, Math.floor((firstMs - range.startMs) / stepMs));
  const startMs = firstMs - before * stepMs;
  const count = Math.max(1, Math.min(MOST_POINTS, Math.ceil((range.endMs - startMs) / stepMs)));
  const line = (key: 'average' | 'p95' | 'p99') => {
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
    average: line('average'),
    p95: line('p95'),
    p99: line('p99'),
  };
}
