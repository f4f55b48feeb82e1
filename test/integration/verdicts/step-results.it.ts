import { expect } from 'chai';
import type { CheckResult, Outcome, StepResult } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { describeMonitor } from '@watchpost/control-plane/capabilities/monitors/describe-monitor';
import { monitorViewStore } from '@watchpost/control-plane/capabilities/monitors/monitor-view-store';
import { ingestBatch, ingestJoined } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, BROKEN, NOON, resultOf, resultsDeps, seedLoneMonitor, UP } from '../results/seed.js';
import type { MonitorSeed } from '../results/seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

const MESSAGE = 'Step “Sign in”: the server answered with status 500 Internal Server Error instead of 200-399.';
const FAILED: Outcome = { ...BROKEN, message: MESSAGE } as Outcome;
const timings = { dnsUs: 1_000, connectUs: 2_000, tlsUs: 3_000, firstByteUs: 4_000, transferUs: 500 };
const phases = { auth: 0, dns: 1, connect: 2, tls: 3, firstByte: 4, transfer: 0.5 };
const signIn: StepResult = {
  name: 'Sign in',
  wasAvailable: false,
  statusCode: 500,
  totalUs: 10_500,
  timings,
  message: 'The server answered with status 500.',
};
const notRun = (name: string): StepResult => ({
  name,
  wasAvailable: null,
  statusCode: null,
  totalUs: null,
  timings: null,
  message: null,
});

