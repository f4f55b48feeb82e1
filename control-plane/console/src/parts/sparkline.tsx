import { latencyText } from './format.js';
import { areaPath, linePath, type Point } from './plot.js';

const WIDTH = 96;
const HEIGHT = 24;

/** A latency over time in small, from 0 to its own maximum. Gaps are missing data. */
export function Sparkline({ points, label }: { points: readonly Point[]; label: string }) {
  const values = points.filter((value) => value !== null);
  if (values.length === 0) return <span class="soft">–</span>;
  const max = Math.max(...values);
  const latest = values.at(-1);
  return (
    <svg
      class="spark"
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 3}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: latest ${latencyText(latest)}, highest ${latencyText(max)}`}
    >
      <path class="spark-area" d={areaPath(points, WIDTH, HEIGHT, max)} />
      <path class="spark-line" d={linePath(points, WIDTH, HEIGHT, max)} />
    </svg>
  );
}
