import { parseDuration } from '../duration.js';
import type { Assertion } from './assertion.js';
import { SOURCES } from './sources.js';
import { syntaxFault } from './syntax.js';

export interface AssertionFault {
  path: 'property' | 'comparison' | 'target';
  message: string;
}

/** The first character that no name of a header has (RFC 9110 §5.1). */
const NO_NAME = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/;

/** Finds all that is wrong with an assertion whose fields are each valid. */
export function assertionFaults(assertion: Assertion): AssertionFault[] {
  const { source, comparison } = assertion;
  const faults = [...propertyFaults(assertion)];
  const { comparisons } = SOURCES[source];
  if (!comparisons.includes(comparison)) {
    faults.push({
      path: 'comparison',
      message: `does not fit ${source}, for which there are ${comparisons.join(', ')}`,
    });
    return faults;
  }
  const message = targetFault(assertion);
  return message === null ? faults : [...faults, { path: 'target', message }];
}

function propertyFaults({ source, property }: Assertion): AssertionFault[] {
  const needed = SOURCES[source].property;
  const fault = (message: string): AssertionFault[] => [{ path: 'property', message }];
  if (needed === undefined) return property === undefined ? [] : fault(`must be left out for ${source}`);
  if (property === undefined) return fault(`must be ${needed}`);
  if (source === 'json') {
    const message = syntaxFault('query', property);
    return message === null ? [] : fault(message);
  }
  const column = property.search(NO_NAME) + 1;
  return column === 0 ? [] : fault(`is no name of a header, at column ${column}`);
}

function targetFault({ source, comparison, target }: Assertion): string | null {
  const { type } = SOURCES[source];
  switch (comparison) {
    case 'exists':
    case 'notExists':
      return target === undefined ? null : `must be left out for ${comparison}`;
    case 'in':
      if (!Array.isArray(target)) return 'must be a list for in';
      return target.map((entry) => valueFault(type, entry)).find((fault) => fault !== null) ?? null;
    case 'equals':
    case 'notEquals':
    case 'contains':
    case 'notContains':
      return valueFault(type, target);
    case 'lessThan':
    case 'greaterThan':
      return valueFault('number', target);
    case 'matches':
    case 'notMatches':
      return typeof target === 'string' ? syntaxFault('pattern', target) : 'must be a pattern of RE2';
    case 'olderThan':
    case 'newerThan': {
      const isDuration = typeof target === 'string' && parseDuration(target) !== undefined;
      return isDuration ? null : 'must be a duration of ISO 8601, like PT1H';
    }
    default:
      return Number.isSafeInteger(target) && (target as number) >= 0 ? null : 'must be a whole number from 0';
  }
}

function valueFault(type: 'text' | 'number' | 'any', target: Assertion['target']): string | null {
  if (target === undefined) return 'is required';
  if (Array.isArray(target)) return 'must be no list';
  const isObject = typeof target === 'object' && target !== null;
  if (type === 'text' && typeof target !== 'string') return 'must be text';
  if (type === 'number' && typeof target !== 'number' && !isObject) return 'must be a number';
  return null;
}
