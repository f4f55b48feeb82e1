/**
 * A line of a table (RFC 4180, section 2), with its end. No program takes a text in it for a formula, and none that divides
 * at semicolons divides a text.
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** The full-width forms are signs too where people write them (U+FF0B, U+FF0D, U+FF1D, U+FF20). */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = BEGINS_FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
