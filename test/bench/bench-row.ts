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
  /** What performance.md aims for, in words; empty for a figure that only explains others. */
  aim: string;
  /** Left out where nothing is aimed for. */
  met?: boolean;
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
