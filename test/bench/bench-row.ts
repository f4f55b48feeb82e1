/** One measured figure beside what it is measured against, from the same run. */
export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** null where there is nothing to measure against. */
  yardstick: number | null;
  yardstickName: string | null;
  /** value / yardstick. */
  ratio: number | null;
  /** What performance.md aims for, in words. */
  aim: string;
}
