import { expect } from 'chai';
import { schedulePhaseMs } from '@watchpost/shared/check';
import type { RefusedResult, ResultAck } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../../support/eventually.js';
import { seedMonitors, seedWorkspace } from '../results/seed.js';
import type { ResultStream } from './agent-client.js';
import { FleetService } from './fleet-service.js';
import { WireAgent } from './wire-agent.js';

const MADE = Date.UTC(2026, 10, 21, 12);
const HOME = 'northeurope';

/** The first due time of a monitor's HTTP check after a moment. */
function dueAfter(key: number, atMs: number, intervalMs = MINUTE_MS, region: Region = HOME): number {
  const phaseMs = schedulePhaseMs({ monitorKey: key, kind: 'http' }, region, intervalMs);
  return phaseMs + (Math.floor((atMs - phaseMs) / intervalMs) + 1) * intervalMs;
}

describe('results of moments at which nothing was due', function () {
  let service: FleetService;
  let key: number;
  const ingested: CheckResult[] = [];
  const refused: RefusedResult[] = [];
  let stream: ResultStream;
  let sent: number;

  beforeEach(async () => {
    ingested.length = refused.length = sent = 0;
    service = await FleetService.start({ ingest: async (results) => void ingested.push(...results) });
    const { database } = service.test;
    const workspace = await seedWorkspace(database);
    ({ key } = (await seedMonitors(database, workspace.id, 1, { createdMs: MADE }))[0]!);
    stream = (await service.agent('vm-1')).results();
    stream.call.on('data', (ack: ResultAck) => refused.push(...ack.refused));
  });
  afterEach(() => service.stop());

  /** @returns which of these moments were refused */
  async function report(...moments: number[]): Promise<number[]> {
    const first = sent + 1;
    let next = 0;
    stream.send(first, moments.length, (result) => {
      result.key = { monitorKey: BigInt(key), kind: 1 };
      result.scheduledAtMs = BigInt(moments[next++]!);
    });
    sent += moments.length;
    await stream.acknowledged(sent);
    return refused.splice(0).map(({ sequence, reason }) => {
      expect(reason).to.equal('not_due');
      return moments[Number(sequence) - first]!;
    });
  }
  const change = (changedMs: number, intervalMs: number) =>
    service.test.database.read((tx) =>
      tx.query('UPDATE monitor SET checks_changed = $2, check_interval_ms = $3 WHERE key = $1', [
        key,
        new Date(changedMs),
        intervalMs,
      ]),
    );

  it('are acknowledged and named, counted and kept nowhere; what was due goes in beside them', async () => {
    const due = [MADE, dueAfter(key, MADE + 10_000), dueAfter(key, MADE + 90 * MINUTE_MS)];
    const madeUp = [MADE + 1, due[1]! + 1, due[2]! - 1, MADE - MINUTE_MS];
    expect(await report(due[0]!, madeUp[0]!, madeUp[1]!, due[1]!, madeUp[2]!, due[2]!, madeUp[3]!)).to.deep.equal(
      madeUp,
    );
    expect(ingested.map(({ scheduledAtMs }) => scheduledAtMs)).to.deep.equal(due);
    expect(await report(...madeUp), 'where nothing is left').to.deep.equal(madeUp);
    expect(ingested).to.have.length(3);
    const metric = await service.registry.getSingleMetric('watchpost_results_refused_total')!.get();
    expect(metric.values.map(({ value, labels }) => [value, labels])).to.deep.equal([
      [8, { region: HOME, reason: 'not_due' }],
    ]);
  });

  it('are none of those of former settings, by which an agent that is cut off goes on for hours', async () => {
    const changedMs = MADE + 30 * MINUTE_MS + 17;
    await change(changedMs, 5 * MINUTE_MS + 1);
    const againMs = MADE + 50 * MINUTE_MS + 3;
    await change(againMs, 7 * MINUTE_MS);
    const honest = [
      MADE,
      dueAfter(key, MADE + 5 * MINUTE_MS),
      changedMs,
      againMs,
      dueAfter(key, againMs + 100 * MINUTE_MS),
      dueAfter(key, againMs + 100 * MINUTE_MS, 5 * MINUTE_MS + 1),
      dueAfter(key, againMs + 100 * MINUTE_MS, 7 * MINUTE_MS),
    ];
    expect(await report(...honest)).to.deep.equal([]);
    expect(await report(dueAfter(key, againMs + MINUTE_MS) + 1)).to.have.length(1);
  });

  it('are told at once from those of a change that was made a moment ago, whatever is remembered of before', async () => {
    expect(await report(dueAfter(key, MADE + MINUTE_MS))).to.deep.equal([]);
    const changedMs = MADE + 2 * MINUTE_MS + 5;
    await change(changedMs, 3 * MINUTE_MS);
    expect(await report(changedMs, dueAfter(key, changedMs + 10_000, 3 * MINUTE_MS))).to.deep.equal([]);
    expect(await report(dueAfter(key, changedMs + 10_000)), 'by the settings of before').to.deep.equal([]);
  });

  it('are taken where nobody can tell: of monitors changed before it was written down, and of too many changes', async () => {
    const { database } = service.test;
    for (let number = 1; number <= 105; number++) await change(MADE + number * MINUTE_MS, MINUTE_MS);
    const [row] = await database.read((tx) =>
      tx.query<{ changes: number; intervals: number }>(
        `SELECT cardinality(changes) AS changes, cardinality(intervals_ms) AS intervals FROM former_schedule WHERE monitor_key = $1`,
        [key],
      ),
    );
    expect(row).to.deep.equal({ changes: 100, intervals: 1 });
    expect(await report(MADE + 2 * MINUTE_MS, MADE + 50 * MINUTE_MS, MADE + 105 * MINUTE_MS)).to.deep.equal([]);
    expect(await report(MADE + 50 * MINUTE_MS + 1), 'is remembered').to.have.length(1);
    for (let number = 1; number <= 25; number++) await change(MADE + 200 * MINUTE_MS + number, MINUTE_MS + number);
    expect(await report(MADE + 50 * MINUTE_MS + 1), 'by intervals that are forgotten').to.deep.equal([]);
  });

  it('of monitors that are not there are left to whoever knows monitors', async () => {
    key = 4_711;
    expect(await report(MADE + 1)).to.deep.equal([]);
    expect(ingested).to.have.length(1);
  });

  it('are wrong in another region', async () => {
    const due = dueAfter(key, MADE + MINUTE_MS);
    const elsewhere = (await service.agent('vm-2', 'japaneast')).results();
    let named = 0;
    elsewhere.call.on('data', (ack: ResultAck) => (named += ack.refused.length));
    elsewhere.send(1, 1, (result) => {
      result.key = { monitorKey: BigInt(key), kind: 1 };
      result.scheduledAtMs = BigInt(due);
    });
    await elsewhere.acknowledged(1);
    expect(named).to.equal(1);
  });

  it('are left out by an agent of the former version too, which hears of an acknowledgement', async () => {
    const { token } = await service.agent('vm-3');
    const former = new WireAgent(service.port, 'former', token, ['http']);
    await former.report([key]);
    former.disconnect();
    expect(ingested).to.deep.equal([]);
    await eventually(
      'its count',
      async () =>
        (await service.registry.getSingleMetric('watchpost_results_refused_total')!.get()).values[0]?.value === 1 ||
        undefined,
      30_000,
    );
  });
});
