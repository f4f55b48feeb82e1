import { expect } from 'chai';
import fc from 'fast-check';
import { cleanLine, cleanText, unlink } from './clean-line.js';

describe('user-defined text', () => {
  it('becomes one line', () => {
    expect(cleanLine('Shop\r\nBcc: all@example.test\u2028x\u202Ey\u0000')).to.equal('Shop Bcc: all@example.test x y');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const line = cleanLine(text);
        expect(line).not.to.match(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        expect(Array.from(line).length).to.be.at.most(200);
      }),
    );
  });
  it('is truncated between characters', () => {
    expect(cleanLine('🔴'.repeat(300), 3)).to.equal('🔴🔴…');
    expect(cleanLine('Shop of Acme', 7, '...')).to.equal('Shop...');
  });
  it('keeps its line breaks where they are allowed', () => {
    expect(cleanText('one\r\ntwo\u0007\rthree')).to.equal('one\ntwo\nthree');
  });
  it('has no links if it is not trusted', () => {
    expect(unlink('win at https://evil.example/x or evil.example')).to.equal(
      'win at https: //evil. example/x or evil. example',
    );
  });
});
