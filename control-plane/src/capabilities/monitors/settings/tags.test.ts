import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_TAGS, normalizeTags, tagsInput } from './tags.js';

const letters = 'abcxyz0189'.split('');
const word = fc
  .tuple(fc.constantFrom(...letters), fc.array(fc.constantFrom(...letters, '.', '_', '/', '-'), { maxLength: 62 }))
  .map(([first, rest]) => first + rest.join(''));
const tag = fc.oneof(
  word,
  fc.tuple(word, word).map(([key, value]) => `${key}:${value}`),
);
/** A tag as somebody may write it. */
const written = fc
  .tuple(tag, fc.array(fc.boolean(), { minLength: 127, maxLength: 127 }), fc.stringMatching(/^[ \t]{0,3}$/))
  .map(
    ([text, upper, blanks]) =>
      blanks +
      text
        .split('')
        .map((c, i) => (upper[i] ? c.toUpperCase() : c))
        .join('') +
      blanks,
  );

describe('tags', () => {
  it('are the same in any spelling, order and number of repetitions, and normalizing them again changes nothing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(written, { maxLength: MAX_TAGS }), (tags) => {
        const normal = tagsInput.parse(tags);
        expect(normal).to.deep.equal([...new Set(tags.map((text) => text.trim().toLowerCase()))].toSorted());
        expect(tagsInput.parse(normal)).to.deep.equal(normal);
        expect(tagsInput.parse(tags.toReversed())).to.deep.equal(normal);
        expect(normalizeTags([...normal, ...normal])).to.deep.equal(normal);
      }),
    );
  });

  it('are refused where they are no words, too long or too many', () => {
    const refused = ['', ' ', ':', 'a:', ':a', 'a:b:c', '-a', 'a b', 'ä', 'a,b', 'a\n', `a\u0000`, 'a'.repeat(64)];
    for (const text of refused.filter((one) => one.trim() !== 'a'))
      expect(tagsInput.safeParse([text]).success, JSON.stringify(text)).to.equal(false);
    const many = Array.from({ length: MAX_TAGS + 1 }, (_, index) => `tag-${index}`);
    expect(tagsInput.safeParse(many).success).to.equal(false);
    expect(tagsInput.safeParse(many.slice(1)).success).to.equal(true);
    expect(tagsInput.parse([`${'a'.repeat(63)}:${'b'.repeat(63)}`])[0]).to.have.length(127);
  });

  it('are accepted or refused without ever failing, whatever is sent', () => {
    fc.assert(fc.property(fc.anything(), (value) => void tagsInput.safeParse(value)));
  });
});
