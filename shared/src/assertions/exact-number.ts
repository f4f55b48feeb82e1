/** Sign, whole part, fraction and exponent of a number in JSON or YAML, which is known to be one. */
const PARTS = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
const ZERO = 48;
/** Exponents up to this one are compared. */
const MOST_MAGNITUDE = 1e15;

/** Longer numbers are not compared: a query may compare one with each value of a document. */
const MOST_CHARS = 1_000;

/** A number has more than 1,000 characters, or two have exponents of more than 15 digits. */
export class TooLargeNumber extends Error {}

/** A number of JSON that a number of JavaScript may round; it is the number that is written. Its fields are private: it is no object of JSON. */
export class Decimal {
  readonly #text: string;
  #parts: Parts | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws TooLargeNumber */
  static partsOf(number: ExactNumber): Parts {
    return typeof number === 'number' ? partsOf(String(number)) : (number.#parts ??= partsOf(number.#text));
  }

  toString(): string {
    return this.#text;
  }
}

export type ExactNumber = number | Decimal;

export function isNumeric(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** A number that has fewer characters, and an exponent of at most two digits, is exact in JavaScript. */
const LONG = 16;

export function exactNumber(text: string): ExactNumber {
  const number = Number(text);
  const isShort = text.length < LONG && !/e[+-]?\d{3}/i.test(text);
  return isShort || String(number) === text ? number : new Decimal(text);
}

/** Decides whether the number of JavaScript that this text of JSON becomes is another one. One with an exponent that becomes infinite is not. */
export function isRounded(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return !/e/i.test(text);
  return text.length > MOST_CHARS || compareNumbers(number, new Decimal(text)) !== 0;
}

/**
 * Compares two numbers as they are written: one of JavaScript is that of its shortest digits, `1e30` has thirty zeros. The exponents may be
 * anything: no digits are made of them.
 * @returns a negative number where the first is less, 0 where they are equal @throws TooLargeNumber
 */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  const [one, other] = [Decimal.partsOf(a), Decimal.partsOf(b)];
  if (one.sign !== other.sign) return one.sign - other.sign;
  if (Math.min(Math.abs(one.magnitude), Math.abs(other.magnitude)) > MOST_MAGNITUDE) throw new TooLargeNumber();
  if (one.magnitude !== other.magnitude) return one.magnitude < other.magnitude ? -one.sign : one.sign;
  if (one.digits === other.digits) return 0;
  return one.digits < other.digits ? -one.sign : one.sign;
}

/** The number is 0.`digits` times ten to the power of `magnitude`, with the sign. */
interface Parts {
  sign: -1 | 0 | 1;
  magnitude: number;
  /** Neither begins nor ends with a zero. */
  digits: string;
}

function partsOf(text: string): Parts {
  if (text.length > MOST_CHARS) throw new TooLargeNumber();
  const [, minus, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return { sign: 0, magnitude: 0, digits: '' };
  const magnitude = whole.length - first + Number(exponent);
  let end = all.length;
  while (all.charCodeAt(end - 1) === ZERO) end--;
  return { sign: minus ? -1 : 1, magnitude, digits: all.slice(first, end) };
}
