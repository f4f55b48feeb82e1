import { expect } from 'chai';
import fc from 'fast-check';
import { formatTable } from './format-table.js';

const COLUMNS = [0, 1, 2].map((at) => ({
  heading: `COLUMN ${at}`,
  value: (row: readonly string[]) => row[at]!,
  isCut: at > 0,
}));
const cell = fc.string({ unit: 'binary', maxLength: 60 });

describe('formatTable', () => {
  it('aligns cells under their headings', () => {
    expect(formatTable(COLUMNS, [['a', 'bb', 'c'.repeat(12)]], undefined)).to.deep.equal([
      'COLUMN 0  COLUMN 1  COLUMN 2',
      'a         bb        cccccccccccc',
    ]);
  });

  it('cuts the widest column of a terminal', () => {
    expect(formatTable(COLUMNS, [['a', 'bb', 'c'.repeat(40)]], 35)[1]).to.equal(
      `a         bb        ${'c'.repeat(14)}…`,
    );
  });

  it('leaves a column whole that must not be cut', () => {
    expect(formatTable(COLUMNS, [['a'.repeat(40), 'b'.repeat(40), 'c']], 30)[1]).to.equal(
      `${'a'.repeat(40)}  ${'b'.repeat(7)}…  c`,
    );
  });

  it('prints one line a row without control characters, and fits a terminal where the columns that must not be cut leave space', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 8 }), cell, cell)),
        fc.integer({ min: 28, max: 200 }),
        (rows, width) => {
          const lines = formatTable(COLUMNS, rows, width);
          expect(lines).to.have.length(rows.length + 1);
          for (const line of lines) {
            expect(Array.from(line).length).to.be.at.most(width);
            expect(line).to.not.match(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
          }
        },
      ),
    );
  });
});
