import { NOT_IN_NAMES } from '@watchpost/shared/clean-line';
import { cutText } from '@watchpost/shared/storable-text';

/** The longest name that Watchpost takes. */
const MOST_NAME = 200;
const MOST_KEY = 90;
const MOST_TAG_PART = 63;

/** A name as Watchpost takes it; the fallback where nothing is left of it. */
export function nameFor(text: string | null, fallback: string): string {
  const name = cutText((text ?? '').replace(NOT_IN_NAMES, ' ').trim(), MOST_NAME).trim();
  return name === '' ? fallback : name;
}

/** Gives keys of a section of the document: each once. */
export class Keys {
  readonly #taken: Taken = new Map();

  next(name: string, fallback: string): string {
    const base =
      ascii(name)
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, MOST_KEY) || fallback;
    return unique(base, '-', this.#taken);
  }
}

/** Gives names of environment variables for secrets, and keeps their values. */
export class Secrets {
  readonly environment: Record<string, string> = {};
  readonly #taken: Taken = new Map();

  /**
   * @param prefix of the names
   * @param areShown whether the document contains the values themselves
   */
  constructor(
    private readonly prefix: string,
    private readonly areShown: boolean,
  ) {}

  /** @returns what the document has in the place of the value */
  keep(name: string, value: string): { env: string } | string {
    if (this.areShown) return value;
    const base = ascii(name)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, MOST_KEY);
    const env = unique(`${this.prefix}_${base}`, '_', this.#taken);
    this.environment[env] = value;
    return { env };
  }
}

/** A tag of one part or, with a value, of two; undefined where nothing is left of the name. */
export function tagFor(name: string, value: string | null): string | undefined {
  const [first, second] = [tagPart(name), value === null ? '' : tagPart(value)];
  return first === '' ? undefined : second === '' ? first : `${first}:${second}`;
}

function tagPart(text: string): string {
  return ascii(text)
    .replace(/[^a-z0-9._/-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MOST_TAG_PART)
    .replace(/-+$/, '');
}

/** In lower case, and letters without their accents. */
function ascii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Names that are taken, with the number to try next after each. */
export type Taken = Map<string, number>;

/** Gives the base, or with a number after it where it is taken. */
export function unique(base: string, separator: string, taken: Taken): string {
  let name = base;
  let number = taken.get(base) ?? 2;
  for (; taken.has(name); number++) name = `${base}${separator}${number}`;
  taken.set(base, number);
  if (name !== base) taken.set(name, 2);
  return name;
}
