import { expect } from 'chai';
import { WhoseChecks } from './whose-checks.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('whose the checks are after a standstill', () => {
  it('is clear when an update of a new stream is on the schedule, and not by one of the stream of before', async () => {
    const whose = new WhoseChecks();
    whose.streamOpened();
    let isClear = false;
    const clear = whose.afterStandstill().then(() => (isClear = true));
    whose.told();
    await turn();
    expect(isClear).to.equal(false);
    whose.streamEnded();
    whose.streamOpened();
    await turn();
    expect(isClear).to.equal(false);
    whose.told();
    await clear;
  });

  it('is clear where the stream of before goes on, and where nobody says', async function () {
    this.timeout(30_000);
    const standing = new WhoseChecks();
    standing.streamOpened();
    const alone = new WhoseChecks();
    await Promise.all([standing.afterStandstill(), alone.afterStandstill()]);
  });
});
