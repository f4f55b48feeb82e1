import { DeadSites } from './dead-sites.js';
import { startedForEach } from '../../support/suite.js';

describe('many dead sites of a few owners', function () {
  const attack = startedForEach(() => new DeadSites());
  beforeEach(() => attack.start());

  it('do not make the region suspect, so that the outage of another tenant opens an incident in time', () =>
    attack.measure({ sites: 60, owners: 3, bystanders: 0 }));
});
