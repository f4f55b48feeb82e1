/** In JSON, what jsonb refuses: U+0000, and halves of surrogate pairs, which `JSON.stringify` escapes. */
const REFUSED = /\\u(?:0000|d[89a-f])/;
/** The same, without backslashes that are escaped themselves. */
const ESCAPES = /(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * A value as JSON that jsonb takes, whatever its texts contain: a statement often stores values of many tenants, and what one
 * of them sent must not fail it for the others.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!REFUSED.test(text)) return text;
  return text.replace(ESCAPES, (_, backslashes: string | undefined) => backslashes ?? '\\ufffd');
}
