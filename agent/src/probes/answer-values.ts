import type { AssertionSource } from '@watchpost/shared/assertions/assertion';
import { parseExactJson, type ExactJson } from '@watchpost/shared/assertions/exact-json';
import { TooLargeNumber } from '@watchpost/shared/assertions/exact-number';
import { sourceAt } from '@watchpost/shared/assertions/json-source';
import { Query, type Match } from '@watchpost/shared/assertions/query';
import { SyntaxFault } from '@watchpost/shared/assertions/syntax-fault';
import { TooMuchWork, Work } from '@watchpost/shared/assertions/work';
import { valuesOf, type AnswerHead } from './answer-head.js';
import type { AssertedValue } from './decide-comparison.js';

/** The values that are compared; null where the answer has none. */
type OwnValues = Record<Exclude<AssertionSource, 'header' | 'body' | 'json' | 'bodySize'>, string | number | null>;

export interface AssertedAnswer extends OwnValues {
  head: AnswerHead;
  body: AssertedBody | UnreadBody;
  nowMs: number;
}

/** A complete body, decoded. */
export interface AssertedBody {
  size: number;
  text: string;
}

/** The reason why the body has no values. */
export class UnreadBody {
  constructor(readonly why: string) {}
}

class NotEvaluated extends Error {}

/** Parsing a character costs this share of examining it. */
const PARSE_WORK = 0.5;
/** The same of searching for a place that is known. */
const SEARCH_WORK = 0.1;

/** The values of an answer for assertions and extractions, with at most the work that one request may cause. */
export class AnswerValues {
  readonly work = new Work();
  #json: ExactJson | undefined;

  constructor(readonly answer: AssertedAnswer) {}

  of(source: AssertionSource, property = ''): readonly AssertedValue[] {
    switch (source) {
      case 'header':
        return valuesOf(this.answer.head, property.toLowerCase());
      case 'body':
        return [this.body.text];
      case 'bodySize':
        return [this.body.size];
      case 'json':
        return this.#matches(property).map(({ value }) => value);
      default: {
        const value = this.answer[source];
        return value === null ? [] : [value];
      }
    }
  }

  /** The first match of a query: a text, or anything else as it is written. */
  firstMatch(query: string): string | undefined {
    const [first] = this.#matches(query);
    if (first === undefined || typeof first.value === 'string') return first?.value as string | undefined;
    const { text } = this.body;
    this.work.spend(text.length * SEARCH_WORK);
    return sourceAt(text, first.location);
  }

  get body(): AssertedBody {
    const { body } = this.answer;
    if (body instanceof UnreadBody) throw new NotEvaluated(body.why);
    return body;
  }

  #matches(query: string): readonly Match[] {
    return Query.of(query).find((this.#json ??= this.#parsed()), this.work);
  }

  #parsed(): ExactJson {
    const { text } = this.body;
    this.work.spend(text.length * PARSE_WORK);
    try {
      return parseExactJson(text, this.work);
    } catch (error) {
      if (error instanceof SyntaxError) throw new NotEvaluated('the body is no JSON');
      throw error;
    }
  }
}

/** Explains an error of reading a value, within a sentence. */
export function whyNotRead(error: unknown): string {
  if (error instanceof NotEvaluated) return error.message;
  if (error instanceof SyntaxFault) return `it ${error.message}`;
  if (error instanceof TooLargeNumber) return 'it has a number that is too large to be compared';
  // A document of very deep parts exhausts the stack.
  if (error instanceof TooMuchWork || error instanceof RangeError)
    return 'the answer is too large for the queries and patterns of this check';
  throw error;
}
