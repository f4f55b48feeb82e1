import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import { eventually } from '../support/eventually.js';
import { faultsOf } from '../support/fleet/fleet-faults.js';
import { dueSoon, dueTimes, FleetRecord, tableOf, type Tally, type Watched } from '../support/fleet/fleet-record.js';
import { FleetWorld } from '../support/fleet/fleet-world.js';
import { isWhole, watchPages } from '../support/fleet/watch-pages.js';
import { needRedis } from '../support/redis.js';

const HOME = 'northeurope';
const REGIONS = [HOME, 'eastus2', 'japaneast'] as const satisfies Region[];
const MONITORS = 1_000;
/** Every tenth one is checked in the second region too, and every tenth in the third: 20 checks a second in all. */
const extraOf = (index: number): Region[] => (index % 10 === 0 ? [REGIONS[1]] : index % 10 === 1 ? [REGIONS[2]] : []);
/** Paths that fail during each failure. */
const BROKEN_EACH = 3;
/** Checks that may run twice because of a full disk: its agent is restarted next, and must know what it completed. */
const MAX_DOUBLED_BY_FULL_DISK = 20;
/** The number of monitors whose totals in REST are compared with the schedule. */
const COUNTED = 40;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a fleet of three control planes, three regions and six agents', function () {
  this.timeout(30 * 60_000);
  let world: FleetWorld;
  let record: FleetRecord;
  const whole = () => isWhole(world, record.watched);

  before(async function () {
    needRedis(this);
    // Agents are identified by their addresses on loopback, and disks are filled by a limit on files.
    if (process.platform !== 'linux') this.skip();
    world = await FleetWorld.start({ controlPlanes: 3, regions: REGIONS, agentsEach: 2 });
    await world.admin('set-plan', '--user', await world.email(), '--plan', 'Enterprise', '--limit', 'monitors=5000');
    record = new FleetRecord(world, await watchPages(world, MONITORS, extraOf));
  });
  after(() => world?.stop());

  it('runs every check in time, counts it once and reports correctly through failures of every kind', async () => {
    const checks = record.watched.reduce((sum, { regions }) => sum + regions.length, 0);
    await eventually(
      'each has its first result',
      async () => {
        const [row] = await world.sql<{ seen: number }>('SELECT count(last_scheduled_at)::int AS seen FROM series');
        return row!.seen === checks ? whole() : undefined;
      },
      300_000,
      500,
    );
    // The first regular scheduled time comes 10 s after a monitor is created. From then on all are known.
    await sleep(10_000);

    const startMs = Date.now();
    const strikes: { name: string; fromMs: number }[] = [{ name: 'nothing broken', fromMs: startMs }];
    await sleep(8_000);
    const broken: Watched[] = [];
    const faults = faultsOf(world);
    for (const fault of faults) {
      const fromMs = Date.now();
      strikes.push({ name: fault.name, fromMs });
      const sound = record.watched.filter((one) => !broken.includes(one));
      const hit = dueSoon(sound, fromMs + 1_000, fromMs + 8_000, BROKEN_EACH);
      broken.push(...hit);
      await world.breakPages(broken.map(({ path }) => path));
      await fault.strike();
      await sleep(fault.lastsMs);
      await fault.mend();
      await eventually(`all is well again after: ${fault.name}`, whole, 240_000, 250);
      await record.lookAtSpools();
    }
    const endMs = Date.now();
    await sleep(16_000);
    await eventually('everything has arrived', whole, 240_000, 250);
    await record.lookAtSpools();
    // The newest results are still on their way. Results that are missing after this are lost.
    const lost = await eventually('what was on disks is stored', () => record.readLost(), 240_000, 1_000).catch(() =>
      record.lost(),
    );

    const asked = new Set(broken.map(({ id }) => id));
    const tallies = strikes.map(({ name, fromMs }, index) =>
      record.tally(name, fromMs, strikes[index + 1]?.fromMs ?? endMs, asked),
    );
    const readIncidents = () =>
      world.sql<{ key: number; isClosed: boolean }>(
        'SELECT monitor_key::int AS key, is_closed AS "isClosed" FROM incident',
      );
    const haveOpened = async () => (await readIncidents()).length >= broken.length || undefined;
    await eventually('each page that broke has its incident', haveOpened, 240_000);
    const incidents = await readIncidents();
    const dropped = await Promise.all(world.agents.map((agent) => agent.metric('watchpost_spool_dropped_total')));
    const brokenKeys = new Set(broken.map(({ key }) => key));
    const counted = await countTotals(
      startMs,
      endMs,
      record.watched.filter(({ id }) => !asked.has(id)).slice(0, COUNTED),
    );
    console.log(`${tableOf(tallies)}
      ${record.watched.length} monitors, ${checks} checks a minute; ${record.spooledResults} results seen on agents' disks, ${lost.length} lost
      ${counted.length} totals over REST, ${counted.filter(({ reported, due }) => reported > due).length} count a check twice
      ${broken.length} pages broke meanwhile: ${incidents.length} incidents, ${incidents.filter(({ key }) => !brokenKeys.has(key)).length} false, ${incidents.length - new Set(incidents.map(({ key }) => key)).size} duplicate`);

    const all = (pick: 'missed' | 'unseen' | 'strange' | 'inconclusive') =>
      tallies.flatMap((tally: Tally) => tally[pick].map((what) => `${tally.name}: ${what}`));
    expect(all('missed'), 'scheduled times without a check that began within 15 s').to.deep.equal([]);
    expect(all('unseen'), 'scheduled times for which the site received no request in time').to.deep.equal([]);
    expect(all('strange'), 'results of times that are not scheduled').to.deep.equal([]);
    expect(all('inconclusive'), 'inconclusive results').to.deep.equal([]);
    expect(lost, 'results that were on a disk and are not stored').to.deep.equal([]);
    expect(Math.max(...dropped), 'results that a full spool dropped').to.equal(0);
    for (const { name, doubled, due } of tallies.filter((tally) => tally.name === 'spool disk full'))
      expect(doubled, `${name}: checks of ${due} that ran twice`).to.be.at.most(MAX_DOUBLED_BY_FULL_DISK);
    expect(broken).to.have.length(faults.length * BROKEN_EACH);
    expect(
      incidents.map(({ key }) => key).toSorted((a, b) => a - b),
      'one incident for each page that broke, and no other',
    ).to.deep.equal(broken.map(({ key }) => key).toSorted((a, b) => a - b));
    expect(
      incidents.filter(({ isClosed }) => isClosed),
      'none closes while its page is broken',
    ).to.deep.equal([]);
    for (const { path, reported, due, unhealthy } of counted)
      expect({ reported, unhealthy }, `${path}: every scheduled time counts, and once`).to.deep.equal({
        reported: due,
        unhealthy: 0,
      });
  });

  /** The totals that REST reports for monitors, and the scheduled times of the same period. */
  async function countTotals(fromMs: number, toMs: number, of: readonly Watched[]) {
    const totals: { path: string; due: number; reported: number; unhealthy: number }[] = [];
    for (const { id, key, path, regions } of of) {
      const due = regions.reduce((sum, region) => sum + dueTimes(key, region, fromMs, toMs).length, 0);
      const period = `startDate=${new Date(fromMs).toISOString()}&endDate=${new Date(toMs).toISOString()}`;
      const { body } = await world.api('GET', `/api/v1/monitor/${id}/availability?${period}`);
      totals.push({ path, due, reported: body.totalChecks, unhealthy: body.unhealthyChecks });
    }
    return totals;
  }
});
