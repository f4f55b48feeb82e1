import { appendFileSync } from 'node:fs';

/** The effect of an attack on another tenant, as `docs/security.md` lists it. */
export interface FairnessFigure {
  /** The number of the attack in that document. */
  attack: number;
  /** The measured quantity of the victim with its unit, such as `webhook after, ms`. */
  measure: string;
  /** The value without the attack, in the same run. */
  before: number | string;
  during: number | string;
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
