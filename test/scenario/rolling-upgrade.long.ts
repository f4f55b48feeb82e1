import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import { migrations } from '@watchpost/control-plane/app/schema';
import { eventually } from '../support/eventually.js';
import { FleetRecord, dueSoon, dueTimes, tableOf, type Tally } from '../support/fleet/fleet-record.js';
import { FleetWorld, PRESENT_ROOT } from '../support/fleet/fleet-world.js';
import { isWhole, watchPages } from '../support/fleet/watch-pages.js';
import { buildFormerVersion, findFormerVersion, type FormerVersion } from '../support/former-version.js';
import { needRedis } from '../support/redis.js';

const HOME: Region = 'northeurope';
const MONITORS = 400;
const BROKEN = 3;
const STOP_MS = 180_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('an upgrade of one process after the other, from the former version', function () {
  this.timeout(30 * 60_000);
  let former: FormerVersion;
  let world: FleetWorld;
  let record: FleetRecord;
  const whole = () => isWhole(world, record.watched);

  before(async function () {
    needRedis(this);
    if (process.platform !== 'linux') this.skip();
    const commit = await findFormerVersion();
    if (commit === undefined) {
      console.log('      skipped: this checkout does not contain the former version (test/support/former-version.txt)');
      this.skip();
    }
    former = await buildFormerVersion(commit);
    world = await FleetWorld.start({ controlPlanes: 2, regions: [HOME], agentsEach: 2, root: former.root });
    await world.admin('set-plan', '--user', await world.email(), '--plan', 'Enterprise', '--limit', 'monitors=5000');
    record = new FleetRecord(world, await watchPages(world, MONITORS, () => []));
  });
  after(async () => {
    await world?.stop();
    await former?.remove();
  });

  it('misses no check, counts none twice, opens no false incident, and answers REST all the time', async () => {
    await eventually('each has its first result', allSeen, 300_000, 500);
    await sleep(10_000);
    const [first, second] = world.controlPlanes as [(typeof world.controlPlanes)[0], (typeof world.controlPlanes)[0]];
    const startMs = Date.now();
    const phases: { name: string; fromMs: number }[] = [{ name: 'former version', fromMs: startMs }];
    const asking = askAllTheTime();
    await sleep(5_000);

    const change = async (name: string, work: () => Promise<void>) => {
      phases.push({ name, fromMs: Date.now() });
      await work();
      await eventually(`all is well after: ${name}`, whole, 240_000, 250);
      await record.lookAtSpools();
    };
    const replace = async (plane: typeof first, root: string) => {
      plane.process.kill('SIGTERM');
      expect((await plane.process.ended(STOP_MS)).code).to.equal(0);
      plane.root = root;
      await plane.start();
    };
    await change('first control plane', () => replace(first, PRESENT_ROOT));
    await change('second control plane', () => replace(second, PRESENT_ROOT));
    const restart = async (agent: (typeof world.agents)[0]) => {
      agent.process.kill('SIGTERM');
      expect((await agent.process.ended(STOP_MS)).code).to.equal(0);
      agent.root = PRESENT_ROOT;
      agent.start();
    };
    const [one, other] = world.agents as [(typeof world.agents)[0], (typeof world.agents)[0]];
    await change('first agent', () => restart(one));
    await change('second agent', () => restart(other));
    await change('first agent again', () => restart(one));
    await change('first control plane back', () => replace(first, former.root));
    await change('both agents again', async () => {
      await restart(one);
      await eventually('it is back', whole, 240_000, 250);
      await restart(other);
    });
    const broken = dueSoon(record.watched, Date.now() + 1_000, Date.now() + 8_000, BROKEN);
    await change('sites break', async () => {
      await world.breakPages(broken.map(({ path }) => path));
      await sleep(12_000);
    });
    const endMs = Date.now();
    const { rounds, unanswered, changed } = await asking.stop();
    await sleep(16_000);
    await record.lookAtSpools();
    const lost = await eventually('what was on disks is stored', () => record.readLost(), 240_000, 1_000).catch(() =>
      record.lost(),
    );

    const asked = new Set(broken.map(({ id }) => id));
    const tallies = phases.map(({ name, fromMs }, index) =>
      record.tally(name, fromMs, phases[index + 1]?.fromMs ?? endMs, asked),
    );
    const readIncidents = () => world.sql<{ key: number }>('SELECT monitor_key::int AS key FROM incident');
    const haveOpened = async () => (await readIncidents()).length >= BROKEN || undefined;
    await eventually('each page that broke has its incident', haveOpened, 240_000);
    const incidents = await readIncidents();
    const period = `startDate=${new Date(startMs).toISOString()}&endDate=${new Date(endMs).toISOString()}`;
    const counted = await Promise.all(
      record.watched.slice(-20).map(async ({ id, key }) => {
        const { body } = await world.api('GET', `/api/v1/monitor/${id}/availability?${period}`);
        return { key, reported: body.totalChecks as number, due: dueTimes(key, HOME, startMs, endMs).length };
      }),
    );
    console.log(`${tableOf(tallies)}
      from ${former.commit.slice(0, 9)}; ${MONITORS} monitors; REST asked ${rounds} times, ${unanswered.length} unanswered, ${changed} changes;
      ${record.spooledResults} results seen on agents' disks, ${lost.length} lost; ${incidents.length} incidents for ${broken.length} broken pages`);

    const all = (pick: 'missed' | 'unseen' | 'strange' | 'inconclusive') =>
      tallies.flatMap((tally: Tally) => tally[pick].map((what) => `${tally.name}: ${what}`));
    expect(all('missed'), 'scheduled times without a check that began within 15 s').to.deep.equal([]);
    expect(all('unseen'), 'scheduled times for which the site received no request in time').to.deep.equal([]);
    expect(all('strange'), 'results of times that are not scheduled').to.deep.equal([]);
    expect(all('inconclusive'), 'inconclusive results').to.deep.equal([]);
    expect(lost, 'results that were on a disk and are not stored').to.deep.equal([]);
    expect(unanswered, 'requests that no process answered').to.deep.equal([]);
    expect(changed, 'changes over REST').to.be.greaterThan(20);
    expect(
      incidents.map(({ key }) => key).toSorted((a, b) => a - b),
      'one incident for each page that broke, and no other',
    ).to.deep.equal(broken.map(({ key }) => key).toSorted((a, b) => a - b));
    for (const { key, reported, due } of counted) expect(reported, `the total of ${key}`).to.equal(due);
  });

  it('serves on for the delay of the drain, while balancers learn that the process is not ready', async () => {
    const [, plane] = world.controlPlanes as [(typeof world.controlPlanes)[0], (typeof world.controlPlanes)[0]];
    plane.process.kill('SIGTERM');
    await plane.process.ended(STOP_MS);
    await plane.start({ DRAIN_DELAY_SECONDS: '20' });
    plane.process.kill('SIGTERM');
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${plane.port}${path}`)).status;
    await eventually('it is not ready', async () => (await statusOf('/health/ready')) === 503 || undefined, 60_000, 50);
    expect(await Promise.all(['/health/live', '/api/v1/user'].map(statusOf))).to.deep.equal([200, 401]);
    expect((await plane.process.ended(STOP_MS)).code).to.equal(0);
  });

  it('stops processes that a later schema excludes, with their own exit code, and refuses to start them', async () => {
    const [, plane] = world.controlPlanes as [(typeof world.controlPlanes)[0], (typeof world.controlPlanes)[0]];
    await plane.start({ ROLES: 'worker' });
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${plane.port}${path}`)).status;
    expect(
      await Promise.all(['/health/live', '/health/ready', '/api/v1/user'].map(statusOf)),
      'a process without the role "api"',
    ).to.deep.equal([200, 200, 404]);

    await world.sql('UPDATE schema_version SET readable_from = $1', [migrations.length + 1]);
    expect((await plane.process.ended(STOP_MS)).code).to.equal(3);
    expect((await plane.launch().ended(STOP_MS)).code).to.equal(3);
    expect(plane.process.output()).to.match(/upgraded for processes of schema version \d+ or later[^\n]*\n$/);
  });

  async function allSeen(): Promise<true | undefined> {
    const [row] = await world.sql<{ seen: number }>('SELECT count(last_scheduled_at)::int AS seen FROM series');
    return row!.seen === MONITORS ? whole() : undefined;
  }

  /** Asks and changes over REST as clients of a balancer do, which tries another process where one does not take the connection. */
  function askAllTheTime() {
    const unanswered: string[] = [];
    const over = new AbortController();
    let [rounds, changed] = [0, 0];
    const round = async () => {
      const { id } = record.watched[rounds % record.watched.length]!;
      const note = `${rounds}`;
      const isChange = rounds % 4 === 0;
      const answer = await (
        isChange
          ? world.apiOnce('PUT', `/api/v1/monitor/${id}`, { name: `renamed ${note}` })
          : world.apiOnce('GET', '/api/v1/monitor?pageSize=5')
      ).catch((error: Error) => ({ status: 0, body: error.message }));
      rounds++;
      if (answer.status !== 200) unanswered.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      else if (isChange) changed++;
    };
    const running = (async () => {
      while (!over.signal.aborted) await Promise.all([round(), sleep(200)]);
    })();
    return {
      async stop() {
        over.abort();
        await running;
        return { rounds, unanswered, changed };
      },
    };
  }
});
