/** One measured figure and its yardstick from the same run. */
export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** Null if there is no yardstick. */
  yardstick: number | null;
  yardstickName: string | null;
  /** value / yardstick. */
  ratio: number | null;
  /** The aim of performance.md in words; empty for a figure that only explains others. */
  aim: string;
  /** Undefined if there is no aim. */
  met?: boolean;
  /** Of several runs: the least and the largest of what the aim is about, and their difference as a share of the median. */
  variation?: { least: number; most: number; share: number; runs: number };
}

interface Measured {
  name: string;
  value: number;
  unit: string;
  yardstick?: { name: string; value: number };
  aim?: { text: string; met: (row: { value: number; ratio: number }) => boolean };
}

export function benchRow({ name, value, unit, yardstick, aim }: Measured): BenchRow {
  const ratio = yardstick ? value / yardstick.value : null;
  return {
    name,
    value,
    unit,
    yardstick: yardstick?.value ?? null,
    yardstickName: yardstick?.name ?? null,
    ratio,
    aim: aim?.text ?? '',
    ...(aim ? { met: aim.met({ value, ratio: ratio ?? NaN }) } : {}),
  };
}
