import { TooMuchWork, type Work } from './work.js';

/** JSON with exact integers. */
export type ExactJson = string | number | bigint | boolean | null | ExactJson[] | { [name: string]: ExactJson };

/** Integers that a number of JavaScript may round; those of more than 400 digits are infinite for it. */
const LONG_INTEGER = /^-?[1-9]\d{15,399}$/;
/** Numbers that are replaced by very small ones: long integers, and those that are as small. */
const REPLACED = /(?<![\d.eE+-])-?(?:[1-9]\d{15,399}(?![\d.eE])|\d+(?:\.\d+)?[eE]-\d{3,}|0\.0{290}\d*(?![\deE]))/g;
const SMALLEST = 5e-324;
const MOST_SHOWN = 40;
/** Numbers below this one are in place of others: the smallest of the first. */
const PLACEHOLDERS_BELOW = 1e-300;

/** Shorter texts are parsed at once, however deep they are. */
const LONG_TEXT = 64 * 1024;
const MOST_DEPTH = 10_000;
const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 91, 93, 123, 125];
const NUMBER_WORK = 60;

/**
 * Parses JSON whose integers above 2^53 become `bigint`: numbers of JavaScript would be rounded. Node.js 20 does not show a reviver
 * the source of a number, so that each of these integers is replaced by a number that JSON hardly ever has.
 * @throws SyntaxError, or TooMuchWork
 */
export function parseExactJson(text: string, work: Work): ExactJson {
  if (text.length > LONG_TEXT && isTooDeep(text)) throw new TooMuchWork();
  if (!/\d{16}/.test(text)) return JSON.parse(text) as ExactJson;
  const numbers: (bigint | number)[] = [];
  const replaced = outsideTexts(text, (part) =>
    part.replaceAll(REPLACED, (token) => {
      const number = Number(token);
      if (Number.isSafeInteger(number)) return token;
      work.spend(NUMBER_WORK);
      numbers.push(LONG_INTEGER.test(token) ? BigInt(token) : number);
      return String(numbers.length * SMALLEST);
    }),
  );
  if (numbers.length === 0) return JSON.parse(text) as ExactJson;
  return JSON.parse(replaced, (_, value: unknown) =>
    typeof value === 'number' && value > 0 && value < PLACEHOLDERS_BELOW
      ? (numbers[Math.round(value / SMALLEST) - 1] ?? value)
      : value,
  ) as ExactJson;
}

/** The first integer of a text of JSON that numbers of JavaScript would round. */
export function roundedInteger(json: string): string | undefined {
  if (!/\d{16}/.test(json)) return undefined;
  let rounded: string | undefined;
  outsideTexts(json, (part) => {
    for (const [token] of part.matchAll(REPLACED)) {
      if (LONG_INTEGER.test(token) && isRounded(BigInt(token))) rounded ??= token;
    }
    return part;
  });
  return rounded;
}

/** Decides whether a number of JavaScript is not exactly this integer. */
export function isRounded(integer: bigint): boolean {
  const number = Number(integer);
  return !Number.isFinite(number) || BigInt(number) !== integer;
}

/** States that a number is this integer, which would be rounded, and what to do about it. */
export function roundedFault(integer: string): string {
  const shown = integer.length > MOST_SHOWN ? `${integer.slice(0, MOST_SHOWN)}…` : integer;
  return (
    `is ${shown}, which would be rounded: put a text into quotes, and write the target of an assertion as { "integer": "${shown}" }; ` +
    'no other number is as large'
  );
}

/** Decides whether lists and objects are within each other so often that parsing them alone takes long. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

/** Changes what is not within the quotes of a text. */
function outsideTexts(json: string, change: (part: string) => string): string {
  let [changed, at] = ['', 0];
  for (;;) {
    const begin = json.indexOf('"', at);
    if (begin === -1) return changed + change(json.slice(at));
    const end = endOfText(json, begin);
    changed += change(json.slice(at, begin)) + json.slice(begin, end);
    at = end;
  }
}

function endOfText(json: string, begin: number): number {
  let end = begin;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

/** Decides whether two values of JSON are the same. Types are strict, and numbers are compared exactly. */
export function isSameJson(a: unknown, b: unknown, visit: () => void): boolean {
  visit();
  if (a === b) return true;
  // A number and a bigint are compared by their exact values.
  if (isNumeric(a) && isNumeric(b)) return !(a < b) && !(a > b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((entry, index) => isSameJson(entry, b[index], visit));
  }
  if (!isObject(a) || !isObject(b) || Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameJson(a[name], b[name], visit))
  );
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
