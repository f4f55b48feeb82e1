import type { AssertionSource } from '@watchpost/shared/assertions/assertion';
import { parseExactJson, type ExactJson } from '@watchpost/shared/assertions/exact-json';
import { Query } from '@watchpost/shared/assertions/query';
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
        return Query.of(property).values((this.#json ??= this.#parsed()), this.work);
      default: {
        const value = this.answer[source];
        return value === null ? [] : [value];
      }
    }
  }

  get body(): AssertedBody {
    const { body } = this.answer;
    if (body instanceof UnreadBody) throw new NotEvaluated(body.why);
    return body;
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
  // A document of very deep parts exhausts the stack.
  if (error instanceof TooMuchWork || error instanceof RangeError)
    return 'the answer is too large for the queries and patterns of this check';
  throw error;
}
