/** Line and paragraph separators, other controls, and changes of the text direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
/** Lone surrogates. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Converts user-defined text to one line for a header, a title or an SMS.
 * @param cut the end of a text that is shortened
 */
export function cleanLine(text: string, most = 200, cut = '…'): string {
  const line = text.replace(LONE, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - cut.length).join('')}${cut}`;
}

/** The same, with line breaks kept. */
export function cleanText(text: string, most = 5_000): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => cleanLine(line, most))
    .join('\n')
    .slice(0, most);
}

/** Breaks links in untrusted text: mail and phone programs turn anything similar into a link. */
export function unlink(text: string): string {
  return text.replace(/:\/\//g, ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '. ');
}
