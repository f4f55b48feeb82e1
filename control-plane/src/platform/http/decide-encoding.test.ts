import { expect } from 'chai';
import { decideEncoding } from './decide-encoding.js';

describe('The encoding of a file', () => {
  it('is the smallest that the browser takes', () => {
    const all = ['br', 'gzip', 'identity'] as const;
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['BR;q=0, gzip;q=0.1', 'gzip'],
      ['*', 'br'],
      ['*;q=0', 'identity'],
      ['br;q=0, *', 'gzip'],
      ['identity', 'identity'],
      ['', 'identity'],
      [undefined, 'identity'],
      ['br;q=nonsense', 'identity'],
    ] as const)
      expect(decideEncoding(accepted, all), accepted).to.equal(encoding);
    expect(decideEncoding('br, gzip', ['gzip', 'identity'])).to.equal('gzip');
  });
});
