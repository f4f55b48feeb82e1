import { compareNumbers, exactNumber, isNumeric, isRounded, type ExactNumber } from './exact-number.js';
import { isDeeperThan, outsideTexts } from './json-source.js';
import { TooMuchWork, type Work } from './work.js';

export type ExactJson = string | ExactNumber | boolean | null | ExactJson[] | { [name: string]: ExactJson };

/** A number with 16 digits has eight on one side of its point; that is found in a third of the time. */
const HAS_DIGITS = /\d{8}/;
const HAS_LONG = /[\d.]{16}/;
const HAS_EXPONENT = /(?:^|[\s:,[])-?\d[\d.]*[eE][+-]?\d{3}/;
const LONG_NUMBER = /-?\d[\d.eE+-]{15,}|-?\d[\d.]*[eE][+-]?\d{3,}/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SMALLEST = 5e-324;
const MOST_SHOWN = 40;
/** Numbers below this one are in place of others: the smallest of the first. */
const PLACEHOLDERS_BELOW = 1e-300;

/** Shorter texts are parsed at once, however deep they are. */
const LONG_TEXT = 64 * 1024;
const MOST_DEPTH = 10_000;
/** Reading a long number costs as much as examining this many characters, and one that is replaced this many more. */
const [READ_WORK, REPLACED_WORK] = [10, 60];

/**
 * Parses JSON whose numbers become `Decimal` where numbers of JavaScript would be rounded. Node.js 20 does not show a reviver the source of a
 * number, so that each of these is replaced by a number that JSON hardly ever has.
 * @throws SyntaxError, or TooMuchWork
 */
export function parseExactJson(text: string, work: Work): ExactJson {
  if (text.length > LONG_TEXT && isDeeperThan(text, MOST_DEPTH)) throw new TooMuchWork();
  if (!hasLongNumber(text)) return JSON.parse(text) as ExactJson;
  const numbers: ExactNumber[] = [];
  const replaced = outsideTexts(text, (part) =>
    part.replaceAll(LONG_NUMBER, (token) => {
      work.spend(READ_WORK);
      const number = exactNumber(token);
      const isKept = typeof number === 'number' && (number <= 0 || number >= PLACEHOLDERS_BELOW);
      if (isKept || !NUMBER.test(token)) return token;
      work.spend(REPLACED_WORK);
      numbers.push(number);
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

/** Decides whether a text can have a number that JavaScript rounds; hardly any other one is taken for such. */
function hasLongNumber(json: string): boolean {
  return (HAS_DIGITS.test(json) && HAS_LONG.test(json)) || HAS_EXPONENT.test(json);
}

/** The first number of a text of JSON that numbers of JavaScript would round. */
export function roundedNumber(json: string): string | undefined {
  if (!hasLongNumber(json)) return undefined;
  let rounded: string | undefined;
  outsideTexts(json, (part) => {
    for (const [token] of part.matchAll(LONG_NUMBER)) if (isRounded(token)) rounded ??= token;
    return part;
  });
  return rounded;
}

/** States that a number is this one, which would be rounded, and what to do about it. */
export function roundedFault(number: string): string {
  const shown = number.length > MOST_SHOWN ? `${number.slice(0, MOST_SHOWN)}…` : number;
  return (
    `is ${shown}, which would be rounded: put a text into quotes, and write the target of an assertion as { "number": "${shown}" }; ` +
    'no other number has as many digits'
  );
}

/** Decides whether two values of JSON are the same. Types are strict, and numbers are compared exactly. */
export function isSameJson(a: unknown, b: unknown, visit: () => void): boolean {
  visit();
  if (isNumeric(a) || isNumeric(b)) return isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0;
  if (a === b) return true;
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
