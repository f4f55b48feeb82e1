import { expect } from 'chai';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { MonitorChange } from '@watchpost/control-plane/capabilities/monitors/index';
import { reconsiderWorkspace, resultsMonitorListener } from '@watchpost/control-plane/capabilities/verdicts/index';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { readAvailability } from '@watchpost/control-plane/capabilities/figures/index';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedLoneMonitor, UP, type MonitorSeed } from '../results/seed.js';
import { monitorState } from './detail-seed.js';

describe('Series and verdict of a monitor that changes', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;

  beforeEach(async () => {
    monitor = await seedLoneMonitor(test.database, { createdMs: NOON });
    await notify('created');
  });

  const query = <Row extends object>(sql: string) => test.sql<Row>(sql, [monitor.key]);
  const { health: verdict } = monitorState(test, () => monitor);
  /** Changes the monitor's row as its slice does, and calls the listener in the same transaction. */
  const notify = (kind: MonitorChange['kind'], set = 'name = name', checksChanged = false) =>
    test.database.transaction(async (tx) => {
      await tx.query(
        `UPDATE monitor SET ${set}, checks_changed = CASE WHEN $2 THEN $3 ELSE checks_changed END WHERE key = $1`,
        [monitor.key, checksChanged, new Date(deps.clock.now())],
      );
      const { id, key, workspaceId } = monitor;
      await resultsMonitorListener(deps)(tx, [{ kind, monitorId: id, monitorKey: key, workspaceId, checksChanged }]);
    });
  const observe = (minute: number, outcome = UP, region: Region = 'northeurope') => {
    deps.clock.set(NOON + minute * MINUTE_MS + 500);
    return ingestBatch(deps, agentIn(region), [resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome)]);
  };

  /** The states since noon: from which minute on, and what. */
  const timeline = async () => {
    const { timeline: spans } = await readAvailability(
      { ...deps, retentionDays: 35 },
      monitor.workspaceId,
      monitor.id,
      { startDate: NOON },
    );
    return spans.map(({ start, status }) => [(Date.parse(start) - NOON) / MINUTE_MS, status]);
  };

  it('are empty for a new one, and missing results are detected', async () => {
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    deps.clock.set(NOON + 2.9 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.include({ stale: 0 });
    deps.clock.set(NOON + 3 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.include({ stale: 1 });
    expect((await query('SELECT stale FROM series WHERE monitor_key = $1'))[0]).to.deep.equal({ stale: true });
    await observe(4);
    expect(await verdict()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('are unknown as soon as it is paused, in the timeline too, and nothing is overdue', async () => {
    await observe(0);
    await observe(1);
    deps.clock.set(NOON + 1.5 * MINUTE_MS);
    await notify('stopped', `monitoring_status = 'paused'`);
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    deps.clock.set(NOON + 10 * MINUTE_MS);
    expect(await sweepSilence(deps)).to.include({ stale: 0 });
    expect(await timeline()).to.deep.equal([
      [0, 'available'],
      [1.5, 'unknown'],
    ]);
  });

  it('leave out a region from when it is no longer checked, in the timeline too', async () => {
    await notify('updated', `enabled_regions = '{eastus2}'`, true);
    await observe(0, UP, 'eastus2');
    for (const minute of [0, 1]) await observe(minute, DOWN);
    deps.clock.set(NOON + 1.25 * MINUTE_MS);
    await notify('updated', `enabled_regions = '{}'`, true);
    await sweepSilence(deps);
    expect(await verdict()).to.include({ verdict: 'unavailable' });
    deps.clock.set(NOON + 1.5 * MINUTE_MS);
    expect((await timeline()).at(-1)).to.deep.equal([1.25, 'unavailable']);
  });

  it('keep an incident as it was while a maintenance window holds the checks, until its regions recover', async () => {
    await notify('updated', `enabled_regions = '{eastus2,japaneast}'`, true);
    const incidents = () =>
      query<object>('SELECT is_closed, severity, regions, status, ended FROM incident WHERE monitor_key = $1');
    for (const minute of [0, 1]) {
      await observe(minute);
      for (const region of ['eastus2', 'japaneast'] as const) await observe(minute, DOWN, region);
    }
    const open = await incidents();
    expect(open).to.deep.equal([
      { is_closed: false, severity: 'partial', regions: ['eastus2', 'japaneast'], status: 'Ongoing', ended: null },
    ]);
    await notify('held', 'checks_held = true');
    await notify('updated', `name = 'another'`);
    await sweepSilence(deps);
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    deps.clock.set(NOON + 20 * MINUTE_MS);
    await notify('released', 'checks_held = false', true);
    await sweepSilence(deps);
    expect(await incidents(), 'nothing has been measured yet').to.deep.equal(open);
    await observe(20.5);
    expect(await incidents(), 'only a region that was healthy before has reported').to.deep.equal(open);
    for (const minute of [20.5, 21.5]) await observe(minute, UP, 'eastus2');
    for (const minute of [20.5, 21.5]) await observe(minute, UP, 'japaneast');
    const closed = await incidents();
    expect(closed).to.have.length(1);
    expect(closed[0]).to.include({ is_closed: true });
  });

  it('start again when it is enabled again', async () => {
    await observe(0, DOWN);
    await observe(1, DOWN);
    expect(await verdict()).to.include({ verdict: 'unavailable' });
    await notify('stopped', `monitoring_status = 'paused'`);
    deps.clock.set(NOON + 20 * MINUTE_MS);
    await notify('resumed', `monitoring_status = 'enabled'`, true);
    await observe(20.5, DOWN);
    expect(await verdict()).to.deep.equal({ verdict: 'unknown', health: null });
    await observe(21, UP);
    expect(await verdict()).to.include({ verdict: 'available' });
  });

  it('count no failure of the former settings in a new streak', async () => {
    await observe(0);
    await observe(1, DOWN);
    deps.clock.set(NOON + 1.5 * MINUTE_MS);
    await notify('updated', `url = 'https://other.test/'`, true);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(monitor.key, NOON + 1.2 * MINUTE_MS, DOWN)]);
    await observe(2, DOWN);
    expect(await verdict()).to.include({ verdict: 'available' });
    await observe(3, DOWN);
    expect(await verdict()).to.include({ verdict: 'unavailable' });
  });

  it('neither end an incident nor open another because of an edit', async () => {
    await observe(0, DOWN);
    await observe(1, DOWN);
    await notify('updated', `url = 'https://other.test/'`, true);
    await sweepSilence(deps);
    await observe(2, DOWN);
    expect(await query('SELECT FROM incident WHERE monitor_key = $1')).to.have.length(1);
    expect(await query('SELECT FROM incident WHERE monitor_key = $1 AND NOT is_closed')).to.have.length(1);
    await observe(3);
    expect(await query('SELECT FROM incident WHERE monitor_key = $1 AND NOT is_closed')).to.have.length(0);
  });

  it('follow new thresholds from the next result on', async () => {
    await observe(0);
    await observe(1, DOWN);
    await notify('updated', 'checks_before_alert = 3');
    await observe(2, DOWN);
    expect(await verdict()).to.include({ verdict: 'available' });
    await observe(3, DOWN);
    expect(await verdict()).to.include({ verdict: 'unavailable' });
  });

  it('follow a new quorum within a sweep', async () => {
    await notify('updated', `enabled_regions = '{eastus2}'`, true);
    for (const minute of [0, 1]) {
      await observe(minute, DOWN);
      await ingestBatch(deps, agentIn('eastus2'), [resultOf(monitor.key, NOON + minute * MINUTE_MS)]);
    }
    expect(await query('SELECT FROM incident WHERE monitor_key = $1')).to.have.length(0);
    await test.database.transaction(async (tx) => {
      await tx.query(`UPDATE workspace SET incident_quorum = 'any' WHERE id = $1`, [monitor.workspaceId]);
      await reconsiderWorkspace(deps, tx, monitor.workspaceId);
    });
    await sweepSilence(deps);
    expect((await query('SELECT severity FROM incident WHERE monitor_key = $1'))[0]).to.deep.equal({
      severity: 'partial',
    });
  });

  it('are deleted with it, and results that still arrive are dropped', async () => {
    await observe(0);
    await notify('deleted', 'deleted_at = now()');
    expect(await observe(1)).to.include({ stored: 0, dropped: 1 });
    expect(await query('SELECT FROM series WHERE monitor_key = $1')).to.have.length(0);
    expect(await query('SELECT FROM monitor_state WHERE monitor_key = $1')).to.have.length(0);
  });
});
