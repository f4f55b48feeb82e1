import { expect } from 'chai';
import type { AssertionResult } from '@watchpost/shared/assertions/assertion';
import type { Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { resultFromWire } from '@watchpost/shared/wire/decode-result';
import { resultToWire } from '@watchpost/shared/wire/encode-result';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { monitorState, observe, observedResult } from './detail-seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';
import {
  agentIn,
  NOON,
  resultsDeps,
  seedLoneMonitor,
  type MonitorSeed,
  type MonitorSettings,
} from '../results/seed.js';

const SENTENCE = 'JSON $.age is 90 instead of less than 60 (1 of 2 assertions failed).';
const WARNS: Outcome = { kind: 'up', degraded: SENTENCE };
const UP: Outcome = { kind: 'up' };
const ASSERTIONS: AssertionResult[] = [
  { index: 0, passed: true, expected: '200', actual: '200', message: null },
  {
    index: 1,
    passed: false,
    expected: 'less than 60',
    actual: '90',
    message: 'JSON $.age is 90 instead of less than 60.',
  },
];

describe('Assertions that only warn', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;
  const { incidents, health } = monitorState(test, () => monitor);
  const make = async (settings: MonitorSettings = {}, workspace: { quorum?: string } = {}) => {
    monitor = await seedLoneMonitor(test.database, settings, workspace);
    await assert([{ source: 'json', property: '$.age', comparison: 'lessThan', target: 60, severity: 'degraded' }]);
  };
  const assert = (assertions: readonly object[]) =>
    test.sql('UPDATE monitor SET settings = $2 WHERE key = $1', [
      monitor.key,
      JSON.stringify({ http: { assertions } }),
    ]);
  /** One check a minute, from the first minute on. @returns the minute after the last */
  const run = async (from: number, outcomes: readonly Outcome[], region: Region = 'northeurope') => {
    for (const [index, outcome] of outcomes.entries()) {
      deps.clock.set(NOON + (from + index) * MINUTE_MS + 500);
      const result = observedResult(monitor, from + index, { outcome });
      const evidence = outcome === WARNS ? { assertions: ASSERTIONS } : result.evidence;
      await ingestBatch(deps, agentIn(region), [{ ...result, evidence }]);
    }
    return from + outcomes.length;
  };
  const series = () =>
    test.sql<{ settled: boolean; warning: boolean }>(
      'SELECT settled, is_warning AS warning FROM series WHERE monitor_key = $1 ORDER BY region',
      [monitor.key],
    );

  it('make the monitor degraded at once, open an incident after so many checks, and close it after so many without a warning', async () => {
    await make({ checksBeforeAlert: 3, checksBeforeRecovery: 2 });
    let minute = await run(0, [UP, UP, UP]);
    expect(await series()).to.deep.equal([{ settled: true, warning: false }]);
    minute = await run(minute, [WARNS]);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });
    minute = await run(minute, [WARNS]);
    expect(await incidents()).to.have.length(0);
    minute = await run(minute, [WARNS]);
    const [incident] = await incidents();
    expect(incident).to.deep.include({
      type: 'Assertion',
      severity: 'warning',
      isClosed: false,
      regions: ['northeurope'],
      reason: SENTENCE,
    });
    expect(incident!.context).to.have.nested.property('failingSince', new Date(NOON + 3 * MINUTE_MS).toISOString());
    expect(incident!.context).to.have.nested.property('failures[0].reason', 'assertion_failed');
    expect(incident!.context).to.have.deep.nested.property('failures[0].evidence.assertions', ASSERTIONS);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });
    expect(await series()).to.deep.equal([{ settled: true, warning: true }]);

    minute = await run(minute, [UP]);
    expect((await incidents())[0]).to.include({ isClosed: false });
    minute = await run(minute, [UP]);
    expect((await incidents()).map(({ isClosed }) => isClosed)).to.deep.equal([true]);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'available' });
    await run(minute, [UP]);
    expect(await series()).to.deep.equal([{ settled: true, warning: false }]);
  });

  it('that pass in between open nothing', async () => {
    await make();
    await run(0, [WARNS, UP, WARNS, UP, WARNS]);
    expect(await incidents()).to.have.length(0);
    expect((await health())?.health).to.equal('degraded');
  });

  it('open an incident where the quorum of regions warns', async () => {
    await make({ regions: ['eastus2'] }, { quorum: 'all' });
    await run(0, [UP], 'eastus2');
    await run(0, [UP, WARNS, WARNS]);
    await run(1, [UP, UP], 'eastus2');
    await run(3, [WARNS]);
    expect(await incidents()).to.have.length(0);
    expect(await health()).to.deep.equal({ verdict: 'available', health: 'degraded' });
    await run(3, [WARNS, WARNS], 'eastus2');
    expect((await incidents()).map(({ regions }) => regions)).to.deep.equal([['northeurope', 'eastus2']]);
    await run(4, [WARNS, UP]);
    await run(5, [UP], 'eastus2');
    expect((await incidents()).map(({ type, isClosed }) => [type, isClosed])).to.deep.equal([['Assertion', true]]);
  });

  it('keep their incident while the site is down, which is an incident of its own', async () => {
    await make({ checksBeforeAlert: 1 });
    const minute = await run(0, [UP, WARNS]);
    const broken = { kind: 'down', phase: 'content', reason: 'unexpected_status', message: 'It is 500.' } as const;
    await run(minute, [broken, broken, broken]);
    expect((await incidents()).map(({ type, isClosed }) => [type, isClosed])).to.deep.equal([
      ['Assertion', false],
      ['Availability', false],
    ]);
    await run(minute + 3, [UP]);
    expect((await incidents()).every(({ isClosed }) => isClosed)).to.equal(true);
  });

  it('close their incident with the next check once they are removed', async () => {
    await make({ checksBeforeAlert: 1 });
    const minute = await run(0, [UP, WARNS]);
    expect((await incidents())[0]).to.include({ isClosed: false });
    await assert([]);
    await observe(deps, monitor, minute, { outcome: UP });
    expect((await incidents())[0]).to.include({ isClosed: true });
  });

  it('are stored whatever an answer contains', async () => {
    await make({ checksBeforeAlert: 1 });
    const hostile = `\u0000\ud800 ${'x'.repeat(900)}`;
    const result = {
      ...observedResult(monitor, 0, { outcome: { kind: 'up', degraded: hostile } }),
      evidence: { assertions: [{ index: 0, passed: false, expected: hostile, actual: hostile, message: hostile }] },
    };
    deps.clock.set(NOON + 500);
    await ingestBatch(deps, agentIn('northeurope'), [resultFromWire(resultToWire(result))]);
    const [incident] = await incidents();
    expect(incident!.reason).to.equal(`\ufffd\ufffd ${'x'.repeat(900)}`);
    expect(incident!.context).to.have.nested.property(
      'failures[0].evidence.assertions[0].actual',
      `\ufffd\ufffd ${'x'.repeat(197)}`,
    );
  });
});
