import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { readAvailability } from '@watchpost/control-plane/capabilities/figures/reading/read-availability';
import { suspectPeriodStore } from '@watchpost/control-plane/capabilities/verdicts/trust/suspect-period-store';
import { HOLD_UNCLEAR_MS } from '@watchpost/control-plane/capabilities/verdicts/trust/decide-hold';
import { newId } from '@watchpost/shared/id';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import {
  agentIn,
  DOWN,
  NOON,
  noticesOf,
  resultOf,
  resultsDeps,
  seedMonitors,
  seedWorkspace,
  UP,
  type MonitorSeed,
  type MonitorSettings,
} from '../results/seed.js';

const HOME: Region = 'northeurope';
const AWAY: Region = 'eastus2';

describe('A region that has lost its network', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitors: MonitorSeed[];

  beforeEach(() => {
    monitors = [];
  });

  /** Monitors of unrelated sites and networks, by turns of so many owners. */
  const seed = async (count: number, settings: MonitorSettings = {}, owners = count) => {
    const workspaces = await Promise.all(Array.from({ length: owners }, () => seedWorkspace(test.database)));
    for (let index = 0; index < count; index++)
      monitors.push(...(await seedMonitors(test.database, workspaces[index % owners]!.id, 1, settings)));
    await test.sql(`UPDATE monitor SET url = 'https://www.site-' || key || '.test/', site = 'site-' || key || '.test'`);
  };
  /** Each monitor's site is in a network of its own. */
  const resultFrom = (key: number, dueMs: number, outcome: Outcome) => ({
    ...resultOf(key, dueMs, outcome),
    address: `203.0.${key % 256}.7:443`,
  });
  /** One check of each monitor: due one second after the other from `minute` on, as phases scatter them. */
  const observe = async (minute: number, outcome: Outcome, region: Region, of = monitors) => {
    for (const [index, monitor] of of.entries()) {
      const dueMs = NOON + minute * MINUTE_MS + index * SECOND_MS + regionCode(region) * 20;
      deps.clock.set(Math.max(deps.clock.now(), dueMs + 500));
      await ingestBatch(deps, agentIn(region), [resultFrom(monitor.key, dueMs, outcome)]);
      // As several processes do: at the same time.
      if (index % 2 === 1) await Promise.all([sweepSilence(deps), sweepSilence(deps)]);
    }
    await sweepSilence(deps);
  };
  const incidents = async () => (await test.sql('SELECT id FROM incident')).length;
  const verdicts = async () => await test.column<string>('SELECT DISTINCT verdict FROM monitor_state ORDER BY 1');
  const timelineOf = async ({ id, workspaceId }: MonitorSeed) => {
    const report = { ...deps, retentionDays: 35 };
    const { timeline, ...counts } = await readAvailability(report, workspaceId, id, {
      startDate: NOON,
      endDate: deps.clock.now(),
    });
    return { statuses: timeline.map(({ status }) => status), timeline, ...counts };
  };

  it('opens no incident, causes one notice to the operators, and is unknown in the timeline', async () => {
    await seed(12);
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    expect(await verdicts()).to.deep.equal(['available']);

    for (const minute of [2, 3, 4, 5]) await observe(minute, DOWN, HOME);
    expect(await incidents()).to.equal(0);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    expect(await verdicts()).to.deep.equal(['unknown']);
    expect(await test.sql('SELECT DISTINCT last_outcome, stale FROM series')).to.deep.equal([
      { last_outcome: 3, stale: true },
    ]);
    expect(await deps.registry.metrics()).to.include(`watchpost_region_suspect{region="${HOME}"} 1`);
    const timeline = await timelineOf(monitors[11]!);
    expect(timeline.statuses).to.deep.equal(['unknown', 'available', 'unknown']);
    expect(timeline).to.include({ healthyChecks: 2, unhealthyChecks: 0 });
    expect(Date.parse(timeline.timeline[2]!.start)).to.be.within(
      NOON + 2 * MINUTE_MS,
      NOON + 2 * MINUTE_MS + 12 * SECOND_MS,
    );
  });

  it('opens none where a monitor alerts at its first failure either, before the other failures are known', async () => {
    await seed(12, { checksBeforeAlert: 1 });
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    for (const minute of [2, 3]) await observe(minute, DOWN, HOME);
    expect(await incidents()).to.equal(0);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
  });

  it('opens none where it has checked each of its sites once only', async () => {
    await seed(2, { checksBeforeAlert: 1 });
    await observe(0, UP, HOME);
    await seed(10, { checksBeforeAlert: 1 });
    await observe(0.1, UP, HOME);
    await observe(1.1, DOWN, HOME);
    expect(await incidents()).to.equal(0);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
  });

  it('causes no decision while another process is determining whether it is suspect', async () => {
    await seed(12, { checksBeforeAlert: 1 });
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    deps.clock.set(NOON + 2 * MINUTE_MS + 500);
    for (const { key } of monitors)
      await ingestBatch(deps, agentIn(HOME), [resultFrom(key, NOON + 2 * MINUTE_MS, DOWN)]);
    const nowMs = deps.clock.now() + HOLD_UNCLEAR_MS;
    deps.clock.set(nowMs);
    const facts = { id: newId(nowMs), region: HOME, reason: 'correlated_failures', facts: {} } as const;
    let swept: Promise<unknown> | undefined;
    await test.database.transaction(async (tx) => {
      expect(await suspectPeriodStore.take(tx, 0)).to.equal(true);
      await suspectPeriodStore.begin(tx, { ...facts, onsetMs: NOON + 2 * MINUTE_MS, noticedMs: nowMs });
      swept = sweepSilence(deps);
      await eventually(
        'the sweep asks whether somebody looks',
        async () =>
          (
            await test.sql(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
                 AND query LIKE '%pg_try_advisory_xact_lock%'`,
            )
          )[0],
        PATIENCE_MS,
        5,
      );
    });
    await swept;
    expect(await incidents()).to.equal(0);
    expect(await verdicts()).to.deep.equal(['unknown']);
  });

  it('is trusted again when it reaches its targets again, and its late results open nothing', async () => {
    await seed(12);
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    const late = monitors
      .slice(6)
      .map(({ key }, index) => resultOf(key, NOON + 4 * MINUTE_MS + index * SECOND_MS, DOWN));
    for (const minute of [2, 3]) await observe(minute, DOWN, HOME);
    await observe(5, UP, HOME);
    expect(await verdicts(), 'what it finds up is proof').to.deep.equal(['available']);
    expect(noticesOf(deps)).to.have.length(1);
    await observe(6, UP, HOME);
    await observe(7, UP, HOME);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`, `region_trusted ${HOME}`]);
    expect(await deps.registry.metrics()).to.include(`watchpost_region_suspect{region="${HOME}"} 0`);

    await ingestBatch(deps, agentIn(HOME), late);
    await sweepSilence(deps);
    expect(await incidents()).to.equal(0);
    expect(await verdicts()).to.deep.equal(['available']);
    expect(await timelineOf(monitors[8]!)).to.include({ unhealthyChecks: 0 });

    for (const minute of [8, 9]) await observe(minute, DOWN, HOME, monitors.slice(0, 1));
    expect(await incidents(), 'an outage after it is one').to.equal(1);
  });

  it('does not count where another region finds the sites up, with any quorum', async () => {
    await seed(6, { regions: [AWAY] });
    await test.sql(`UPDATE workspace SET incident_quorum = 'any'`);
    for (const minute of [0, 1]) for (const region of [HOME, AWAY]) await observe(minute, UP, region);
    for (const minute of [2, 3, 4]) {
      await observe(minute, DOWN, AWAY);
      await observe(minute + 0.5, UP, HOME);
    }
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${AWAY}`]);
    expect(await incidents()).to.equal(0);
    expect(await verdicts()).to.deep.equal(['available']);
  });

  it('is not confirmed by failures of its other agents', async () => {
    await seed(4);
    await seed(8, { regions: [AWAY] });
    const alone = monitors.slice(0, 4);
    for (const minute of [0, 1]) for (const region of [HOME, AWAY]) await observe(minute, UP, region);
    await observe(2, DOWN, HOME, alone);
    await test.sql(`INSERT INTO second_opinion (monitor_key, kind, region, streak_since, asked, asked_region, answered, outcome)
         SELECT monitor_key, kind, region, streak_since, streak_since, region, streak_since, 2
         FROM series WHERE streak_outcome = 2`);
    await observe(2.2, DOWN, HOME, monitors.slice(4));
    await observe(2.5, UP, AWAY, monitors.slice(4));
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    expect(await test.sql('SELECT onset FROM suspect_period')).to.deep.equal([
      { onset: new Date(NOON + 2 * MINUTE_MS + 20) },
    ]);
    for (const monitor of alone) expect(await timelineOf(monitor)).to.include({ unhealthyChecks: 0 });
  });

  it('does not hide an outage in two regions: each monitor has one incident', async () => {
    await seed(12, { regions: [AWAY] });
    for (const minute of [0, 1]) for (const region of [HOME, AWAY]) await observe(minute, UP, region);
    for (const minute of [2, 3, 4]) for (const region of [HOME, AWAY]) await observe(minute, DOWN, region);
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidents()).to.equal(12);
    expect(await verdicts()).to.deep.equal(['unavailable']);
  });

  it('is not assumed in a small installation when all of its sites go down', async () => {
    await seed(4, {}, 1);
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    for (const minute of [2, 3]) await observe(minute, DOWN, HOME);
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidents()).to.equal(4);
  });

  it('is not assumed because of one owner’s many sites that no other region checks', async () => {
    await seed(20, {}, 1);
    for (const minute of [0, 1]) await observe(minute, UP, HOME);
    for (const minute of [2, 3]) await observe(minute, DOWN, HOME);
    expect(noticesOf(deps)).to.deep.equal([]);
    expect(await incidents()).to.equal(20);
  });

  it('keeps former failures: an incident stays open until the site is up again', async () => {
    await seed(12);
    await observe(0, UP, HOME);
    const [broken, ...others] = monitors as [MonitorSeed, ...MonitorSeed[]];
    for (let minute = 1; minute <= 12; minute++) {
      await observe(minute, DOWN, HOME, [broken]);
      await observe(minute + 0.5, UP, HOME, others);
    }
    expect(await incidents()).to.equal(1);
    for (const minute of [13, 14]) await observe(minute, DOWN, HOME);
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`]);
    expect(await test.sql('SELECT is_closed FROM incident')).to.deep.equal([{ is_closed: false }]);
    for (const minute of [15, 16, 17]) {
      await observe(minute, DOWN, HOME, [broken]);
      await observe(minute + 0.5, UP, HOME, others);
    }
    expect(noticesOf(deps)).to.have.length(2);
    expect(await test.sql('SELECT is_closed FROM incident')).to.deep.equal([{ is_closed: false }]);
    await observe(18, UP, HOME, [broken]);
    expect(await test.sql('SELECT is_closed FROM incident')).to.deep.equal([{ is_closed: true }]);
  });

  it('is suspect at once when all its agents report that they are blind, and trusted when one sees', async () => {
    await seed(1);
    await observe(0, UP, HOME);
    const report = (visibility: string) =>
      test.sql(
        `INSERT INTO agent (id, name, region, token_hash, created, last_modified, last_seen, visibility)
           VALUES (gen_random_uuid(), 'a', $1, '\\x01', $2, $2, $2, $3)
           ON CONFLICT (token_hash) DO UPDATE SET visibility = excluded.visibility, last_seen = excluded.last_seen`,
        [HOME, new Date(deps.clock.now()), visibility],
      );
    await report('blind');
    await sweepSilence(deps);
    expect([noticesOf(deps), await verdicts()]).to.deep.equal([[`region_suspect ${HOME}`], ['unknown']]);
    for (let beat = 0; beat < 4; beat++) {
      deps.clock.advance(5 * SECOND_MS);
      await report('seeing');
      await sweepSilence(deps);
    }
    expect(noticesOf(deps)).to.deep.equal([`region_suspect ${HOME}`, `region_trusted ${HOME}`]);
    await observe(1, UP, HOME);
    expect(await verdicts()).to.deep.equal(['available']);
  });
});
