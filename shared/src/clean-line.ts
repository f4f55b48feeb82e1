/** Line and paragraph separators, other controls, and what turns the direction of text around. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
/** Halves of surrogate pairs that have lost the other. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that people chose, as one line for a header, a title or an SMS: nothing in it starts a line of its own. */
export function cleanLine(text: string, most = 200): string {
  const line = text.replace(LONE, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/** The same, with its lines kept. */
export function cleanText(text: string, most = 5_000): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => cleanLine(line, most))
    .join('\n')
    .slice(0, most);
}

/** Takes the life out of links in text that a stranger chose: mail and phone programs make one of whatever looks like it. */
export function unlink(text: string): string {
  return text.replace(/:\/\//g, ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '. ');
}
