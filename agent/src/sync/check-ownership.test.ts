import { MovedTime } from '@watchpost/shared/moved-time';
import { expect } from 'chai';
import { CheckOwnership } from './check-ownership.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the ownership of checks after a standstill', () => {
  it('is confirmed by an update on a new stream, and not by one on the stream of before', async () => {
    const ownership = new CheckOwnership();
    ownership.streamOpened();
    let isConfirmed = false;
    const confirmed = ownership.afterStandstill().then(() => (isConfirmed = true));
    ownership.confirmed();
    await turn();
    expect(isConfirmed).to.equal(false);
    ownership.streamEnded();
    ownership.streamOpened();
    await turn();
    expect(isConfirmed).to.equal(false);
    ownership.confirmed();
    await confirmed;
  });

  it('is assumed where the stream of before goes on, and where the control plane does not answer', async () => {
    const connected = new CheckOwnership();
    connected.streamOpened();
    const alone = new CheckOwnership();
    const time = new MovedTime();
    try {
      await time.untilEnd(Promise.all([connected.afterStandstill(), alone.afterStandstill()]));
    } finally {
      time.reset();
    }
  });
});
