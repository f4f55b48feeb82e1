import type { BenchRow } from './bench-row.js';

const HEAD = ['what', 'value', 'yardstick, same run', 'ratio', 'aim', 'met', 'variation'];

export function formatRows(rows: readonly BenchRow[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return text.join('\n');
}

export function formatRow(row: BenchRow): string {
  return cells(row).filter(Boolean).join('  ');
}

function cells({ name, value, unit, yardstick, yardstickName, ratio, aim, met, variation }: BenchRow): string[] {
  return [
    name,
    `${figure(value)} ${unit}`,
    yardstick === null ? '' : `${figure(yardstick)} ${unit}: ${yardstickName ?? ''}`,
    ratio === null ? '' : `${figure(ratio)}x`,
    aim,
    met === undefined ? '' : met ? 'yes' : 'NO',
    variation === undefined || variation.runs === 1
      ? ''
      : `${figure(variation.least)} to ${figure(variation.most)} in ${variation.runs} runs: ${Math.round(variation.share * 100)} %`,
  ];
}

/** Formats a number with three significant digits and separated thousands. */
function figure(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.001))));
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
