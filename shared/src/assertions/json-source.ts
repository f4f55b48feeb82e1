const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, BACKSLASH, SPACE] = [34, 91, 93, 123, 125, 92, 32];
const COMMA = 44;

/** Returns where a text within JSON ends, behind its closing quote. */
export function endOfText(json: string, begin: number): number {
  let end = begin;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** Changes what is not within the quotes of a text. */
export function outsideTexts(json: string, change: (part: string) => string): string {
  let [changed, at] = ['', 0];
  for (;;) {
    const begin = json.indexOf('"', at);
    if (begin === -1) return changed + change(json.slice(at));
    const end = endOfText(json, begin);
    changed += change(json.slice(at, begin)) + json.slice(begin, end);
    at = end;
  }
}

/** Decides whether lists and objects are within each other more often than this. */
export function isDeeperThan(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (depth > most) return true;
  }
  return false;
}

/**
 * The value at a place of a valid JSON text, as it is written there but for blanks: `1.10` is a number with all of its digits.
 * @param place the names and indices that lead to it
 */
export function sourceAt(json: string, place: readonly (string | number)[]): string {
  let source = '';
  /** @returns where the value ends that begins here; `depth` is how much of the place led to it, -1: it is elsewhere */
  const read = (begin: number, depth: number): number => {
    const code = json.charCodeAt(begin);
    const next = place[depth];
    const isInside = typeof next === 'string' ? code === OPEN_OBJECT : next !== undefined && code === OPEN_LIST;
    if (!isInside) {
      const end = endOfValue(json, begin);
      if (depth === place.length) source = json.slice(begin, end);
      return end;
    }
    let at = begin + 1;
    for (let index = 0; ; index++) {
      at = afterBlanks(json, at);
      if (json.charCodeAt(at) === COMMA) at = afterBlanks(json, at + 1);
      if (json.charCodeAt(at) === CLOSE_LIST || json.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
      let name: string | number = index;
      if (code === OPEN_OBJECT) {
        const end = endOfText(json, at);
        name = JSON.parse(json.slice(at, end)) as string;
        at = afterBlanks(json, afterBlanks(json, end) + 1);
      }
      // Of a name that is there twice the last value counts.
      at = read(at, name === next ? depth + 1 : -1);
    }
  };
  read(afterBlanks(json, 0), 0);
  return outsideTexts(source, (part) => part.replace(/\s+/g, ''));
}

function afterBlanks(json: string, begin: number): number {
  let at = begin;
  while (json.charCodeAt(at) <= SPACE) at++;
  return at;
}

function endOfValue(json: string, begin: number): number {
  let [at, depth] = [begin, 0];
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (depth > 0 && (code === CLOSE_LIST || code === CLOSE_OBJECT)) depth--;
    else if (depth === 0 && (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code <= SPACE))
      return at;
    if (depth === 0 && (code === QUOTE || code === CLOSE_LIST || code === CLOSE_OBJECT)) return at + 1;
  }
  return at;
}
