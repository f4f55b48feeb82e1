import { expect } from 'chai';
import { verdictSentence } from './verdict.js';

const NONE = { available: 0, degraded: 0, unavailable: 0, unknown: 0, maintenance: 0, paused: 0 };
const sentence = (counts: Partial<typeof NONE>) =>
  verdictSentence({ ...NONE, ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) });

describe('The verdict sentence', () => {
  it('names what is wrong first, and nothing that is zero', () => {
    expect(sentence({ available: 1_141, unavailable: 2, unknown: 1 })).to.equal('2 down, 1 unknown, 1,141 available');
    expect(sentence({ degraded: 1, maintenance: 3, paused: 2 })).to.equal('1 degraded, 3 in maintenance');
  });

  it('is never good where something is unknown', () => {
    expect(sentence({ available: 3, unknown: 1 })).to.equal('1 unknown, 3 available');
  });

  it('states that all is well, or that nothing is watched', () => {
    expect(sentence({ available: 12 })).to.equal('All 12 available');
    expect(sentence({ available: 12, paused: 1 })).to.equal('All 12 available, 1 paused');
    expect(sentence({ available: 1 })).to.equal('1 available');
    expect(sentence({ paused: 4 })).to.equal('All 4 monitors are paused');
    expect(sentence({})).to.equal('Nothing is monitored yet');
  });
});
