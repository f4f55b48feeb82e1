import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { FleetRecord } from '../support/fleet/fleet-record.js';
import { FleetWorld } from '../support/fleet/fleet-world.js';
import { missingForPatroni, PatroniCluster } from '../support/fleet/patroni-cluster.js';
import { isWhole, watchPages } from '../support/fleet/watch-pages.js';
import { Writers } from '../support/fleet/writers.js';
import { needRedis } from '../support/redis.js';

const MONITORS = 200;
const WAYS = ['by the proxy', 'by the list of servers'];

describe('a PostgreSQL of three machines under Patroni', function () {
  this.timeout(12 * 60_000);
  let world: FleetWorld;
  let cluster: PatroniCluster;
  let writers: Writers;
  let record: FleetRecord;

  before(async function () {
    needRedis(this);
    const missing = missingForPatroni();
    if (missing.length > 0) {
      console.log(`      not run: this machine has no ${missing.join(', no ')}`);
      this.skip();
    }
    cluster = new PatroniCluster(mkdtempSync(join(tmpdir(), 'watchpost-patroni-')));
    world = await FleetWorld.start({
      controlPlanes: WAYS.length,
      regions: ['northeurope'],
      agentsEach: 1,
      postgres: cluster,
      envOf: (number) => ({ DATABASE_URL: number === 1 ? cluster.url : cluster.serversUrl }),
    });
    await world.admin('set-plan', '--user', await world.email(), '--plan', 'Enterprise', '--limit', 'monitors=5000');
    record = new FleetRecord(world, await watchPages(world, MONITORS, () => []));
    await eventually('every check is assigned', () => isWhole(world, record.watched), 240_000, 500);
    writers = new Writers(world);
    await eventually('both write', () => writers.count > 20 || undefined, 120_000);
  });
  after(async () => {
    await writers?.stop();
    await world?.stop();
  });

  /** Strikes, and waits until both control planes write again and all machines follow. */
  async function survive(fault: string, strike: () => Promise<unknown>, mend: () => Promise<unknown>): Promise<void> {
    await cluster.synchronousStandby();
    await record.lookAtSpools();
    const fromMs = Date.now();
    await strike();
    const backMs = await writers.backAfter(fromMs);
    await mend();
    await record.lookAtSpools();
    console.log(`      ${fault}: ${WAYS.map((way, index) => `${way} back after ${backMs[index]} ms`).join(', ')}`);
  }

  it('is back after its leader is killed', async () => {
    const leader = await cluster.leader();
    await survive(
      'leader killed',
      async () => cluster.signalNode(leader, 'SIGKILL'),
      () => cluster.startNode(leader),
    );
    await cluster.follows(leader);
  });

  it('is back after its leader is cut off, which acknowledges no write when it returns', async () => {
    const leader = await cluster.leader();
    await cluster.sql(leader, 'CREATE TABLE written (at timestamptz)', 'watchpost');
    await survive(
      'leader cut off',
      async () => cluster.signalNode(leader, 'SIGSTOP'),
      async () => {
        cluster.signalNode(leader, 'SIGCONT');
        // Until it follows the new leader.
        let accepted = 0;
        const write = () =>
          cluster.sql(leader, 'INSERT INTO written VALUES (now())', 'watchpost').then(
            () => accepted++,
            () => {},
          );
        await Promise.all([write(), write(), cluster.follows(leader)]);
        await write();
        expect(accepted, 'writes that the former leader has acknowledged').to.equal(0);
      },
    );
  });

  it('is back after the standby that has each commit is cut off', async () => {
    const standby = await cluster.synchronousStandby();
    await survive(
      'standby cut off',
      async () => cluster.signalNode(standby, 'SIGSTOP'),
      async () => cluster.signalNode(standby, 'SIGCONT'),
    );
  });

  it('has everything that was acknowledged', async () => {
    await writers.stop();
    await record.lookAtSpools();
    world.connect();
    const lost = await eventually('everything is stored', () => record.readLost(), 120_000, 500).catch(() =>
      record.lost(),
    );
    const missing = await writers.missing();
    console.log(
      `      ${writers.count} writes acknowledged, ${missing.length} lost; ${record.spooledResults} results, ${lost.length} lost`,
    );
    expect(writers.count).to.be.above(100);
    expect(record.spooledResults).to.be.above(MONITORS);
    expect(missing, 'writes that were acknowledged and are not there').to.deep.equal([]);
    expect(lost, 'results that were on a disk and are not stored').to.deep.equal([]);
  });
});
