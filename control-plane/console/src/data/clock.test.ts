import { expect } from 'chai';
import { loadInPage } from './load-in-page.js';

describe('The clock', () => {
  it('follows the server at once where that of the browser is wrong, and not by the time that an answer takes', async () => {
    const { followServerTime, now, nowMs } = await loadInPage(() => import('./clock.js'));
    const ownNow = Date.now;
    const serverMs = Date.parse('2026-11-22T08:00:00Z');
    Date.now = () => serverMs + 3_600_000;
    try {
      followServerTime('Sun, 22 Nov 2026 08:00:00 GMT');
      expect([nowMs(), now.peek()]).to.deep.equal([serverMs, serverMs]);
      followServerTime('Sun, 22 Nov 2026 08:00:01 GMT');
      expect(nowMs()).to.equal(serverMs);
      followServerTime(null);
      followServerTime('soon');
      expect(nowMs()).to.equal(serverMs);
    } finally {
      Date.now = ownNow;
      followServerTime(new Date().toISOString());
    }
  });
});
