import { DeadSites } from './dead-sites.js';
import { startedForEach } from '../../support/suite.js';

describe('hundreds of dead sites of a few owners', function () {
  this.timeout(300_000);
  const attack = startedForEach(() => new DeadSites());
  beforeEach(() => attack.start());

  it('do not make the region suspect, so that the outage of another tenant opens an incident in time', () =>
    attack.measure({ sites: 600, owners: 3, bystanders: 0 }));

  it('do not delay the incident of a received answer either where there are enough owners for a hold', () =>
    attack.measure({ sites: 600, owners: 3, bystanders: 4 }));

  it('do not delay it where most owners of the region have dead sites', () =>
    attack.measure({ sites: 600, owners: 4, bystanders: 0 }));
});
