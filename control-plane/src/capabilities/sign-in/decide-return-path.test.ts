import { expect } from 'chai';
import fc from 'fast-check';
import { decideReturnPath } from './decide-return-path.js';

const BASE = 'https://watchpost.example';

describe('The page to which a sign-in returns', () => {
  it('is of the console, whatever was asked for, as every browser reads it', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      ' ',
      'evil',
    );
    const wanted = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(parts, fc.string())).map((list) => `/console${list.join('')}`),
    );
    fc.assert(
      fc.property(wanted, (text) => {
        const path = decideReturnPath(text, BASE);
        expect(path).to.match(/^\/console(?:[/?]|$)/);
        // As browsers do: a backslash is a slash.
        const url = new URL(path.replaceAll('\\', '/'), `${BASE}/console/callback`);
        expect(url.origin).to.equal(BASE);
        expect(url.pathname).to.match(/^\/console(?:\/(?!\/)|$)/);
        expect(path).not.to.match(/[\s\\]/);
        expect(decideReturnPath(path, BASE), 'and stays the same').to.equal(path);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the one that was asked for, with its query', () => {
    for (const path of [
      '/console',
      '/console?from=mail',
      '/console/w/019aa5c2-0000-7000-8000-00000000000a/monitors?tag=team:web&status=unavailable',
      '/console/invitations/abc_-123',
    ])
      expect(decideReturnPath(path, BASE)).to.equal(path);
  });

  it('is the start of the console where none was asked for, or one that begins a sign-in again', () => {
    for (const wanted of [null, undefined, '', '/', '/api/v1/user', '/console/sign-in', '/console/callback?code=1'])
      expect(decideReturnPath(wanted, BASE)).to.equal('/console');
  });
});
