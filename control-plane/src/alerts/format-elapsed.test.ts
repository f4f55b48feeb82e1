import { expect } from 'chai';
import { formatElapsed } from './format-elapsed.js';

describe('a time that passed, for people', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [999, '0s'],
    [12_000, '12s'],
    [60_000, '1m'],
    [312_000, '5m 12s'],
    [3_600_000, '1h'],
    [3_605_000, '1h'],
    [3_840_000, '1h 4m'],
    [2 * 86_400_000 + 3 * 3_600_000 + 59_000, '2d 3h'],
    [-5, '0s'],
  ];
  for (const [ms, text] of cases) {
    it(`${ms} ms is ${text}`, () => expect(formatElapsed(ms)).to.equal(text));
  }
});
