import { expect } from 'chai';
import { assertionFaults } from './assertion-faults.js';
import { ASSERTION_SOURCES, assertionSchema, COMPARISONS } from './assertion.js';

const faults = (given: object) =>
  assertionFaults(assertionSchema.parse(given)).map(({ path, message }) => `${path} ${message}`);

describe('an assertion is refused', () => {
  it('with the column of what is wrong with its query, pattern or name', () => {
    expect(faults({ source: 'json', property: '$.items[?', comparison: 'exists' })).to.deep.equal([
      'property is no JSONPath query: unclosed bracketed selection, at column 10',
    ]);
    expect(faults({ source: 'body', comparison: 'matches', target: 'ab(?=x)' })).to.deep.equal([
      'target is no pattern of RE2: invalid or unsupported Perl syntax, at column 3',
    ]);
    expect(faults({ source: 'header', property: 'x-id:', comparison: 'exists' })).to.deep.equal([
      'property is no name of a header, at column 5',
    ]);
  });

  it('for all that is wrong at once', () => {
    expect(faults({ source: 'status', property: 'x', comparison: 'contains', target: 'x' })).to.deep.equal([
      'property must be left out for status',
      'comparison does not fit status, for which there are equals, notEquals, in, lessThan, greaterThan',
    ]);
    expect(faults({ source: 'json', property: 'items', comparison: 'lessThan', target: '5' })).to.deep.equal([
      "property is no JSONPath query: expected '$', found 'i', at column 1",
      'target must be a number',
    ]);
  });

  it('if its target does not fit', () => {
    const json = { source: 'json', property: '$.a' };
    const message = (comparison: string, target?: unknown) => faults({ ...json, comparison, target })[0];
    expect(message('exists', 1)).to.equal('target must be left out for exists');
    expect(message('equals')).to.equal('target is required');
    expect(message('equals', [1])).to.equal('target must be no list');
    expect(message('in', 1)).to.equal('target must be a list for in');
    expect(message('countEquals', -1)).to.equal('target must be a whole number from 0');
    expect(message('newerThan', 'an hour')).to.equal('target must be a duration of ISO 8601, like PT1H');
    expect(message('equals', 2 ** 60)).to.equal(undefined);
    expect(message('equals', { number: '9007199254740993' })).to.equal(undefined);
    expect(faults({ source: 'status', comparison: 'equals', target: '200' })).to.deep.equal([
      'target must be a number',
    ]);
    expect(faults({ source: 'body', comparison: 'equals', target: 200 })).to.deep.equal(['target must be text']);
    const choices = (count: number) =>
      assertionSchema.safeParse({ ...json, comparison: 'in', target: Array.from({ length: count }, (_, at) => at) });
    expect([0, 1, 50, 51].map((count) => choices(count).success)).to.deep.equal([false, true, true, false]);
  });

  it('if its comparison does not fit its source, and never otherwise', () => {
    const TARGETS = [undefined, 1, 'PT1H', ['a'], [1]];
    const fitting = ASSERTION_SOURCES.map((source) => {
      const property = { header: 'x', json: '$' }[source as 'header' | 'json'];
      const fits = COMPARISONS.filter((comparison) =>
        TARGETS.some((target) => faults({ source, property, comparison, target }).length === 0),
      );
      return `${source}: ${fits.length}`;
    });
    expect(fitting).to.deep.equal([
      'status: 5',
      'header: 14',
      'body: 9',
      'json: 16',
      'responseTime: 5',
      'bodySize: 5',
      'tlsVersion: 9',
      'httpVersion: 7',
      'certificateDays: 7',
      'redirectCount: 5',
      'finalUrl: 7',
      'address: 7',
    ]);
  });
});
