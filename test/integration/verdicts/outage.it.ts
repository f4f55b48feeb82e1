import { expect } from 'chai';
import type { Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { reconsiderOwner } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedLoneMonitor, UP, type MonitorSeed } from '../results/seed.js';
import { monitorState } from './detail-seed.js';

interface IncidentRow {
  is_closed: boolean;
  severity: string;
  regions: string[];
  failure_reason: string;
  started: Date;
  ended: Date | null;
  context: {
    failingSince: string;
    failures: { region: string; scheduledAt: string; reason: string; evidence: object }[];
  };
}

describe('An outage', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;

  beforeEach(async () => {
    monitor = await seedLoneMonitor(test.database, { regions: ['eastus2'] });
  });

  const query = <Row extends object>(sql: string) => test.sql<Row>(sql, [monitor.key]);
  const incidents = () => query<IncidentRow>('SELECT * FROM incident WHERE monitor_key = $1 ORDER BY started');
  const { health: verdict } = monitorState(test, () => monitor);
  const observe = (minute: number, outcome: Outcome, region: Region) => {
    deps.clock.set(NOON + minute * MINUTE_MS + 500);
    return ingestBatch(deps, agentIn(region), [resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome)]);
  };
  const seeFromBoth = async (minute: number, outcome: Outcome) => {
    await observe(minute, outcome, 'northeurope');
    await observe(minute, outcome, 'eastus2');
  };

  it('that was reported only by a region that the plan no longer covers ends with the plan', async () => {
    await test.sql(`UPDATE workspace SET incident_quorum = 'any'`);
    await seeFromBoth(0, UP);
    for (const minute of [1, 2]) await observe(minute, DOWN, 'eastus2');
    await observe(2, UP, 'northeurope');
    expect(await incidents()).to.have.length(1);
    await test.database.transaction(async (tx) => {
      await tx.query(`UPDATE user_account SET plan = 'Starter'`);
      const [owner] = await tx.query<{ id: string }>('SELECT id FROM user_account');
      await reconsiderOwner(deps, tx, owner!.id);
    });
    await sweepSilence(deps);
    expect(await verdict()).to.deep.equal({ verdict: 'available', health: 'available' });
    expect((await incidents())[0]).to.include({ is_closed: true });
  });

  it('in one of two regions is partial and no incident; in both it is one, with evidence of the first failures', async () => {
    await seeFromBoth(0, UP);
    expect(await verdict()).to.deep.equal({ verdict: 'available', health: 'available' });
    for (const minute of [1, 2]) await observe(minute, DOWN, 'eastus2');
    await observe(2, UP, 'northeurope');
    expect(await verdict()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
    expect(await incidents()).to.have.length(0);

    await seeFromBoth(3, DOWN);
    await seeFromBoth(4, DOWN);
    expect(await verdict()).to.deep.equal({ verdict: 'unavailable', health: 'unavailable' });
    const [incident] = await incidents();
    expect(incident).to.deep.include({
      is_closed: false,
      severity: 'down',
      regions: ['northeurope', 'eastus2'],
      failure_reason: DOWN.kind === 'down' ? DOWN.message : '',
    });
    expect(incident!.started).to.deep.equal(new Date(NOON + 3 * MINUTE_MS));
    expect(incident!.context.failingSince).to.equal(new Date(NOON + MINUTE_MS).toISOString());
    expect(incident!.context.failures.map(({ region, scheduledAt }) => [region, scheduledAt])).to.deep.equal([
      ['eastus2', new Date(NOON + MINUTE_MS).toISOString()],
      ['northeurope', new Date(NOON + 3 * MINUTE_MS).toISOString()],
    ]);
    expect(incident!.context.failures[0]!.evidence).to.deep.equal({ resolved: ['203.0.113.7'] });
  });

  it('that continues is one incident, and ends with the first success', async () => {
    for (let minute = 0; minute < 10; minute++) await seeFromBoth(minute, DOWN);
    expect(await incidents()).to.have.length(1);
    await seeFromBoth(10, UP);
    const [incident] = await incidents();
    expect(incident).to.deep.include({ is_closed: true, ended: new Date(NOON + 10 * MINUTE_MS + 500) });
    expect(await verdict()).to.deep.equal({ verdict: 'available', health: 'available' });
    const events = await query<{ type: string }>(
      'SELECT type FROM incident_event JOIN incident ON incident.id = incident_id WHERE monitor_key = $1 ORDER BY seq',
    );
    expect(events.map(({ type }) => type)).to.deep.equal([
      'opened',
      'region_failed',
      'region_failed',
      'region_recovered',
      'recovered',
      'closed',
    ]);
  });

  it('that begins while a person closes the recovered incident of the last one has an incident of its own', async () => {
    await test.sql('UPDATE workspace SET auto_close_incidents = false');
    for (const minute of [0, 1]) await seeFromBoth(minute, DOWN);
    await seeFromBoth(2, UP);
    expect((await incidents()).map((row) => [row.is_closed, row.ended !== null])).to.deep.equal([[false, true]]);
    await observe(3, DOWN, 'northeurope');
    for (const minute of [3, 4]) await observe(minute, DOWN, 'eastus2');
    let failing: Promise<unknown> | undefined;
    await test.database.transaction(async (tx) => {
      await tx.query('UPDATE incident SET is_closed = true');
      failing = observe(4, DOWN, 'northeurope');
      await eventually(
        'the verdict waits for the person',
        async () =>
          (
            await query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND $1 > 0`,
            )
          ).length === 1 || undefined,
        PATIENCE_MS,
        10,
      );
    });
    await failing;
    expect((await incidents()).map((row) => row.is_closed)).to.deep.equal([true, false]);
  });

  it('that both regions report at the same moment is one incident', async () => {
    for (const minute of [0, 1]) {
      deps.clock.set(NOON + minute * MINUTE_MS + 500);
      await Promise.all(
        (['northeurope', 'eastus2'] as const).map((region) =>
          ingestBatch(deps, agentIn(region), [resultOf(monitor.key, NOON + minute * MINUTE_MS, DOWN)]),
        ),
      );
    }
    expect(await incidents()).to.have.length(1);
  });

  it('neither begins nor ends because of silence, which appears as unknown', async () => {
    await seeFromBoth(0, UP);
    deps.clock.set(NOON + 2 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.deep.equal({ stale: 0, decided: 0 });
    deps.clock.set(NOON + 2.5 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.deep.equal({ stale: 2, decided: 1 });
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    expect(await deps.registry.metrics()).to.include('watchpost_results_stale_series{region="eastus2"} 1');
    expect(await deps.registry.metrics()).to.include('watchpost_monitors_unknown 1');
    expect(await incidents()).to.have.length(0);
    expect(await sweepSilence(deps)).to.deep.equal({ stale: 0, decided: 0 });

    await observe(10, UP, 'northeurope');
    expect(await verdict()).to.deep.equal({ verdict: 'available', health: 'available' });
    await sweepSilence(deps);
    expect(await deps.registry.metrics()).to.include('watchpost_results_stale_series{region="northeurope"} 0');

    await seeFromBoth(11, DOWN);
    await seeFromBoth(12, DOWN);
    deps.clock.set(NOON + 60 * MINUTE_MS);
    await sweepSilence(deps);
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    expect((await incidents())[0]).to.include({ is_closed: false, ended: null });
    await seeFromBoth(61, UP);
    expect((await incidents())[0]).to.include({ is_closed: true });
  });

  it('is detected in time when results arrive between the sweeps', async () => {
    await seeFromBoth(0, UP);
    // eastus2 is overdue, and no sweep has come by yet when northeurope reports …
    await observe(4, DOWN, 'northeurope');
    await observe(5, DOWN, 'northeurope');
    expect((await incidents())[0]).to.deep.include({ regions: ['northeurope'] });
    // … and when it reports itself, it counts at once.
    await observe(5, UP, 'eastus2');
    expect(await verdict()).to.deep.equal({ verdict: 'partial', health: 'degraded' });
  });
});
