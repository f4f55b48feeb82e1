import type { Assertion, AssertionSource } from '@watchpost/shared/assertions/assertion';
import { SOURCES } from '@watchpost/shared/assertions/sources';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  NEW_ASSERTION,
  readTarget,
  targetKindOf,
  textOfTarget,
  withComparison,
  withSource,
} from './assertion-values.js';

const NAMES = Object.keys(SOURCES) as AssertionSource[];

describe('A row of assertions', () => {
  it('keeps what fits when its source or its comparison changes, and has no comparison that does not fit', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.nat(20))), (steps) => {
        let row: Assertion = NEW_ASSERTION;
        for (const [source, step] of steps) {
          const fitting = SOURCES[source].comparisons;
          row = withComparison(withSource(row, source), fitting[step % fitting.length]!);
          expect(fitting).to.include(row.comparison);
          expect('target' in row).to.equal(targetKindOf(row) !== 'none');
          expect(Array.isArray(row.target)).to.equal(row.comparison === 'in');
        }
      }),
    );
    const header: Assertion = {
      ...NEW_ASSERTION,
      source: 'header',
      property: 'Age',
      comparison: 'equals',
      target: '1',
    };
    expect(withSource(header, 'json')).to.deep.equal({ ...header, source: 'json', target: 1 });
    expect(withSource(header, 'body')).not.to.have.property('property');
    expect(withComparison(header, 'exists')).not.to.have.property('target');
  });

  it('reads each target that it shows as the same one', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('1', 'true', 'null', '"a"', 'a, b', ' a'));
    const long = fc.constantFrom(2 ** 53, -(2 ** 53), 123_456_789_012_345_683_968, 1e21, 1e300);
    const number = fc.oneof(
      long,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    );
    const exact = fc.constantFrom({ number: '9007199254740993' }, { number: '0.12345678901234567891' });
    const scalar = fc.oneof(exact, text, number, fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(scalar, fc.array(scalar), fc.array(text), (value, values, texts) => {
        const again = (
          target: Assertion['target'],
          source: AssertionSource,
          kind = targetKindOf({ source, comparison: 'in' }),
        ) => readTarget(textOfTarget(target, kind, source), kind, source);
        expect(again(value, 'json', 'any')).to.deep.equal(value);
        expect(again(values, 'json')).to.deep.equal(values);
        expect(again(texts, 'header')).to.deep.equal(texts);
      }),
    );
  });

  it('has a number where the source has numbers, and a text where it has texts', () => {
    expect(readTarget('200, 204', 'list', 'status')).to.deep.equal([200, 204]);
    expect(readTarget('1.2, 1.3', 'list', 'tlsVersion')).to.deep.equal(['1.2', '1.3']);
    expect(targetKindOf({ source: 'httpVersion', comparison: 'equals' })).to.equal('text');
    expect(targetKindOf({ source: 'bodySize', comparison: 'notEquals' })).to.equal('number');
    // The API refuses what is no number at its field.
    expect(readTarget('many', 'number', 'status')).to.equal('many');
  });
});
