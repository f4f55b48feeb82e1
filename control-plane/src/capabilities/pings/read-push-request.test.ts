import { expect } from 'chai';
import fc from 'fast-check';
import { readImportedToken } from '../monitors/index.js';
import { readPush } from './read-push-request.js';

const TOKEN = 'k3Nq8ZpL0a';
const read = (query: string) => readPush(`/api/push/${TOKEN}`, query);

describe('A call of an imported push address', () => {
  it('reports a success, unless its status is another one than up', () => {
    expect(read('status=up&msg=OK&ping=')).to.deep.equal({
      hash: readImportedToken(TOKEN),
      kind: 'success',
      text: 'OK',
    });
    expect(read('')).to.deep.equal({ hash: readImportedToken(TOKEN), kind: 'success', text: null });
    expect(read('status=')).to.include({ kind: 'success' });
    for (const status of ['down', 'UP', '0', 'pending'])
      expect(read(`status=${status}`), status).to.include({ kind: 'fail' });
  });

  it('has its message and its time as the text', () => {
    expect(read('status=down&msg=disk%20full&ping=12.5')!.text).to.equal('disk full\nping: 12.5 ms');
    expect(read('ping=7')!.text).to.equal('ping: 7 ms');
    for (const ping of ['-1', 'fast', 'Infinity', '1e12', 'NaN'])
      expect(read(`ping=${ping}`)!.text, ping).to.equal(null);
  });

  it('leads to a monitor by a token of 10 to 100 letters and digits alone', () => {
    for (const path of ['', 'short', 'a'.repeat(101), `${TOKEN}/fail`, `${TOKEN}%20`, `${TOKEN}/`])
      expect(readPush(`/api/push/${path}`, ''), path).to.equal(undefined);
  });

  it('is read whatever its query is, into text that can be stored', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (msg, noise) => {
        for (const query of [noise, new URLSearchParams({ msg, ping: noise, status: noise }).toString()]) {
          const { text } = read(query)!;
          expect(text ?? '').to.not.contain('\u0000');
          expect((text ?? '').length).to.be.at.most(10_300);
        }
      }),
    );
  });
});
