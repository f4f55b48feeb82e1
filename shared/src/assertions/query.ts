import { FunctionExpressionType, JSONPathEnvironment, JSONPathError, JSONPathNodeList, Nothing } from 'json-p3';
import { BoundedCache } from '../bounded-cache.js';
import { isSameJson, type ExactJson } from './exact-json.js';
import { compareNumbers, Decimal, exactNumber, isNumeric, TooLargeNumber } from './exact-number.js';
import { MAX_PATTERN, Pattern } from './pattern.js';
import { SyntaxFault } from './syntax-fault.js';
import { TooMuchWork, type Work } from './work.js';

/** Deeper parts of a document are not searched by `..`. */
const MOST_DEPTH = 100;
/** Visiting a value costs as much as examining this many characters. */
const VISIT_WORK = 16;

const KNOWN = new BoundedCache<string, Query>(500);
/** The work of the query that runs; queries are synchronous. */
let spending: Work;
const visit = (count = 1) => spending.spend(VISIT_WORK * count);

/** A part of a filter, as the library has it: a comparison, a function, a query or a literal. */
interface Expression {
  evaluate(context: unknown): unknown;
  operator?: string;
  left?: Expression;
  right?: Expression;
  expression?: Expression;
  args?: Expression[];
  path?: Segments;
  value?: unknown;
  token: { value: string };
}
interface Selector {
  resolve(node: { value: unknown }): unknown[];
  expression?: Expression;
}
interface Segments {
  segments: readonly { selectors: readonly Selector[] }[];
}

export interface Match {
  value: ExactJson;
  /** The names and indices that lead to it. */
  location: readonly (string | number)[];
}

/** A query of RFC 9535. It is evaluated within the work of a check, compares numbers exactly, and its patterns are those of RE2. */
export class Query {
  readonly #query: ReturnType<JSONPathEnvironment['compile']>;

  private constructor(source: string) {
    try {
      this.#query = ENVIRONMENT.compile(source);
    } catch (error) {
      if (!(error instanceof JSONPathError)) throw new SyntaxFault('is no JSONPath query', 1);
      const why = error.message.replace(/ \('.*':\d+\)$/s, '');
      throw new SyntaxFault(`is no JSONPath query: ${why}`, error.token.index + 1);
    }
    boundSegments(this.#query);
  }

  /** @throws SyntaxFault */
  static of(source: string): Query {
    let query = KNOWN.get(source);
    if (query === undefined) KNOWN.set(source, (query = new Query(source)));
    return query;
  }

  /** The values that it finds in a document, with their places. @throws TooMuchWork, TooLargeNumber */
  find(document: ExactJson, work: Work): readonly Match[] {
    spending = work;
    try {
      return this.#query.query(document as never).nodes as readonly Match[];
    } catch (error) {
      if (error instanceof TooLargeNumber) throw error;
      // Beside the work itself: too deep, or more values than a call has arguments.
      throw new TooMuchWork();
    }
  }
}

const { ValueType, LogicalType } = FunctionExpressionType;

/** `match` and `search`; those of the library backtrack. */
function patternFunction(isWhole: boolean) {
  return {
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call(text: unknown, source: unknown): boolean {
      if (typeof text !== 'string' || typeof source !== 'string') return false;
      // A document can have patterns, too: each costs what the longest does.
      spending.spend(MAX_PATTERN * VISIT_WORK);
      try {
        return Pattern.of(withoutLineEnds(source)).test(text, spending, isWhole);
      } catch (error) {
        if (error instanceof SyntaxFault) return false;
        throw error;
      }
    },
  };
}

/** The dot of RFC 9485 matches neither of the two ends of a line, that of RE2 one of them. */
function withoutLineEnds(source: string): string {
  return source.replaceAll(/\\.|\[(?:\\.|[^\\\]])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part));
}

const ENVIRONMENT = new JSONPathEnvironment({ maxRecursionDepth: MOST_DEPTH });
ENVIRONMENT.functionRegister.set('match', patternFunction(true));
ENVIRONMENT.functionRegister.set('search', patternFunction(false));
const length = ENVIRONMENT.functionRegister.get('length')!;
ENVIRONMENT.functionRegister.set('length', {
  ...length,
  call: (value: unknown) => (value instanceof Decimal ? Nothing : length.call(value)),
});

interface TokenStream {
  current: { value: string };
}
// The library refuses `0.5`, and accepts `.5`, which its lexer does not let pass.
const { parser } = ENVIRONMENT as unknown as { parser: { tokenMap: Map<string, (stream: TokenStream) => Expression> } };
const parseNumber = parser.tokenMap.get('NUMBER')!.bind(parser);
parser.tokenMap.set('NUMBER', ({ current: token }) => {
  const literal = parseNumber({ current: { ...token, value: token.value.replace(/^0\./, '.') } });
  return Object.assign(literal, { token });
});

/** Lets each step of the library's evaluation count as work. */
function boundSegments({ segments }: Segments): void {
  for (const selector of segments.flatMap(({ selectors }) => selectors)) {
    const resolve = selector.resolve.bind(selector);
    selector.resolve = (node) => {
      const { value } = node;
      visit(Array.isArray(value) ? value.length + 1 : 1);
      return resolve(node);
    };
    if (selector.expression) boundExpression(selector.expression);
  }
}

function boundExpression(one: Expression): void {
  const { left, right, operator, token } = one;
  if (one.path) boundSegments(one.path);
  for (const part of [left, right, one.expression, ...(one.args ?? [])]) if (part) boundExpression(part);
  if (typeof one.value === 'number') {
    const exact = exactNumber(token.value);
    one.evaluate = () => exact;
  }
  if (left && right && operator !== '&&' && operator !== '||')
    one.evaluate = (context) => isTrue(valueOf(left.evaluate(context)), operator!, valueOf(right.evaluate(context)));
}

/** @returns undefined for nothing */
function valueOf(result: unknown): unknown {
  if (result === Nothing) return undefined;
  return result instanceof JSONPathNodeList ? result.nodes[0]?.value : result;
}

function isTrue(left: unknown, operator: string, right: unknown): boolean {
  const isEqual = () => isSameJson(left, right, visit);
  switch (operator) {
    case '==':
      return isEqual();
    case '!=':
      return !isEqual();
    case '<':
      return isLess(left, right);
    case '>':
      return isLess(right, left);
    case '<=':
      return isLess(left, right) || isEqual();
    default:
      return isLess(right, left) || isEqual();
  }
}

function isLess(left: unknown, right: unknown): boolean {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) < 0;
  return typeof left === 'string' && typeof right === 'string' && left < right;
}
