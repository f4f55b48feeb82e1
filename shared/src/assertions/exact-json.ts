import { isDeeperThan, outsideTexts } from './json-source.js';
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
const NUMBER_WORK = 60;

/**
 * Parses JSON whose integers above 2^53 become `bigint`: numbers of JavaScript would be rounded. Node.js 20 does not show a reviver
 * the source of a number, so that each of these integers is replaced by a number that JSON hardly ever has.
 * @throws SyntaxError, or TooMuchWork
 */
export function parseExactJson(text: string, work: Work): ExactJson {
  if (text.length > LONG_TEXT && isDeeperThan(text, MOST_DEPTH)) throw new TooMuchWork();
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

/** Decides whether two values of JSON are the same. Types are strict, and numbers are compared exactly. */
export function isSameJson(a: unknown, b: unknown, visit: () => void): boolean {
  visit();
  if (isNumeric(a) && isNumeric(b)) return !isLessNumber(a, b) && !isLessNumber(b, a);
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

/** A number is infinite here: one of more than 308 digits, unless it is an integer of at most 400. */
export class TooLargeNumber extends Error {}

/** Decides whether a number is less than another one, as both are written. @throws TooLargeNumber */
export function isLessNumber(a: number | bigint, b: number | bigint): boolean {
  return comparable(a, b) < comparable(b, a);
}

function comparable(one: number | bigint, other: number | bigint): number | bigint {
  if (typeof one === 'bigint') return one;
  if (!Number.isFinite(one)) throw new TooLargeNumber();
  return typeof other === 'number' || Math.abs(one) <= Number.MAX_SAFE_INTEGER ? one : writtenInteger(one);
}

/** `1e30` is the integer with thirty zeros; the nearest number of JavaScript is another one. */
function writtenInteger(number: number): bigint {
  const [digits = '', exponent] = number.toExponential().split('e');
  const [whole, fraction = ''] = digits.split('.');
  return BigInt(`${whole}${fraction}`) * 10n ** BigInt(Number(exponent) - fraction.length);
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
