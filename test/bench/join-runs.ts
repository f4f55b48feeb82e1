import type { BenchRow } from './bench-row.js';
import { quantile } from './figures.js';

/** A row whose figure differs more than this between runs, as a share of its median, is measured again. */
const MOST_VARIATION = 0.15;

/** Joins the rows of several runs of one bench: each becomes the row of the run with the median figure, with the variation of all. */
export function joinRuns(runs: readonly (readonly BenchRow[])[]): BenchRow[] {
  const [first = [], ...others] = runs.map(keyed);
  return [...first].map(([key, row]) => {
    const rows = [row, ...others.flatMap((run) => run.get(key) ?? [])];
    const figures = rows.map(figureOf);
    const middle = quantile(figures, 0.5);
    const [least, most] = [Math.min(...figures), Math.max(...figures)];
    const variation = { least, most, share: middle === 0 ? 0 : (most - least) / Math.abs(middle), runs: rows.length };
    return { ...rows[figures.indexOf(middle)]!, variation };
  });
}

/** Whether a figure with an aim differs too much between the runs for one of them to be quoted. */
export function isUnsettled(rows: readonly BenchRow[]): boolean {
  return rows.some(({ met, variation }) => met !== undefined && (variation?.share ?? 0) > MOST_VARIATION);
}

/** What the aim of a row is about: the ratio where it names one, otherwise the value. */
function figureOf({ aim, ratio, value }: BenchRow): number {
  return ratio !== null && /\dx/.test(aim) ? ratio : value;
}

/** By name without figures, and by the place among rows of the same name. */
function keyed(rows: readonly BenchRow[]): Map<string, BenchRow> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const name = row.name.replaceAll(/ \([^)]*\d[^)]*\)/g, '');
      const place = seen.get(name) ?? 0;
      seen.set(name, place + 1);
      return [`${name} ${place}`, row];
    }),
  );
}
