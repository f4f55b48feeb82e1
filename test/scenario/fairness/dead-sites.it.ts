import { DeadSites } from './dead-sites.js';

describe('many dead sites of a few owners', function () {
  this.timeout(180_000);
  const attack = new DeadSites();
  before(() => attack.start());
  after(() => attack.stop());

  it('do not make the region suspect, so that the outage of another tenant opens an incident in time', () =>
    attack.measure(60));
});
