/** An object of another product, by field or column. */
export type Row = Readonly<Record<string, unknown>>;

/** An object of the document. */
export type Fields = Record<string, unknown>;

/** The file cannot be imported; the message gives the reason and the next step. */
export class UnreadableFile extends Error {}

/** Parses a file of JSON, with or without a byte order mark. @throws UnreadableFile with this message where it is none */
export function parseFile(bytes: Uint8Array, message: string): unknown {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new UnreadableFile(`${message} JSON has to be in UTF-8, which it is not.`);
    const { message: reason } = error;
    const isCut = reason.includes('end of JSON') || /position (\d+)/.exec(reason)?.[1] === String(text.length);
    throw new UnreadableFile(
      isCut ? `${message} It ends too early: it may not have been written to its end.` : message,
    );
  }
}

/** The text of a field, trimmed; null where there is none. */
export function textOf(row: Row, field: string): string | null {
  return rawTextOf(row, field)?.trim() || null;
}

/** The text of a field as it is, such as a password, of which a blank is a part; null where there is none. */
export function rawTextOf(row: Row, field: string): string | null {
  const value = row[field];
  return (typeof value === 'string' && value !== '') || Number.isFinite(value) ? String(value) : null;
}

export function numberOf(row: Row, field: string): number | null {
  return numberFrom(row[field]);
}

/** The number of a value, also of a text; null where it has none. */
export function numberFrom(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

export function flagOf(row: Row, field: string): boolean {
  const value = row[field];
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** The JSON in a field; undefined where it is none. */
export function jsonOf(row: Row, field: string): unknown {
  const value = row[field];
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The object in a field, or in the JSON in it; undefined where it is none. */
export function objectOf(row: Row, field: string): Row | undefined {
  const value = jsonOf(row, field);
  return isRow(value) ? value : undefined;
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of an object; the empty text where it has none. */
export const idOf = (row: Row): string => textOf(row, 'id') ?? '';

export function rowsIn(row: Row, field: string): readonly Row[] {
  const value = row[field];
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** The texts and numbers of a list; the empty text in place of anything else. */
export function textsIn(row: Row, field: string): string[] {
  const value = row[field];
  return Array.isArray(value) ? value.map((text: unknown) => textOf({ text }, 'text') ?? '') : [];
}

/** The entry of a table by the name in a field; undefined where there is none. */
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, name: string | null): Entry | undefined {
  return name !== null && Object.hasOwn(table, name) ? table[name] : undefined;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** The moment in a field, ms since the epoch; null where there is none. A time without an offset is none. */
export function momentIn(row: Row, field: string): number | null {
  const text = textOf(row, field) ?? '';
  const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
