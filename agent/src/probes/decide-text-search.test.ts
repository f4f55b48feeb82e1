import { expect } from 'chai';
import fc from 'fast-check';
import { TooMuchWork, Work } from '@watchpost/shared/assertions/work';
import { includesText } from './decide-text-search.js';

describe('The search for a part of a text', () => {
  const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '😀'), maxLength });

  it('finds what the platform finds, in small and in large texts', () => {
    const texts = fc.tuple(letters(30), letters(6), fc.constantFrom(0, 400_000));
    fc.assert(
      fc.property(texts, ([end, part, filler]) => {
        const text = 'ab'.repeat(filler / 2) + end;
        expect(includesText(text, part, new Work())).to.equal(text.includes(part));
      }),
      { numRuns: 100 },
    );
  });

  it('is counted, and enough for fourteen assertions on the largest body', () => {
    const text = 'a'.repeat(1024 * 1024);
    const part = `${'a'.repeat(250)}b${'a'.repeat(250)}`;
    const work = new Work();
    for (let turn = 0; turn < 14; turn++) expect(includesText(text, part, work)).to.equal(false);
    const more = () => [1, 2].forEach(() => includesText(text, part, work));
    expect(more).to.throw(TooMuchWork);
  });
});
