import type { Assertion } from '@watchpost/shared/assertions/assertion';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { capitalized } from '../../parts/format.js';
import type { Extraction } from './step-values.js';

/** More than people read; longer answers are better queried by hand. */
const MOST_VALUES = 100;
/** Longer texts are cut in evidence, so that they are not known whole. */
const LONGEST_TARGET = 200;
/** The limit of an extracted value; there is room for a number behind it. */
const LONGEST_NAME = 38;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A part of an answer that an assertion can be about. */
export interface AnswerPart {
  name: string;
  text: string;
  assertion: Assertion;
  /** Takes its value over for later steps; left out where it is no single value. */
  extraction?: Extraction & { name: string };
}

export function partsOfHeaders(headers: Readonly<Record<string, string>>): AnswerPart[] {
  return Object.entries(headers).map(([name, value]) => {
    const about = { source: 'header', property: name, severity: 'down' } as const;
    const isShown = !value.includes(MASK) && value.length <= LONGEST_TARGET;
    return {
      name,
      text: value,
      extraction: { name: nameFrom(name), from: 'header', expression: name, secret: false },
      assertion: isShown ? { ...about, comparison: 'equals', target: value } : { ...about, comparison: 'exists' },
    };
  });
}

/**
 * The values of a JSON answer, each with its query, from the outside in.
 * @returns undefined for a body that is no JSON, or that was cut
 */
export function partsOfJson(body: string): AnswerPart[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  const parts: AnswerPart[] = [];
  const visit = (value: unknown, path: string) => {
    if (parts.length >= MOST_VALUES) return;
    parts.push(partOfValue(value, path));
    if (typeof value !== 'object' || value === null) return;
    const steps: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const step of steps) visit((value as Record<string | number, unknown>)[step], path + segmentOf(step));
  };
  visit(json, '$');
  return parts;
}

function partOfValue(value: unknown, path: string): AnswerPart {
  const about = { source: 'json', property: path, severity: 'down' } as const;
  const text = Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === 'object' && value !== null
      ? `an object of ${Object.keys(value).length}`
      : JSON.stringify(value);
  return {
    name: path,
    text,
    assertion: { ...about, ...comparisonWith(value) },
    ...(!(typeof value === 'object' && value !== null) && {
      extraction: {
        name: nameFrom(/\['([^']*)'\](?:\[\d+\])*$/.exec(path)?.[1] ?? ''),
        from: 'json',
        expression: path,
        secret: false,
      },
    }),
  };
}

/** `xRequestId` of the header `x-request-id`. */
function nameFrom(text: string): string {
  const [first = 'value', ...others] = text.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? [];
  return [first, ...others.map(capitalized)].join('').slice(0, LONGEST_NAME);
}

function comparisonWith(value: unknown): Pick<Assertion, 'comparison' | 'target'> {
  if (Array.isArray(value))
    return value.length === 0
      ? { comparison: 'countEquals', target: 0 }
      : { comparison: 'countGreaterThan', target: 0 };
  if (typeof value === 'string' && TIME.test(value)) return { comparison: 'newerThan', target: 'P1D' };
  if (value === null || typeof value === 'boolean') return { comparison: 'equals', target: value };
  if (typeof value === 'string' && value.length <= LONGEST_TARGET) return { comparison: 'equals', target: value };
  // A greater one is not the number that the answer has.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    return { comparison: 'equals', target: value };
  return { comparison: 'exists' };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
};

/** A step of a normalized path (RFC 9535 §2.7): `[0]`, `['name']`. */
function segmentOf(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  const escaped = step.replaceAll(
    /[\p{Cc}'\\]/gu,
    (char) => ESCAPES[char] ?? (char > '\u001f' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  return `['${escaped}']`;
}
