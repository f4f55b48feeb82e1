import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { entities, migrations } from '@watchpost/control-plane/app/schema';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace, UP } from '../results/seed.js';

const MONITORS = 200;

describe('workers of two processes that sweep at once', function () {
  let test: TestDatabase;
  let other: Database;
  before(async () => {
    test = await createTestDatabase();
    const logger = pino({ level: 'silent' });
    other = await Database.open({ url: test.url, poolSize: 5, entities, migrations, logger });
  });
  after(async () => {
    await other?.close();
    await test?.drop();
  });

  it('share the work: each silence is noticed once, and each outage opens one incident', async () => {
    const [here, there] = [resultsDeps(test.database), resultsDeps(other)];
    const workspace = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, workspace.id, MONITORS, { regions: ['eastus2'] });
    const keys = monitors.map(({ key }) => key).toSorted((a, b) => a - b);
    const see = async (minute: number, outcome: Outcome, region: Region) => {
      const at = NOON + minute * MINUTE_MS;
      for (const { clock } of [here, there]) clock.set(at + 500);
      await ingestBatch(
        here,
        agentIn(region),
        keys.map((key) => resultOf(key, at, outcome)),
      );
    };
    await see(0, UP, 'northeurope');
    await see(0, UP, 'eastus2');
    for (const minute of [1, 2]) {
      await see(minute, UP, 'northeurope');
      await see(minute, DOWN, 'eastus2');
    }
    for (const minute of [3, 4]) await see(minute, DOWN, 'eastus2');
    const count = async (sql: string) => test.value<number>(sql);
    expect(await count('SELECT count(*) AS count FROM incident')).to.equal(0);

    // The region that saw them up falls silent: the remaining votes are that they are down.
    for (const { clock } of [here, there]) clock.set(NOON + 4.6 * MINUTE_MS);
    const sweeps = await Promise.all([here, there, here, there].map((deps) => sweepSilence(deps)));
    expect(sweeps.reduce((sum, { stale }) => sum + stale, 0)).to.equal(MONITORS);
    expect(await count('SELECT count(*) AS count FROM incident')).to.equal(MONITORS);
    expect(await count('SELECT count(DISTINCT monitor_key) AS count FROM incident')).to.equal(MONITORS);
    expect(await count(`SELECT count(*) AS count FROM incident_event WHERE type = 'opened'`)).to.equal(MONITORS);
  });
});
