/** Half of a surrogate pair. */
export const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const HIGH = /[\ud800-\udbff]$/;
const UNSTORABLE = '\ufffd';

/** The beginning of a text as `cutText` has it, without what PostgreSQL does not store: U+0000, and halves of surrogate pairs. */
export function storableText(text: string, most = Infinity): string {
  return cutText(text, most).replaceAll('\u0000', UNSTORABLE).replace(LONE, UNSTORABLE);
}

/** The beginning of a text, at most `most` UTF-16 units: a character of two is kept whole or left out. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(HIGH, '');
}
