import type { Work } from '@watchpost/shared/assertions/work';

/** Up to this many pairs of characters, the search of the platform, which may compare them all, is quick enough. */
const FEW_PAIRS = 1_000_000;
const PAIR_WORK = 0.04;
/** Following one character costs this share of what a pattern does with it. */
const CHARACTER_WORK = 0.16;

/** Decides whether a text has a part, in a time that no text makes long: by Knuth, Morris and Pratt where it is large. */
export function includesText(text: string, part: string, work: Work): boolean {
  if (part.length > text.length) return false;
  const pairs = text.length * part.length;
  if (pairs <= FEW_PAIRS) {
    work.spend(pairs * PAIR_WORK);
    return text.includes(part);
  }
  work.spend((text.length + part.length) * CHARACTER_WORK);
  const wanted = Uint16Array.from({ length: part.length }, (_, at) => part.charCodeAt(at));
  const borders = new Uint32Array(wanted.length);
  for (let at = 1, known = 0; at < wanted.length; at++) {
    while (known > 0 && wanted[at] !== wanted[known]) known = borders[known - 1]!;
    if (wanted[at] === wanted[known]) known++;
    borders[at] = known;
  }
  for (let at = 0, known = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (known > 0 && code !== wanted[known]) known = borders[known - 1]!;
    if (code === wanted[known] && ++known === wanted.length) return true;
  }
  return false;
}
