import { expect } from 'chai';
import { OwnNetwork } from './own-network.js';

describe('what the agent knows of its own network', () => {
  it('suspects its resolver when nothing resolves any more, and trusts it again at the first answer', () => {
    const network = new OwnNetwork(() => 0);
    for (const host of ['a.test', 'a.test', 'b.test']) network.lookup(host, false);
    expect(network.resolverIsDead).to.equal(false);
    network.lookup('c.test', false);
    expect(network.resolverIsDead).to.equal(true);
    network.lookup('d.test', true);
    expect(network.resolverIsDead).to.equal(false);
  });

  it('looks at its addresses at most once a second', () => {
    let now = 0;
    let looks = 0;
    const network = new OwnNetwork(() => now, () => looks++ > 0);
    expect([network.hasRoute, network.hasRoute]).to.deep.equal([false, false]);
    now = 1_000;
    expect(network.hasRoute).to.equal(true);
    expect(looks).to.equal(2);
  });
});
