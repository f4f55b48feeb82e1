import { cleanLine } from '@watchpost/shared/clean-line';

export interface Column<Row> {
  heading: string;
  value(row: Row): string;
  /** Whether a narrow terminal cuts it. */
  isCut?: boolean;
  /** Colours the padded cell. */
  paint?(text: string, row: Row): string;
}

const GAP = '  ';
/** A column is not cut shorter than this. */
const LEAST_WIDTH = 8;

/**
 * Aligns rows under their headings. Names come from other people: control characters do not reach the terminal.
 * @param width of the terminal: the widest of the columns that may be cut are cut until the table fits; undefined cuts nothing
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): string[] {
  const cells = rows.map((row) => columns.map((column) => cleanLine(column.value(row), 1_000)));
  const widths = columns.map(({ heading }, at) =>
    Math.max(lengthOf(heading), ...cells.map((row) => lengthOf(row[at] ?? ''))),
  );
  if (width !== undefined) fitWidths(columns, widths, width - GAP.length * (columns.length - 1));
  const pad = (text: string, at: number): string => {
    const short = cleanLine(text, widths[at]);
    return short + ' '.repeat(Math.max(0, widths[at]! - lengthOf(short)));
  };
  const heading = columns.map((column, at) => pad(column.heading, at)).join(GAP);
  const lines = rows.map((row, number) =>
    columns
      .map(({ paint }, at) => {
        const padded = pad(cells[number]![at]!, at);
        return paint ? paint(padded, row) : padded;
      })
      .join(GAP),
  );
  return [heading, ...lines].map((line) => line.trimEnd());
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Takes from the widest column that may be cut until all fit. */
function fitWidths(columns: readonly { isCut?: boolean }[], widths: number[], available: number): void {
  let excess = widths.reduce((sum, each) => sum + each, 0) - available;
  while (excess > 0) {
    const widest = columns.reduce(
      (best, { isCut }, at) => (isCut && widths[at]! > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (widest === -1 || widths[widest]! <= LEAST_WIDTH) return;
    widths[widest]!--;
    excess--;
  }
}
