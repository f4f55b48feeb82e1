import { expect } from 'chai';
import { clientName } from './client-name.js';

describe('What a client calls itself', () => {
  it('is shown with its version', () => {
    expect(clientName({ name: 'Claude Code', version: '2.1.0' })).to.equal('Claude Code 2.1.0');
    expect(clientName({ name: 'curl', version: '' })).to.equal('curl');
  });

  it('is short, on one line and without anything unseen', () => {
    expect(clientName({ name: `a\n\u202eb${'x'.repeat(500)}`, version: '1\u0000' })).to.match(/^a bx{75,}… 1$/);
  });

  it('is nothing where nothing is left of it', () => {
    expect(clientName({ name: '\u200b \n', version: '1' })).to.equal(null);
  });
});
