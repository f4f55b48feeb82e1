/** The quantile `fraction` of the values; the largest one if there are few. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export function median(values: readonly number[]): number {
  return (
    (quantile(values, 0.5) +
      quantile(
        values.map((value) => -value),
        0.5,
      ) *
        -1) /
    2
  );
}

/** The least and the largest of several measurements, for the name of a row. */
export function rangeOf(values: readonly number[], unit: string): string {
  const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${shown(Math.min(...values))} to ${shown(Math.max(...values))} ${unit} in ${values.length} turns`;
}
