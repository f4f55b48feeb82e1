import { expect } from 'chai';
import type { CheckResult, PathEvidence } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace } from '../results/seed.js';
import type { MonitorSeed } from '../results/seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

const PATH: PathEvidence = {
  address: '192.0.2.9:443',
  tracedAt: new Date(NOON).toISOString(),
  reached: false,
  hops: [{ ttl: 1, address: '10.0.0.1', name: 'gate.example', rttMs: 0.5, loss: null }],
  stoppedAt: 1,
  lastGood: null,
};

describe('The path of a failure, which its agent reports after it', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  const seeded = async (checksBeforeAlert: number) => {
    const { id } = await seedWorkspace(test.database, { quorum: 'any' });
    const settings = { regions: ['eastus2' as const], checksBeforeAlert };
    return (await seedMonitors(test.database, id, 2, settings)) as [MonitorSeed, MonitorSeed];
  };
  const failing = ({ key }: MonitorSeed, minute = 0): CheckResult => ({
    ...resultOf(key, NOON + minute * MINUTE_MS, DOWN),
    evidence: { resolved: ['192.0.2.9'] },
  });
  const traced = (result: CheckResult): CheckResult => ({ ...result, evidence: { ...result.evidence, path: PATH } });
  const report = (...results: CheckResult[]) => ingestBatch(deps, agentIn('northeurope'), results);
  const pathsOf = async ({ key }: MonitorSeed) => ({
    stored: await test.column<unknown>(
      `SELECT evidence -> 'path' AS path FROM check_failure WHERE monitor_key = $1 ORDER BY scheduled_at, region`,
      [key],
    ),
    incident: await test.column<unknown>(
      `SELECT failure -> 'evidence' -> 'path' AS path
             FROM incident CROSS JOIN LATERAL jsonb_array_elements(context -> 'failures') AS failure WHERE monitor_key = $1`,
      [key],
    ),
  });

  beforeEach(() => {
    deps.clock.set(NOON + 500);
  });

  it('becomes evidence of its result and of the open incident, and of nothing else', async () => {
    const [monitor, other] = await seeded(1);
    await report(failing(monitor), failing(other));
    expect(await pathsOf(monitor)).to.deep.equal({ stored: [null], incident: [null] });
    expect(await report(traced(failing(monitor)))).to.deep.include({ stored: 0, repeated: 1 });
    expect(await pathsOf(monitor)).to.deep.equal({ stored: [PATH], incident: [PATH] });
    expect(await pathsOf(other)).to.deep.equal({ stored: [null], incident: [null] });
    deps.clock.advance(MINUTE_MS);
    await report(failing(monitor, 1));
    expect(await pathsOf(monitor)).to.deep.equal({ stored: [PATH, null], incident: [PATH] });
  });

  it('becomes evidence of an incident that opens later', async () => {
    const [monitor] = await seeded(2);
    await report(failing(monitor));
    await report(traced(failing(monitor)));
    deps.clock.advance(MINUTE_MS);
    await report(failing(monitor, 1));
    expect((await pathsOf(monitor)).incident).to.deep.equal([PATH]);
  });

  it('may come in the batch of its failure, or of other regions, and twice', async () => {
    const [monitor, other] = await seeded(1);
    await report(failing(monitor), traced(failing(monitor)), traced(failing(other)));
    const there = { agent: agentIn('eastus2'), results: [failing(monitor), traced(failing(monitor))] };
    await ingestJoined(deps, [{ agent: agentIn('northeurope'), results: [traced(failing(monitor))] }, there]);
    expect((await pathsOf(monitor)).stored).to.deep.equal([PATH, PATH]);
    expect(await pathsOf(other)).to.deep.equal({ stored: [PATH], incident: [PATH] });
  });
});
