import { parseArgs } from 'node:util';

export interface SoakSettings {
  /** For how long faults are done. Starting before and settling after take about three minutes more. */
  minutes: number;
  seed: number;
  /** Watched monitors, each checked every minute. */
  monitors: number;
  /** Between two changes over REST. */
  paceMs: number;
  /** From one outage of a target to the next, on average. */
  outageEveryMs: number;
  /** Between two rounds of faults. */
  calmMs: readonly [least: number, most: number];
  /** The share of rounds with a second fault that overlaps with the first. */
  pairs: number;
  /** The longest fault of a kind, as a share of the longest that it can be. */
  longest: number;
  /** Only faults whose kind contains one of these words; empty: all. */
  only: readonly string[];
  /** Where the report is written. */
  out: string;
}

const USAGE =
  'npm run soak -- --minutes N [--seed S] [--monitors M] [--pace-ms P] [--outage-every-s S] [--calm-s C] [--pairs-percent P] [--longest-percent L] [--only WORDS] [--out FOLDER]';

/** @throws Error with all faults of the arguments */
export function readSettings(args: readonly string[]): SoakSettings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text,
      seed: text,
      monitors: text,
      'pace-ms': text,
      'outage-every-s': text,
      'calm-s': text,
      'pairs-percent': text,
      'longest-percent': text,
      only: text,
      out: text,
    },
  });
  const faults: string[] = [];
  const number = (
    name: Exclude<keyof typeof values, 'out' | 'only'>,
    fallback: number,
    least: number,
    most: number,
  ): number => {
    const given = values[name];
    const value = given === undefined ? fallback : Number(given);
    if (given === '' || !(value >= least && value <= most))
      faults.push(`--${name} must be a number from ${least} to ${most}`);
    return value;
  };
  const calmMs = 1_000 * number('calm-s', 14, 0, 3_600);
  const settings: SoakSettings = {
    minutes: number('minutes', 3, 0.5, 24 * 60),
    seed: number('seed', Math.floor(Math.random() * 1_000_000), 0, 2 ** 31),
    monitors: number('monitors', 150, 10, 5_000),
    paceMs: number('pace-ms', 1_000, 50, 600_000),
    outageEveryMs: 1_000 * number('outage-every-s', 15, 1, 3_600),
    calmMs: [0.6 * calmMs, 1.4 * calmMs],
    pairs: number('pairs-percent', 30, 0, 100) / 100,
    longest: number('longest-percent', 100, 10, 100) / 100,
    only: values.only?.split(',') ?? [],
    out: values.out ?? 'soak-report',
  };
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${USAGE}`);
  return settings;
}
