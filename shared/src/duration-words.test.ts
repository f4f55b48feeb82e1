import { expect } from 'chai';
import fc from 'fast-check';
import { durationWords } from './duration.js';

describe('A duration in words', () => {
  it('is what a person would write', () => {
    expect([31 * 86_400_000, 5_400_000, 60_000, 1_000, 999].map(durationWords)).to.deep.equal([
      '31 days',
      '1 hour 30 minutes',
      '1 minute',
      '1 second',
      '0 seconds',
    ]);
  });

  it('names the same time', () => {
    const seconds: Readonly<Record<string, number>> = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
    fc.assert(
      fc.property(fc.nat(400 * 86_400), (total) => {
        const parts = [...durationWords(total * 1_000).matchAll(/(\d+) ([a-z]+?)s?(?= |$)/g)];
        expect(parts.reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit!]!, 0)).to.equal(total);
      }),
    );
  });
});
