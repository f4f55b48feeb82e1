/** Deeper than any resource of ours, and far from the depth at which recursion gets dangerous. */
const MAX_DEPTH = 64;

/** Of one list or object; more than any list of ours may have. */
const MAX_ENTRIES = 10_000;
/** To parse and to look through so many takes tens of ms, in which the process serves nobody else. */
const MAX_VALUES = 100_000;

/**
 * Looks for what would take too long to parse and to validate: too many values, or nesting that is too deep.
 * @param text JSON, or anything else
 * @returns a sentence for the caller, or undefined where all is well
 */
export function excessInJsonText(text: string): string | undefined {
  /** The entries of each open bracket. */
  const open: number[] = [];
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index);
        break;
      case 0x7b: // {
      case 0x5b: // [
        values++;
        if (open.push(1) > MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x2c: // ,
        values++;
        if (++open[open.length - 1]! > MAX_ENTRIES)
          return `A list or an object in the body has more than ${MAX_ENTRIES} entries.`;
        break;
      default:
    }
    if (values > MAX_VALUES) return `The body has more than ${MAX_VALUES} values.`;
  }
  return undefined;
}

/**
 * What is wrong with a JSON text that parses: a key given twice in one object, of which one would be lost in silence
 * (RFC 7493 §2.3).
 * @param text valid JSON
 * @returns a sentence for the caller, or undefined where all is well
 */
export function faultInJsonText(text: string): string | undefined {
  /** One entry an open bracket: the keys seen so far, or null for an array. */
  const open: (Set<string> | null)[] = [];
  let keyIsNext = false;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x7b: // {
      case 0x5b: {
        // [
        const isObject = text[index] === '{';
        open.push(isObject ? new Set() : null);
        keyIsNext = isObject;
        break;
      }
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x2c: // ,
        keyIsNext = open.at(-1) instanceof Set;
        break;
      case 0x22: {
        // "
        const end = endOfString(text, index);
        const keys = open.at(-1);
        if (keyIsNext && keys) {
          const key = keyOf(text.slice(index, end + 1));
          if (keys.has(key)) return `The body names \`${key.slice(0, 100)}\` twice in one object.`;
          keys.add(key);
          keyIsNext = false;
        }
        index = end;
        break;
      }
      default:
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

function keyOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
