import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { FleetRecord } from '../support/fleet/fleet-record.js';
import { FleetWorld } from '../support/fleet/fleet-world.js';
import { installedPostgres, PostgresPair } from '../support/fleet/postgres-pair.js';
import { isWhole, watchPages } from '../support/fleet/watch-pages.js';
import { needRedis } from '../support/redis.js';

const MONITORS = 400;
/** Results that are acknowledged and then lost. */
const LOST = 30;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a PostgreSQL that is replaced by its asynchronous standby', function () {
  this.timeout(15 * 60_000);
  let world: FleetWorld;
  let postgres: PostgresPair;

  before(async function () {
    needRedis(this);
    const bin = installedPostgres();
    if (process.platform !== 'linux' || bin === undefined) this.skip();
    postgres = new PostgresPair(mkdtempSync(join(tmpdir(), 'watchpost-pair-')), bin);
    world = await FleetWorld.start({ controlPlanes: 2, regions: ['northeurope'], agentsEach: 2, postgres });
    await world.admin('set-plan', '--user', await world.email(), '--plan', 'Enterprise', '--limit', 'monitors=5000');
  });
  after(() => world?.stop());

  it('costs no check and no result that was acknowledged, and the API is back', async () => {
    const record = new FleetRecord(world, await watchPages(world, MONITORS, () => []));
    await eventually('every check is assigned', () => isWhole(world, record.watched), 240_000, 500);
    await sleep(15_000);
    const fromMs = Date.now();
    await sleep(5_000);

    // What is committed from here on is lost.
    await postgres.cutReplication();
    const countStored = async () => {
      const [row] = await world.sql<{ count: number }>('SELECT count(*)::int FROM check_result');
      return row!.count;
    };
    const before = await countStored();
    const url = (path: string) => `http://127.0.0.1:${world.target.port}${path}`;
    const body = (path: string) => ({ url: url(path), checkInterval: 'PT1M' });
    await world.api('POST', '/api/v1/monitor', body('/lost'), { 'idempotency-key': 'lost' });
    await eventually(
      'the lost monitor is checked',
      async () => ((await world.seen()).some(([path]) => path === '/lost') ? true : undefined),
      150_000,
    );
    const acknowledged = await eventually(
      'results are stored',
      async () => {
        const count = await countStored();
        return count >= before + LOST ? count : undefined;
      },
      150_000,
    );
    await record.lookAtSpools();

    const frozenMs = Date.now();
    postgres.freezePrimary();
    await sleep(1_000);
    await postgres.promoteStandby();
    world.connect();
    const left = await countStored();
    expect(acknowledged - left, 'results that only the former primary has').to.be.at.least(LOST);
    const created = await world.api('POST', '/api/v1/monitor', body('/new'), { 'idempotency-key': 'new' });
    const backMs = Date.now() - frozenMs;
    expect(created.status).to.equal(201);

    await eventually(
      'every check is assigned again',
      () => isWhole(world, [...record.watched, { ...record.watched[0]!, id: 'new' }]),
      240_000,
      250,
    );
    const wholeMs = Date.now() - frozenMs;
    await eventually(
      'the new monitor is checked',
      async () => ((await world.seen()).some(([path]) => path === '/new') ? true : undefined),
      150_000,
    );
    // The former primary accepts writes again, and nobody uses it.
    postgres.thawFormerPrimary();
    await sleep(20_000);
    const toMs = Date.now();
    await sleep(16_000);
    await record.lookAtSpools();
    const lost = await eventually('everything is stored', () => record.readLost(), 120_000, 500).catch(() =>
      record.lost(),
    );
    const known = new Set(record.watched.map(({ key }) => key));
    const lostOfKnown = lost.filter((key) => known.has(Number(key.split('/')[0])));
    const tally = record.tally('failover', fromMs, toMs, new Set());
    const strayAfterMs = (await world.seen()).filter(([path, , at]) => path === '/lost' && at > frozenMs + wholeMs);
    console.log(
      `      API back after ${backMs} ms, all checks assigned after ${wholeMs} ms; ${acknowledged - left} acknowledged results ` +
        `were on the former primary only, ${lostOfKnown.length} are lost; ${tally.due} checks due, ${tally.unseen.length} not run, ` +
        `latest ${tally.latestMs} ms, ${tally.doubled} run twice`,
    );
    expect(lostOfKnown, 'results that were on a disk and are not stored').to.deep.equal([]);
    expect(tally.unseen, 'scheduled times for which the site received no request in time').to.deep.equal([]);
    expect(tally.missed, 'scheduled times without a result').to.deep.equal([]);
    expect(strayAfterMs, 'checks of a monitor that the new primary does not know').to.deep.equal([]);
  });
});
