import type { AssertionSource, Comparison } from './assertion.js';

const PRESENCE: readonly Comparison[] = ['exists', 'notExists'];
const EQUALITY: readonly Comparison[] = ['equals', 'notEquals', 'in'];
const TEXT: readonly Comparison[] = [...EQUALITY, 'contains', 'notContains', 'matches', 'notMatches'];
const ORDER: readonly Comparison[] = ['lessThan', 'greaterThan'];
const COUNT: readonly Comparison[] = ['countEquals', 'countLessThan', 'countGreaterThan'];
const AGE: readonly Comparison[] = ['olderThan', 'newerThan'];

interface SourceFacts {
  /** Its name in a sentence, before its property. */
  label: string;
  /** The type of its values; `any` for those of JSON. */
  type: 'text' | 'number' | 'any';
  property?: 'the name of a header' | 'a JSONPath query';
  comparisons: readonly Comparison[];
}

const text = (label: string): SourceFacts => ({ label, type: 'text', comparisons: TEXT });
const number = (label: string): SourceFacts => ({ label, type: 'number', comparisons: [...EQUALITY, ...ORDER] });
const optional = (facts: SourceFacts): SourceFacts => ({ ...facts, comparisons: [...facts.comparisons, ...PRESENCE] });

export const SOURCES: Readonly<Record<AssertionSource, SourceFacts>> = {
  status: number('The status'),
  header: {
    label: 'Header',
    type: 'text',
    property: 'the name of a header',
    comparisons: [...TEXT, ...PRESENCE, ...COUNT, ...AGE],
  },
  body: { ...text('The body'), comparisons: [...TEXT, ...AGE] },
  json: {
    label: 'JSON',
    type: 'any',
    property: 'a JSONPath query',
    comparisons: [...TEXT, ...ORDER, ...PRESENCE, ...COUNT, ...AGE],
  },
  responseTime: number('The response time'),
  bodySize: number('The size of the body'),
  tlsVersion: optional(text('The TLS version')),
  httpVersion: text('The HTTP version'),
  certificateDays: optional(number('The number of days left of the certificate')),
  redirectCount: number('The number of redirects'),
  finalUrl: text('The final URL'),
  address: text('The address'),
};

/** Decides whether a source is the body, or a part of it. */
export function isAboutBody(source: unknown): boolean {
  return source === 'body' || source === 'bodySize' || source === 'json';
}
