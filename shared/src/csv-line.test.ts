import { expect } from 'chai';
import { csvLine } from './csv-line.js';

describe('csvLine', () => {
  it('quotes what would end a cell, and leaves out what is not there', () => {
    expect(csvLine(['a', 1.5, null, '', -2])).to.equal('a,1.5,,,-2\r\n');
    expect(csvLine(['a,b', 'a"b', 'a\r\nb', 'a;=1+1'])).to.equal('"a,b","a""b","a\r\nb","a;=1+1"\r\n');
  });

  it('makes no formula of a text', () => {
    for (const sign of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])
      expect(csvLine([`${sign}cmd|' /C calc'!A0`]), sign).to.equal(`'${sign}cmd|' /C calc'!A0\r\n`);
    expect(csvLine(['\n=1', '=1,2'])).to.equal(`"'\n=1","'=1,2"\r\n`);
  });
});
