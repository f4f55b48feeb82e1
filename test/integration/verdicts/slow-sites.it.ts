import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { observe, observedResult, monitorState } from './detail-seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultsDeps, seedLoneMonitor, type MonitorSeed } from '../results/seed.js';

describe('A slow site', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;
  const { incidents, health } = monitorState(test, () => monitor);
  const make = async (
    latency: { thresholdMs: number; percentile: number; windowChecks: number },
    regions: readonly 'eastus2'[] = [],
  ) => {
    monitor = await seedLoneMonitor(test.database, { types: ['HttpAvailability', 'Latency'], regions });
    await test.sql('UPDATE monitor SET settings = $2 WHERE key = $1', [monitor.key, JSON.stringify({ latency })]);
  };
  /** One check a minute that takes so many ms. @returns the minute after the last */
  const run = async (from: number, totals: readonly number[], region?: 'eastus2') => {
    for (const [index, totalMs] of totals.entries())
      await observe(deps, monitor, from + index, { totalMs, ...(region ? { region } : {}) });
    return from + totals.length;
  };
  const settled = async () =>
    await test.column<boolean>('SELECT settled FROM series WHERE monitor_key = $1 ORDER BY region', [monitor.key]);

  it('opens one Latency incident once the percentile of a full window is above the threshold, and closes it below', async () => {
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 5 });
    let minute = await run(0, [100, 100, 100, 100, 100]);
    expect(await settled()).to.deep.equal([true]);
    minute = await run(minute, [3_000, 3_000]);
    expect(await incidents()).to.have.length(0);
    minute = await run(minute, [3_000]);
    const [incident] = await incidents();
    expect(incident).to.deep.include({
      type: 'Latency',
      severity: 'warning',
      isClosed: false,
      regions: ['northeurope'],
    });
    expect(incident!.reason).to.equal(
      'Too slow: the median of the last 5 checks is 3,000 ms, above the threshold of 1,000 ms.',
    );
    expect(incident!.context).to.have.nested.property('latency.value', 3_000);
    expect(incident!.context).to.have.nested.property('latency.percentile', 50);
    expect(
      (incident!.context as { latency: { regions: { checks: unknown[] }[] } }).latency.regions[0]!.checks,
    ).to.have.length(5);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });

    minute = await run(minute, [3_000, 3_000, 3_000, 3_000]);
    expect(await settled()).to.deep.equal([true]);
    minute = await run(minute, [100, 100]);
    expect((await incidents())[0]).to.include({ isClosed: false });
    await run(minute, [100]);
    expect((await incidents()).map(({ isClosed }) => isClosed)).to.deep.equal([true]);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('is judged by a full window only', async () => {
    await make({ thresholdMs: 1_000, percentile: 95, windowChecks: 5 });
    const minute = await run(0, [3_000, 3_000, 3_000, 3_000]);
    expect(await incidents()).to.have.length(0);
    expect((await health())?.health).to.equal('available');
    await run(minute, [3_000]);
    expect(await incidents()).to.have.length(1);
  });

  it('that is slow occasionally is slow by its 95th percentile, and not by its median', async () => {
    const totals = [100, 100, 9_000, 100, 100, 100, 100];
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 5 });
    await run(0, totals);
    expect(await incidents()).to.have.length(0);
    await make({ thresholdMs: 1_000, percentile: 95, windowChecks: 5 });
    await run(0, totals);
    expect((await incidents()).map(({ type }) => type)).to.deep.equal(['Latency']);
  });

  it('is judged by all regions together', async () => {
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 3 }, ['eastus2']);
    await run(0, [100, 100, 100, 100]);
    await run(0, [3_000, 3_000, 3_000], 'eastus2');
    const [incident] = await incidents();
    expect(incident).to.deep.include({ type: 'Latency', regions: ['eastus2'] });
    expect(incident!.context).to.have.nested.property('latency.value', 1_550);
    expect(
      (incident!.context as { latency: { regions: { region: string; value: number }[] } }).latency.regions.map(
        ({ region, value }) => [region, value],
      ),
    ).to.deep.equal([
      ['northeurope', 100],
      ['eastus2', 3_000],
    ]);
    await run(4, [100, 100], 'eastus2');
    expect((await incidents())[0]).to.include({ isClosed: true });
  });

  it('that goes down is down, and slow again only by a full window of successes', async () => {
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 3 });
    let minute = await run(0, [3_000, 3_000, 3_000]);
    for (let failed = 0; failed < 6; failed++) await observe(deps, monitor, minute++, { outcome: DOWN, kind: 'http' });
    expect(await health()).to.deep.equal({ verdict: 'unavailable', health: 'unavailable' });
    expect((await incidents()).map(({ type, isClosed }) => [type, isClosed])).to.deep.equal([
      ['Latency', false],
      ['Availability', false],
    ]);
    minute = await run(minute, [100, 100]);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });
    await run(minute, [100]);
    expect((await incidents()).map(({ isClosed }) => isClosed)).to.deep.equal([true, true]);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
  });

  it('is not detected in late results', async () => {
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 3 });
    for (const minute of [0, 1, 2, 3])
      await observe(deps, monitor, minute, { totalMs: 3_000, lateMinutes: 120 - minute });
    expect(await incidents()).to.have.length(0);
  });

  it('stays slow while its state is unknown, and deciding again changes nothing', async () => {
    await make({ thresholdMs: 1_000, percentile: 50, windowChecks: 3 });
    await run(0, [3_000, 3_000, 3_000]);
    deps.clock.set(NOON + 10 * MINUTE_MS);
    await sweepSilence(deps);
    await sweepSilence(deps);
    expect(await health()).to.deep.equal({ verdict: 'unknown', health: null });
    expect((await incidents()).map(({ isClosed }) => isClosed)).to.deep.equal([false]);
  });

  it('is detected in a batch of several checks', async () => {
    await make({ thresholdMs: 1_000, percentile: 95, windowChecks: 3 });
    deps.clock.set(NOON + 2 * MINUTE_MS + 500);
    const results = [0, 1, 2].map((minute) => observedResult(monitor, minute, { totalMs: 3_000 }));
    await ingestBatch(deps, agentIn('northeurope'), results);
    expect(await incidents()).to.have.length(1);
  });
});
