import { expect } from 'chai';
import { schedulePhaseMs } from '@watchpost/shared/check';
import type { RefusedResult, ResultAck } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../../support/eventually.js';
import { seedMonitors, seedWorkspace } from './seed.js';
import type { ResultStream } from '../fleet/agent-client.js';
import { FleetService } from '../fleet/fleet-service.js';
import { WireAgent } from '../fleet/wire-agent.js';

const CREATED_MS = Date.UTC(2026, 10, 21, 12);
const HOME = 'northeurope';

/** The first scheduled time of a monitor's HTTP check after a time. */
function scheduledAfter(key: number, atMs: number, intervalMs = MINUTE_MS, region: Region = HOME): number {
  const phaseMs = schedulePhaseMs({ monitorKey: key, kind: 'http' }, region, intervalMs);
  return phaseMs + (Math.floor((atMs - phaseMs) / intervalMs) + 1) * intervalMs;
}

describe('results of times at which no check was scheduled', function () {
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
    ({ key } = (await seedMonitors(database, workspace.id, 1, { createdMs: CREATED_MS }))[0]!);
    stream = (await service.agent('vm-1')).results();
    stream.call.on('data', (ack: ResultAck) => refused.push(...ack.refused));
  });
  afterEach(() => service.stop());

  /** @returns which of these times were refused */
  async function report(...times: number[]): Promise<number[]> {
    const first = sent + 1;
    let next = 0;
    stream.send(first, times.length, (result) => {
      result.key = { monitorKey: BigInt(key), kind: 1 };
      result.scheduledAtMs = BigInt(times[next++]!);
    });
    sent += times.length;
    await stream.acknowledged(sent);
    return refused.splice(0).map(({ sequence, reason }) => {
      expect(reason).to.equal('not_due');
      return times[Number(sequence) - first]!;
    });
  }
  const change = (changedMs: number, intervalMs: number) =>
    service.test.sql('UPDATE monitor SET checks_changed = $2, check_interval_ms = $3 WHERE key = $1', [
      key,
      new Date(changedMs),
      intervalMs,
    ]);

  it('are acknowledged as refused, counted and stored nowhere, while the scheduled ones beside them are ingested', async () => {
    const due = [
      CREATED_MS,
      scheduledAfter(key, CREATED_MS + 10_000),
      scheduledAfter(key, CREATED_MS + 90 * MINUTE_MS),
    ];
    const unscheduled = [CREATED_MS + 1, due[1]! + 1, due[2]! - 1, CREATED_MS - MINUTE_MS];
    expect(
      await report(due[0]!, unscheduled[0]!, unscheduled[1]!, due[1]!, unscheduled[2]!, due[2]!, unscheduled[3]!),
    ).to.deep.equal(unscheduled);
    expect(ingested.map(({ scheduledAtMs }) => scheduledAtMs)).to.deep.equal(due);
    expect(await report(...unscheduled), 'where nothing is left').to.deep.equal(unscheduled);
    expect(ingested).to.have.length(3);
    const metric = await service.registry.getSingleMetric('watchpost_results_refused_total')!.get();
    expect(metric.values.map(({ value, labels }) => [value, labels])).to.deep.equal([
      [8, { region: HOME, reason: 'not_due' }],
    ]);
  });

  it('do not include those scheduled by former settings, which an agent that is cut off keeps for hours', async () => {
    const changedMs = CREATED_MS + 30 * MINUTE_MS + 17;
    await change(changedMs, 5 * MINUTE_MS + 1);
    const againMs = CREATED_MS + 50 * MINUTE_MS + 3;
    await change(againMs, 7 * MINUTE_MS);
    const honest = [
      CREATED_MS,
      scheduledAfter(key, CREATED_MS + 5 * MINUTE_MS),
      changedMs,
      againMs,
      scheduledAfter(key, againMs + 100 * MINUTE_MS),
      scheduledAfter(key, againMs + 100 * MINUTE_MS, 5 * MINUTE_MS + 1),
      scheduledAfter(key, againMs + 100 * MINUTE_MS, 7 * MINUTE_MS),
    ];
    expect(await report(...honest)).to.deep.equal([]);
    expect(await report(scheduledAfter(key, againMs + MINUTE_MS) + 1)).to.have.length(1);
  });

  it('are distinguished at once from those of a change made a moment ago, whatever is in memory', async () => {
    expect(await report(scheduledAfter(key, CREATED_MS + MINUTE_MS))).to.deep.equal([]);
    const changedMs = CREATED_MS + 2 * MINUTE_MS + 5;
    await change(changedMs, 3 * MINUTE_MS);
    expect(await report(changedMs, scheduledAfter(key, changedMs + 10_000, 3 * MINUTE_MS))).to.deep.equal([]);
    expect(await report(scheduledAfter(key, changedMs + 10_000)), 'by the settings of before').to.deep.equal([]);
  });

  it('are accepted where the record is incomplete: changes before it began, and too many changes', async () => {
    const { database } = service.test;
    for (let number = 1; number <= 105; number++) await change(CREATED_MS + number * MINUTE_MS, MINUTE_MS);
    const [row] = await database.read((tx) =>
      tx.query<{ changes: number; intervals: number }>(
        `SELECT cardinality(changes) AS changes, cardinality(intervals_ms) AS intervals FROM former_schedule WHERE monitor_key = $1`,
        [key],
      ),
    );
    expect(row).to.deep.equal({ changes: 100, intervals: 1 });
    expect(
      await report(CREATED_MS + 2 * MINUTE_MS, CREATED_MS + 50 * MINUTE_MS, CREATED_MS + 105 * MINUTE_MS),
    ).to.deep.equal([]);
    expect(await report(CREATED_MS + 50 * MINUTE_MS + 1), 'is remembered').to.have.length(1);
    for (let number = 1; number <= 25; number++)
      await change(CREATED_MS + 200 * MINUTE_MS + number, MINUTE_MS + number);
    expect(await report(CREATED_MS + 50 * MINUTE_MS + 1), 'by intervals that are forgotten').to.deep.equal([]);
  });

  it('of unknown monitors are passed on to ingest, which drops them', async () => {
    key = 4_711;
    expect(await report(CREATED_MS + 1)).to.deep.equal([]);
    expect(ingested).to.have.length(1);
  });

  it('include the scheduled times of another region', async () => {
    const due = scheduledAfter(key, CREATED_MS + MINUTE_MS);
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

  it('are acknowledged to an agent of the former version too', async () => {
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
    );
  });
});
