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
/** The API answers again within this time. Alone, it takes 15 s at most; a busy machine takes several times as long. */
const BACK_WITHIN_MS = 60_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a PostgreSQL that is replaced by its asynchronous standby', function () {
  this.timeout(8 * 60_000);
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

  it('costs no check and no result that was acknowledged, and the API is back within 15 s', async () => {
    const record = new FleetRecord(world, await watchPages(world, MONITORS, () => []));
    await eventually('every check is assigned', () => isWhole(world, record.watched), 90_000, 500);
    await sleep(15_000);
    const fromMs = Date.now();
    await sleep(5_000);

    // What is committed from here on is lost.
    await postgres.cutReplication();
    const url = (path: string) => `http://127.0.0.1:${world.target.port}${path}`;
    const body = (path: string) => ({ url: url(path), checkInterval: 'PT1M' });
    await world.api('POST', '/api/v1/monitor', body('/lost'), { 'idempotency-key': 'lost' });
    await eventually(
      'the lost monitor is checked',
      async () => ((await world.seen()).some(([path]) => path === '/lost') ? true : undefined),
      60_000,
    );
    await sleep(5_000);
    await record.lookAtSpools();
    const [{ acknowledged }] = (await world.sql<{ acknowledged: number }>(
      'SELECT count(*)::int AS acknowledged FROM check_result',
    )) as [{ acknowledged: number }];

    const frozenMs = Date.now();
    postgres.freezePrimary();
    await sleep(1_000);
    await postgres.promoteStandby();
    world.connect();
    const [{ left }] = (await world.sql<{ left: number }>('SELECT count(*)::int AS left FROM check_result')) as [
      { left: number },
    ];
    expect(acknowledged - left, 'results that only the former primary has').to.be.above(10);
    const created = await world.api('POST', '/api/v1/monitor', body('/new'), { 'idempotency-key': 'new' });
    const backMs = Date.now() - frozenMs;
    expect(created.status).to.equal(201);

    await eventually(
      'every check is assigned again',
      () => isWhole(world, [...record.watched, { ...record.watched[0]!, id: 'new' }]),
      60_000,
      250,
    );
    const wholeMs = Date.now() - frozenMs;
    await eventually(
      'the new monitor is checked',
      async () => ((await world.seen()).some(([path]) => path === '/new') ? true : undefined),
      60_000,
    );
    // The former primary accepts writes again, and nobody uses it.
    postgres.thawFormerPrimary();
    await sleep(20_000);
    const toMs = Date.now();
    await sleep(16_000);
    await record.lookAtSpools();
    const lost = await eventually('everything is stored', () => record.readLost(), 30_000, 500).catch(() =>
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
    expect(backMs).to.be.at.most(BACK_WITHIN_MS);
    expect(lostOfKnown, 'results that were on a disk and are not stored').to.deep.equal([]);
    expect(tally.unseen, 'scheduled times for which the site received no request in time').to.deep.equal([]);
    expect(tally.missed, 'scheduled times without a result').to.deep.equal([]);
    expect(strayAfterMs, 'checks of a monitor that the new primary does not know').to.deep.equal([]);
  });
});
