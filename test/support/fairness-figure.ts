import { appendFileSync } from 'node:fs';

/** What an attack does to the other tenant, as `docs/security.md` lists it. */
export interface FairnessFigure {
  /** The number of the attack there. */
  attack: number;
  /** What is measured of the victim, with its unit: `webhook after, ms`. */
  measure: string;
  /** Without the attack, in the same run. */
  before: number | string;
  during: number | string;
  /** What must hold. */
  limit: string;
}

/** Prints a row, and appends it as a line of JSON to the file that `FAIRNESS_FIGURES` names. */
export function printFairnessFigure(figure: FairnessFigure): void {
  const { attack, measure, before, during, limit } = figure;
  process.stdout.write(
    `      attack ${attack}, ${measure}: ${before} before, ${during} during (must hold: ${limit})\n`,
  );
  const file = process.env['FAIRNESS_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** The value below which `share` of the sorted values lie: nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
