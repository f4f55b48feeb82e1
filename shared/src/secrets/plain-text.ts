/** The characters of a text in normalised form, with their positions in the text. */
export interface PlainText {
  length: number;
  /** Below 128. */
  codes: Uint16Array;
  /** The start and end of each character in the text. */
  starts: Uint32Array;
  ends: Uint32Array;
}

/** The number of nested escapes. */
const MOST_LAYERS = 4;
const ESCAPE =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["'\\/bfnrt$()*+.?[\]^{|}])|&#(\d{1,7});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos|nbsp);/gi;
/** An escape that is cut by the end of the text. */
const CUT_ESCAPE = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#x?[0-9a-f]{0,7}|[a-z]{0,5}))$/i;
const LONGEST_CUT = 10;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const BLANK = 0x20;
const OTHER = 0x7f;

/** Whether `unescaped` can change the text. */
export function hasEscapes(text: string): boolean {
  return /[%\\&]/.test(text);
}

/**
 * Normalises characters that servers write in several ways: controls, `+` and characters that agents replace by `?` become
 * blanks, and a run of characters beyond ASCII becomes one.
 */
export function folded(text: string): PlainText {
  const plain = empty(text.length);
  for (let at = 0; at < text.length; at++) append(plain, foldedCode(text.charCodeAt(at)), at, at + 1);
  return plain;
}

/** Decides whether a text has characters beyond ASCII: of a run of them one is left, which is found wherever there is any such run. */
export function isBeyondAscii({ codes, length }: PlainText): boolean {
  return codes.subarray(0, length).includes(OTHER);
}

/**
 * Normalises the text without its escapes.
 * @param mayBeCut whether the end of the text can cut an escape, which is then left out
 */
export function unescaped(text: string, mayBeCut: boolean): PlainText {
  let layer: Layer = { text, starts: null, ends: null };
  for (let left = MOST_LAYERS; left > 0 && hasEscapes(layer.text); left--) {
    const next = withoutEscapes(layer);
    if (next === null) break;
    layer = next;
  }
  const plain = empty(layer.text.length);
  const length = mayBeCut ? lengthUncut(layer.text) : layer.text.length;
  for (let at = 0; at < length; at++)
    append(plain, foldedCode(layer.text.charCodeAt(at)), layer.starts?.[at] ?? at, layer.ends?.[at] ?? at + 1);
  return plain;
}

interface Layer {
  text: string;
  /** Null: the identity. */
  starts: Uint32Array | null;
  ends: Uint32Array | null;
}

/** @returns null without escapes */
function withoutEscapes({ text, starts, ends }: Layer): Layer | null {
  const next = { starts: new Uint32Array(text.length), ends: new Uint32Array(text.length) };
  let [result, at] = ['', 0];
  const copyUntil = (end: number) => {
    for (let index = at; index < end; index++) {
      next.starts[result.length + index - at] = starts?.[index] ?? index;
      next.ends[result.length + index - at] = ends?.[index] ?? index + 1;
    }
    result += text.slice(at, end);
    at = end;
  };
  for (const found of text.matchAll(ESCAPE)) {
    copyUntil(found.index);
    const end = found.index + found[0].length;
    next.starts[result.length] = starts?.[at] ?? at;
    next.ends[result.length] = ends?.[end - 1] ?? end;
    result += characterOf(found);
    at = end;
  }
  if (at === 0) return null;
  copyUntil(text.length);
  return { text: result, ...next };
}

function characterOf(found: RegExpExecArray): string {
  const [, percent, unicode, hex, short, decimal, hexEntity, name] = found;
  if (name !== undefined) return NAMED[name.toLowerCase()]!;
  if (short !== undefined) return /[a-z]/i.test(short) ? ' ' : short;
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt((percent ?? unicode ?? hex ?? hexEntity)!, 16);
  return String.fromCharCode(Math.min(code, OTHER));
}

/** If the last escape is cut, the comparison ends before it. */
function lengthUncut(text: string): number {
  let { length } = text;
  for (let left = MOST_LAYERS; left > 0; left--) {
    const cut = CUT_ESCAPE.exec(text.slice(Math.max(0, length - LONGEST_CUT), length));
    if (!cut) break;
    length -= cut[0].length;
  }
  return length;
}

function foldedCode(code: number): number {
  if (code >= OTHER) return OTHER;
  return code < BLANK || code === 0x2b || code === 0x3f ? BLANK : code;
}

function empty(most: number): PlainText {
  return { length: 0, codes: new Uint16Array(most), starts: new Uint32Array(most), ends: new Uint32Array(most) };
}

function append(plain: PlainText, code: number, start: number, end: number): void {
  const { length } = plain;
  if (code === OTHER && length > 0 && plain.codes[length - 1] === OTHER) {
    plain.ends[length - 1] = end;
    return;
  }
  plain.codes[length] = code;
  plain.starts[length] = start;
  plain.ends[length] = end;
  plain.length++;
}
