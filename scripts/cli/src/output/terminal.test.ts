import { styleText } from 'node:util';
import { expect } from 'chai';
import { shownLine } from './terminal.js';

describe('A terminal', () => {
  it('obeys no character in the text of other people, and shows it as an escape', () => {
    expect(shownLine('a\u009b31m\u001b]0;title\u0007\u202eb\r')).to.equal(
      'a\\u009b31m\\u001b]0;title\\u0007\\u202eb\\u000d',
    );
    expect(JSON.parse(shownLine(JSON.stringify({ name: '\u009b\u202e' })))).to.deep.equal({ name: '\u009b\u202e' });
  });

  it('keeps our own styles and line breaks', () => {
    const line = `${styleText('red', 'down')} ${styleText('bold', 'Shop')}\nsecond`;
    expect(shownLine(line)).to.equal(line);
  });
});
