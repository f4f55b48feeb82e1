import { expect } from 'chai';
import { loadInPage } from '../data/load-in-page.js';

describe('The age of what is shown', () => {
  it('is live only while events arrive and it has been read lately', async () => {
    const { decideLook } = await loadInPage(() => import('./marks.js'));
    expect([0, 60_000, 79_000].map((ageMs) => decideLook('live', ageMs))).to.deep.equal(['live', 'live', 'live']);
    expect(decideLook('live', 90_000), 'requests fail while the stream is alive').to.equal('old');
    expect([5_000, 25_000].map((ageMs) => decideLook('polling', ageMs))).to.deep.equal(['polled', 'old']);
    expect(decideLook('lost', 0)).to.equal('old');
  });
});
