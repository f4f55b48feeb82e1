import { expect } from 'chai';
import { pathRows, pathSentence } from './path-rows.js';

const hop = (ttl: number, address: string | null) => ({ ttl, address, name: null, rttMs: 1, loss: null });
const path = (addresses: (string | null)[], good: (string | null)[] | null = null) => ({
  address: '192.0.2.9:443',
  reached: false,
  hops: addresses.map((address, index) => hop(index + 1, address)),
  stoppedAt: addresses.length || null,
  lastGood: good && { hops: good.map((address, index) => hop(index + 1, address)) },
});

describe('a path beside the last good one', () => {
  it('has a row for each hop of either, and marks the others', () => {
    const rows = pathRows(path(['10.0.0.1', null, '10.0.0.7'], ['10.0.0.1', '10.0.0.2', '10.0.0.3', '192.0.2.9']));
    expect(rows.map(({ ttl, hop: one, good, isOther }) => [ttl, one?.address, good?.address, isOther])).to.deep.equal([
      [1, '10.0.0.1', '10.0.0.1', false],
      [2, null, '10.0.0.2', false],
      [3, '10.0.0.7', '10.0.0.3', true],
      [4, undefined, '192.0.2.9', false],
    ]);
    expect(pathRows(path(['10.0.0.1']))).to.have.lengthOf(1);
  });

  it('ends in a sentence', () => {
    expect(pathSentence(path([]))).to.equal('Nothing on the way to 192.0.2.9:443 answered.');
    expect(pathSentence(path(['10.0.0.1']))).to.equal(
      'The way to 192.0.2.9:443 ends after 1 hop, at 10.0.0.1: nothing beyond it answered.',
    );
    expect(pathSentence({ ...path(['10.0.0.1', '192.0.2.9']), reached: true, stoppedAt: null })).to.equal(
      'The way to 192.0.2.9:443 is open: it answered after 2 hops.',
    );
  });
});
