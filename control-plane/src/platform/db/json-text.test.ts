import { storableText } from '@watchpost/shared/storable-text';
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonText } from './json-text.js';

const hostile = fc.string({
  unit: fc.constantFrom('a', '\\', 'u0000', 'ud83d', '\ud83d', '\ude00', '\u0000', '"', '🙂'),
});

describe('JSON for the database', () => {
  it('is the value with what jsonb refuses replaced, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(hostile), hostile, (list, text) => {
        const value = { list, text, nested: { [text]: 1 } };
        const made = JSON.parse(jsonText(value)) as typeof value;
        expect(made.list).to.deep.equal(list.map((one) => storableText(one)));
        expect(made.text).to.equal(storableText(text));
        expect(Object.keys(made.nested)).to.deep.equal([storableText(text)]);
        expect(jsonText(made)).to.equal(JSON.stringify(made));
      }),
    );
  });
});
