import type { Assertion, AssertionTarget } from '@watchpost/shared/assertions/assertion';
import { LONE } from '@watchpost/shared/storable-text';
import { quoted } from '../../import/import-report.js';
import { type Row, rawTextOf, textOf } from '../../import/rows.js';

const MOST_QUERY = 1_024;
const MOST_TARGET = 1_000;
/** The next step of a JSONata expression that is a path: a name, a name in quotes or an index. */
const STEP =
  /^(?:\s*(\.)?\s*(?:(?<name>[A-Za-z_]\w*)|`(?<ticked>[^`]+)`|"(?<double>[^"\\]+)"|'(?<single>[^'\\]+)')|\s*\[\s*(?<index>-?\d{1,9})\s*\])/;
/** JSONata takes these for a value or an operator, and not for a name. */
const WORDS = new Set(['true', 'false', 'null', 'and', 'or', 'in']);

/**
 * The assertions that demand what a JSON query of Uptime Kuma demands. It is written in JSONata, and both sides are compared as
 * texts there: a number is equal to the same number in quotes.
 * @returns the reason where they cannot
 */
export function jsonAssertions(row: Row): { assertions: Assertion[]; difference: string | null } | string {
  const path = textOf(row, 'json_path') ?? '$';
  const property = queryOf(path);
  if (property === undefined) return `its expression ${quoted(path)} is more than a path of names and places`;
  if (property.length > MOST_QUERY) return `its expression has more than ${MOST_QUERY} characters`;
  const expected = rawTextOf(row, 'expected_value') ?? '';
  if (expected.length > MOST_TARGET) return `its expected value has more than ${MOST_TARGET} characters`;
  const operator = textOf(row, 'json_path_operator') ?? '==';
  const one = (comparison: Assertion['comparison'], target: Assertion['target']): Assertion => ({
    source: 'json',
    property,
    comparison,
    target,
    severity: 'down',
  });
  const same = sameAs(expected);
  switch (operator) {
    case '==':
      return { assertions: [same.length === 1 ? one('equals', same[0]) : one('in', same)], difference: null };
    case '!=':
      return { assertions: same.map((value) => one('notEquals', value)), difference: null };
    case 'contains':
      return { assertions: [one('contains', expected)], difference: null };
    case '<':
    case '>': {
      const limit = numberOf(expected);
      if (limit === undefined) return `${quoted(expected)} is no number`;
      return {
        assertions: [one(operator === '<' ? 'lessThan' : 'greaterThan', limit)],
        difference: 'compares numbers only, and none in quotes',
      };
    }
    default:
      return `there is no comparison ${quoted(operator)}`;
  }
}

/** A path of JSONata as a query of RFC 9535; undefined where the expression is more than a path. */
function queryOf(path: string): string | undefined {
  const root = /^\s*\${1,2}(?![\w$])/.exec(path)?.[0] ?? '';
  let rest = path.slice(root.length);
  let query = '$';
  for (let isFirst = root === ''; rest.trim() !== ''; isFirst = false) {
    const step = STEP.exec(rest);
    const { name, ticked, double, single, index } = step?.groups ?? {};
    const key = name ?? ticked ?? double ?? single;
    if (!step || (index === undefined) !== (key !== undefined)) return undefined;
    // A name needs a point before it, but the first.
    if (key !== undefined && (step[1] === undefined) !== isFirst) return undefined;
    if (isFirst && name === undefined && ticked === undefined) return undefined;
    if ((name !== undefined && WORDS.has(name)) || (key !== undefined && key.search(LONE) >= 0)) return undefined;
    query += index !== undefined ? `[${Number(index)}]` : name !== undefined ? `.${name}` : `[${JSON.stringify(key)}]`;
    rest = rest.slice(step[0].length);
  }
  return query;
}

/** The values that are written like this: the text, and the number or boolean. */
function sameAs(expected: string): AssertionTarget[] {
  const value = String(Number(expected)) === expected ? numberOf(expected) : undefined;
  if (value !== undefined) return [value, expected];
  return expected === 'true' || expected === 'false' ? [expected === 'true', expected] : [expected];
}

function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
