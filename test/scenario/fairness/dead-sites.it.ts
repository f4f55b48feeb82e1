import { DeadSites } from './dead-sites.js';

describe('Dead sites of a few owners', function () {
  this.timeout(180_000);
  const attack = new DeadSites();
  before(() => attack.start());
  after(() => attack.stop());

  it('do not make the outage of another tenant disbelieved', () => attack.measure(60));
});