describe('The steps of a check', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));
  let monitor: MonitorSeed;

  beforeEach(async () => {
    monitor = await seedLoneMonitor(test.database, { checksBeforeAlert: 1 }, { quorum: 'any' });
  });

  const observe = (minute: number, outcome: Outcome, found: Partial<CheckResult> = {}) => {
    deps.clock.set(NOON + minute * MINUTE_MS + 500);
    const result = { ...resultOf(monitor.key, NOON + minute * MINUTE_MS, outcome), ...found };
    return ingestBatch(deps, agentIn('northeurope'), [result]);
  };
  const view = async () => {
    const now = new Date(deps.clock.now());
    const row = await test.database.read((tx) => monitorViewStore.find(monitor.workspaceId, tx, monitor.id, now));
    return describeMonitor(row!, deps.clock.now(), () => null);
  };

  it('are shown with the latest result, those that did not run with nothing but their names', async () => {
    await test.sql(
      `UPDATE monitor SET settings = '{"http": {"steps": [{"name": "Sign in"}, {"name": "Read"}]}}' WHERE key = $1`,
      [monitor.key],
    );
    await observe(0, FAILED, {
      steps: [signIn, notRun('Read')],
      timings: { dnsUs: 1_500, connectUs: 4_000, tlsUs: 6_000, firstByteUs: 8_000, transferUs: 1_000 },
    });
    const { latestTestResult } = await view();
    expect(latestTestResult).to.deep.include({ failureReason: MESSAGE });
    expect(latestTestResult!.phases).to.deep.equal({ dns: 1.5, connect: 4, tls: 6, firstByte: 8, transfer: 1 });
    expect(latestTestResult!.steps).to.deep.equal([
      {
        name: 'Sign in',
        wasAvailable: false,
        statusCode: 500,
        responseTime: 10.5,
        phases,
        failureReason: signIn.message,
      },
      { name: 'Read', wasAvailable: null, statusCode: null, responseTime: null, phases: null, failureReason: null },
    ]);
    await observe(1, UP);
    expect((await view()).latestTestResult).to.not.have.property('steps');
  });

  describe('that are sent again', () => {
    const inSteps = (...names: string[]) => ({ steps: names.map((name) => ({ ...signIn, name })) });
    const batch = () =>
      [0, 1, 2].map((minute) => ({
        ...resultOf(monitor.key, NOON + minute * MINUTE_MS, minute === 1 ? UP : FAILED),
        ...inSteps(`minute ${minute}`, 'Read'),
      }));
    const shown = async () => (await view()).latestTestResult?.steps?.map(({ name }) => name);
    const send = (results: readonly CheckResult[]) => ingestBatch(deps, agentIn('northeurope'), results);
    beforeEach(() => deps.clock.set(NOON + 3 * MINUTE_MS));

    it('are those of the newest, in whatever order and however often they come', async () => {
      const [first, second, third] = batch() as [CheckResult, CheckResult, CheckResult];
      await send([third, first]);
      expect(await shown()).to.deep.equal(['minute 2', 'Read']);
      expect(await send([second])).to.include({ stored: 1 });
      expect(await shown()).to.deep.equal(['minute 2', 'Read']);
      for (const results of [[first, second, third], [third], [third, third], [second, first]])
        expect(await send(results)).to.include({ stored: 0, dropped: 0 });
      expect(await shown()).to.deep.equal(['minute 2', 'Read']);
      const incidents = await test.sql('SELECT 1 FROM incident');
      expect(incidents, 'as with one sending').to.have.length(1);
    });

    it('are those of the first sender, where another agent ran the same time', async () => {
      await send([batch()[2]!]);
      const other = { ...agentIn('northeurope'), agentId: '0198c0de-0000-7000-8000-00000000000b', agentKey: 99 };
      const own = { ...batch()[2]!, ...inSteps('of another run') };
      expect(await ingestBatch(deps, other, [own])).to.include({ stored: 0, repeated: 1 });
      expect(await shown()).to.deep.equal(['minute 2', 'Read']);
    });

    it('may be more or fewer than the settings have by now', async () => {
      await send([{ ...batch()[0]!, ...inSteps() }]);
      expect(await shown()).to.equal(undefined);
      await send([{ ...batch()[1]!, ...inSteps(...Array.from({ length: 9 }, (_, at) => `step ${at}`)) }]);
      expect(await shown()).to.have.length(9);
      await send([{ ...batch()[2]!, ...inSteps('one') }]);
      expect(await shown()).to.deep.equal(['one']);
    });

    it('are stored with their result or not at all', async () => {
      await send([batch()[0]!]);
      let [locked, release] = [() => {}, () => {}];
      const isLocked = new Promise<void>((resolve) => (locked = resolve));
      const held = new Promise<void>((resolve) => (release = resolve));
      const holder = test.database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM check_finding FOR UPDATE');
        locked();
        await held;
      });
      await isLocked;
      const refused = await ingestJoined(deps, [{ agent: agentIn('northeurope'), results: [batch()[2]!] }], 50).then(
        () => null,
        (error: unknown) => error,
      );
      release();
      await holder;
      expect(refused).to.be.an('error');
      expect(Date.parse((await view()).latestTestResult!.started)).to.be.below(NOON + MINUTE_MS);
      expect(await shown()).to.deep.equal(['minute 0', 'Read']);
      expect(await send([batch()[2]!])).to.include({ stored: 1 });
      expect(await shown()).to.deep.equal(['minute 2', 'Read']);
    });
  });

  it('name themselves in the incident, in its messages and in its evidence', async () => {
    const hop = { url: 'https://shop.test/', address: null, statusCode: 200, httpVersion: '1.1' as const, timings };
    const name = 'x'.repeat(60);
    await observe(0, FAILED, { evidence: { hops: [hop, { ...hop, step: name }] }, steps: [signIn] });
    const [incident] = await test.sql<{
      reason: string;
      context: { failures: { evidence: { hops: { step?: string }[] } }[] };
    }>('SELECT failure_reason AS reason, context FROM incident WHERE monitor_key = $1', [monitor.key]);
    expect(incident!.reason).to.equal(MESSAGE);
    expect(incident!.context.failures[0]!.evidence.hops.map(({ step }) => step)).to.deep.equal([undefined, name]);
    const events = await test.sql<{ event: string }>('SELECT to_jsonb(alert_event)::text AS event FROM alert_event');
    expect(events.map(({ event }) => event).join()).to.contain('Step “Sign in”');
  });
});
