import { LiteralSearch, type Found } from './literal-search.js';
import { folded, hasEscapes, isBeyondAscii, unescaped, type PlainText } from './plain-text.js';
import { isSecretHeader, MASK } from './secret-header.js';
import { base64Of, SHORTEST_SECRET, secretValues, type Header } from './secret-values.js';

/** Replaces secrets in a text by `***`. */
export type SecretMask = (text: string) => string;

/**
 * Masks the values of secret headers in the response of a target: plain, escaped for URLs, JSON or HTML, even nested, in
 * base64, and cut off at the end of the text. Its cost is linear in the length of the headers and the text.
 * @param headers all headers of a check
 * @returns null without secrets
 */
export function createSecretMask(headers: readonly Header[]): SecretMask | null {
  const values = secretValues(headers.filter(({ name }) => isSecretHeader(name)));
  if (values.length === 0) return null;
  const literals = [...values, ...base64Of(values)].flatMap((value) =>
    hasEscapes(value) ? [folded(value), unescaped(value, false)] : [folded(value)],
  );
  const search = new LiteralSearch(
    literals.filter((literal) => literal.length >= SHORTEST_SECRET || isBeyondAscii(literal)),
  );
  return (text) => {
    const ranges = rangesIn(search, folded(text), text.length);
    if (hasEscapes(text)) ranges.push(...rangesIn(search, unescaped(text, true), text.length));
    return ranges.length === 0 ? text : withoutRanges(text, ranges);
  };
}

function rangesIn(search: LiteralSearch, plain: PlainText, length: number): Found[] {
  return search.find(plain, SHORTEST_SECRET).map(({ start, end }) => ({
    start: plain.starts[start]!,
    // The rest after the last comparable character is a cut escape.
    end: end === plain.length ? length : plain.ends[end - 1]!,
  }));
}

function withoutRanges(text: string, ranges: Found[]): string {
  let [masked, at] = ['', 0];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) masked += `${text.slice(at, start)}${MASK}`;
    at = Math.max(at, end);
  }
  return masked + text.slice(at);
}
