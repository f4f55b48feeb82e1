import { expect } from 'chai';
import { readRetryAfter } from './retry-after.js';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('Retry-After', () => {
  const cases: [string | undefined, number | undefined][] = [
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['31536000', 43_200_000],
    ['9'.repeat(400), 43_200_000],
    ['Sun, 21 Nov 2027 12:00:00 GMT', 43_200_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, ms] of cases) {
    it(`${JSON.stringify(value)} is ${ms} ms`, () => expect(readRetryAfter(value, NOW)).to.equal(ms));
  }
});
