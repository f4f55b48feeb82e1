/** Points further apart than this multiple of the usual distance are not joined: nothing was measured between them. */
const GAP_FACTOR = 2.5;

/**
 * The path of an SVG curve through points in the order of their times, with gaps where nothing was measured. A point that
 * is joined to no other becomes a dot.
 */
export function curvePath(
  points: readonly { time: string; average: number }[],
  xOf: (ms: number) => number,
  yOf: (value: number) => number,
): string {
  const times = points.map(({ time }) => Date.parse(time));
  const steps = times
    .slice(1)
    .map((ms, index) => ms - times[index]!)
    .toSorted((a, b) => a - b);
  const usual = steps[Math.floor(steps.length / 2)] ?? 0;
  /** Whether the point is joined to none before it. */
  const begins = (index: number) =>
    index === 0 || index === times.length || times[index]! - times[index - 1]! > usual * GAP_FACTOR;
  return points
    .map(({ average }, index) => {
      const command = begins(index) ? 'M' : 'L';
      const dot = begins(index) && begins(index + 1) ? 'h0.1' : '';
      return `${command}${xOf(times[index]!)} ${yOf(average)}${dot}`;
    })
    .join('');
}
