import { expect } from 'chai';
import { valueText } from './value-text.js';

describe('A value of a change', () => {
  it('is shown without the notation of JSON where it can be', () => {
    expect([null, '', [], true, ['a', 'b'], 'PT1M', 3, '2026-11-21T12:00:00.000Z'].map(valueText)).to.deep.equal([
      '–',
      '–',
      '–',
      'yes',
      'a, b',
      'PT1M',
      '3',
      '2026-11-21 12:00:00 UTC',
    ]);
  });
});
