import { DeadSites } from './dead-sites.js';

describe('many dead sites of a few owners', function () {
  this.timeout(300_000);
  let attack: DeadSites;
  beforeEach(async () => {
    attack = new DeadSites();
    await attack.start();
  });
  afterEach(() => attack.stop());

  it('do not make the region suspect, so that the outage of another tenant opens an incident in time', () =>
    attack.measure({ sites: 60, owners: 3, bystanders: 0 }));
});
