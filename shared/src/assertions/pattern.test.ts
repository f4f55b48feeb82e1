import { expect } from 'chai';
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
});
