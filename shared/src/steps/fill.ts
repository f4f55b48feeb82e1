import { LONE } from '../storable-text.js';
import { placeholdersOf, type Placeholder } from './placeholders.js';

/** Values are percent-encoded, escaped for strings of JSON or for a pattern of RE2 that matches them as they are, or not escaped at all. */
export type Escaping = 'percent' | 'json' | 'pattern' | 'none';

/** Fills the placeholders of a text; one without a value stays. */
export function fill(text: string, values: ReadonlyMap<string, string>, escaping: Escaping): string {
  const placeholders = placeholdersOf(text);
  if (placeholders.length === 0) return text;
  const isInString = escaping === 'json' ? stringsOf(text, placeholders) : undefined;
  let [filled, at] = ['', 0];
  for (const [index, { name, at: start, end }] of placeholders.entries()) {
    const value = values.get(name);
    if (value === undefined) continue;
    filled += text.slice(at, start) + escaped(value, isInString?.[index] === false ? 'none' : escaping);
    at = end;
  }
  return filled + text.slice(at);
}

/** Decides how values are escaped in a body, by its Content-Type. */
export function escapingOfBody(body: string, contentType: string | undefined): Escaping {
  if (contentType === undefined) return /^\s*[[{]/.test(body) ? 'json' : 'none';
  if (/json/i.test(contentType)) return 'json';
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType) ? 'percent' : 'none';
}

function escaped(value: string, escaping: Escaping): string {
  switch (escaping) {
    case 'percent':
      return encodeURIComponent(value.replace(LONE, '\ufffd'));
    case 'json':
      return JSON.stringify(value).slice(1, -1);
    case 'pattern':
      return value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    case 'none':
      return value;
  }
}

/** Decides of each placeholder of a JSON text whether it is inside a string. */
function stringsOf(text: string, placeholders: readonly Placeholder[]): boolean[] {
  let [isInside, at] = [false, 0];
  return placeholders.map(({ at: start, end }) => {
    for (const [found] of text.slice(at, start).matchAll(/\\.|"/gs)) if (found === '"') isInside = !isInside;
    at = end;
    return isInside;
  });
}
