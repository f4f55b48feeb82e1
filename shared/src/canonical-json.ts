/**
 * JSON with the keys of every object sorted, so that equal values have equal text (in the manner of RFC 8785).
 * Written out rather than done with a replacer of `JSON.stringify`, which takes four times as long.
 */
export function canonicalJson(value: unknown): string {
  return textOf(value, '') ?? 'null';
}

function textOf(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return textOf((value.toJSON as (key: string) => unknown)(key), key);
  if (Array.isArray(value)) return `[${value.map((item, index) => textOf(item, String(index)) ?? 'null').join(',')}]`;
  let text = '';
  for (const name of Object.keys(value).toSorted()) {
    const member = textOf((value as Record<string, unknown>)[name], name);
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `{${text}}`;
}
