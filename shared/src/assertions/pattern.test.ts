import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { Pattern } from './pattern.js';
import type { SyntaxFault } from './syntax-fault.js';
import { TooMuchWork, Work } from './work.js';

const MIB = 1024 * 1024;
/** Characters of a small alphabet in an order that no pattern foresees. */
function mixed(alphabet: string): string {
  let seed = 12_345;
  return Array.from({ length: MIB }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return alphabet[(seed >> 16) % alphabet.length];
  }).join('');
}

describe('a pattern', () => {
  it('is one of RE2, and is matched anywhere in the text', () => {
    expect(Pattern.of('v\\d+\\.\\d+').test('version v12.4', new Work())).to.equal(true);
    expect(Pattern.of('(?i)^OK$').test('ok', new Work())).to.equal(true);
    expect(Pattern.of('b+').test('abba', new Work(), true)).to.equal(false);
  });

  it('that is wrong is refused with its column, which counts from 1', () => {
    const columnOf = (source: string) => {
      try {
        return Pattern.of(source) && 0;
      } catch (error) {
        return (error as SyntaxFault).column;
      }
    };
    expect(['(ab', 'a**', 'x[z-a]', 'ab(?=x)', 'a{2000}', 'a'.repeat(513)].map(columnOf)).to.deep.equal([
      1, 2, 3, 3, 2, 513,
    ]);
  });

  it('that backtracks elsewhere is decided in linear time', () => {
    expect(Pattern.of('(a+)+$').test(`${'a'.repeat(MIB)}!`, new Work())).to.equal(false);
    expect(Pattern.of('(x+x+)+y').test('x'.repeat(MIB), new Work())).to.equal(false);
  });

  it('whose automaton grows with the text ends once it has caused the work that one check may', () => {
    for (const source of ['(a|b)*a(a|b){15}z?$', 'a[ab]{100}z?$', '(?:a|b)*a[ab]{300}z?$'])
      for (const round of [1, 2])
        expect(() => Pattern.of(source).test(mixed('ab'), new Work()), `${source} ${round}`).to.throw(TooMuchWork);
  });

  it('with a text in it is found where it is, whatever is around that', () => {
    const patterns = [
      'ab+c',
      'ab|ac',
      '(?m)ab$',
      String.raw`ab\b`,
      String.raw`a\Bb`,
      '(ab)+c?b',
      'ab?^',
      '(?m)a\n^b',
      'abc',
      'a[^a]c$',
    ];
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', ' ', '🙂'), maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...patterns), texts, (source, text) => {
        const isOfLines = source.startsWith('(?m)');
        // In Node.js 26.12, /a[^a]c$/u does not find “a🙂c”, where `$` is the end of the text.
        const oracle = isOfLines ? source.replace('(?m)', '') : source.replace(/\$$/, String.raw`(?![\s\S])`);
        const expected = new RegExp(oracle, isOfLines ? 'mu' : 'u').test(text);
        expect(Pattern.of(source).test(text, new Work())).to.equal(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('with a long text in it is decided in linear time, too', () => {
    const half = 'a'.repeat(250);
    const text = 'a'.repeat(MIB);
    let pairs = 0;
    const indexOf = String.prototype.indexOf;
    const counting = mock.method(String.prototype, 'indexOf', function (this: string, wanted: string, from?: number) {
      pairs += wanted.length * this.length;
      return indexOf.call(this, wanted, from);
    });
    try {
      for (const source of [`${half}b${half}`, `${half}b${half}\\d`, `x?${half}b${half}`]) {
        expect(Pattern.of(source).test(text.slice(0, 100_000), new Work())).to.equal(false);
        expect(pairs, 'what a short text may cost').to.be.within(1, 200_000_000);
        pairs = 0;
        expect(Pattern.of(source).test(text, new Work())).to.equal(false);
        expect(pairs, source).to.equal(0);
      }
    } finally {
      counting.mock.restore();
    }
  });

  it('that is made of too much is refused before that is made', () => {
    const huge = [
      `(?:${'\\pL'.repeat(9)}){500}`,
      `(?:${'a'.repeat(480)}){1000}`,
      '\\pL'.repeat(150),
      '((a{10}b{10}){10}c){10}'.repeat(9),
      `(?i)${'\\PL{1000}'.repeat(9)}`,
    ];
    const compile = mock.method(RE2JS, 'compile');
    try {
      for (const source of huge)
        for (const read of [Pattern.check, Pattern.of])
          expect(() => read(source), source).to.throw('too large a pattern');
      expect(compile.mock.callCount()).to.equal(0);
      Pattern.of('[a-f]{31}');
      expect(compile.mock.callCount()).to.equal(1);
    } finally {
      compile.mock.restore();
    }
    for (const source of ['\\d{1000}', '[0-9a-f]{32}', '(?:\\pL{1,20} ){9}', '(?s)^.{1,1000}$']) Pattern.check(source);
  });
});
