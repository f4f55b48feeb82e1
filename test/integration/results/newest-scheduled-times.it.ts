import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { regionCode } from '@watchpost/shared/region';
import { readNewestScheduledTimes } from '@watchpost/control-plane/capabilities/results/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace, UP } from './seed.js';

describe('the newest scheduled time with a result', () => {
  let test: TestDatabase;
  beforeEach(async () => (test = await createTestDatabase()));
  afterEach(() => test.drop());

  it('is read for each region, with any outcome, and not for checks without results', async () => {
    const deps = resultsDeps(test.database);
    const workspace = await seedWorkspace(test.database);
    const [first, second, third] = await seedMonitors(test.database, workspace.id, 3, { regions: ['eastus2'] });
    deps.clock.set(NOON + 3 * MINUTE_MS);
    await ingestBatch(deps, agentIn('northeurope'), [
      resultOf(first!.key, NOON + MINUTE_MS, UP),
      resultOf(first!.key, NOON + 2 * MINUTE_MS, DOWN),
      resultOf(second!.key, NOON + MINUTE_MS + 7, UP),
    ]);
    await ingestBatch(deps, agentIn('eastus2'), [resultOf(first!.key, NOON, UP)]);
    const keys = [first!.key, second!.key, third!.key];
    const newest = async (region: 'northeurope' | 'eastus2') =>
      (await test.database.read((tx) => readNewestScheduledTimes(tx, regionCode(region), keys)))
        .map(({ key, completedThroughMs }) => [key.monitorKey, key.kind, completedThroughMs - NOON])
        .toSorted((a, b) => Number(a[0]) - Number(b[0]));
    expect(await newest('northeurope')).to.deep.equal([
      [first!.key, 'http', 2 * MINUTE_MS],
      [second!.key, 'http', MINUTE_MS + 7],
    ]);
    expect(await newest('eastus2')).to.deep.equal([[first!.key, 'http', 0]]);
  });
});
