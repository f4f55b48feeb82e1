import { expect } from 'chai';
import fc from 'fast-check';
import { cutText, storableText } from './storable-text.js';

const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\ud83d', '\ude00', '\u0000', '🙂')),
});

describe('Text from strangers', () => {
  it('becomes storable: the same without U+0000 and halves of characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = storableText(text);
        expect(stored).to.have.length(text.length);
        expect(stored).to.not.include('\u0000');
        expect(Buffer.from(stored).toString()).to.equal(stored);
        expect(storableText(stored)).to.equal(stored);
      }),
    );
    expect(storableText('Käse 🙂\n')).to.equal('Käse 🙂\n');
  });

  it('is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
        const cut = cutText(text, most);
        expect(cut.length).to.be.at.most(most);
        expect(text.startsWith(cut)).to.equal(true);
        expect(storableText(cut.replaceAll('\u0000', ''))).to.equal(cut.replaceAll('\u0000', ''));
        if (text.length > most) expect(most - cut.length).to.be.at.most(1);
      }),
    );
    expect(storableText(`\u0000${'a'.repeat(8)}🙂`, 10)).to.equal(`\ufffd${'a'.repeat(8)}`);
    expect(cutText(`${'a'.repeat(9)}🙂`, 10)).to.equal('a'.repeat(9));
  });
});
