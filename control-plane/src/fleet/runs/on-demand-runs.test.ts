import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { CheckSpec } from '@watchpost/shared/check';
import { systemClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { AssignmentMessage, AssignmentSink } from '../../grpc/index.js';
import { FleetMetrics } from '../fleet-metrics.js';
import { OnDemandRuns } from './on-demand-runs.js';

const CHECK = { key: { monitorKey: 0, kind: 'http' } } as CheckSpec;
const RESULT = { key: CHECK.key, totalUs: 5 } as CheckResult;

/** An agent's stream that remembers what it was asked to run. */
class Stream implements AssignmentSink {
  readonly asked: Extract<AssignmentMessage, { kind: 'runNow' }>[] = [];
  async send(message: AssignmentMessage): Promise<void> {
    if (message.kind === 'runNow') this.asked.push(message);
  }
  end(): void {}
}

describe('a run on demand', () => {
  let runs: OnDemandRuns;
  let first: Stream;
  let second: Stream;
  beforeEach(() => {
    runs = new OnDemandRuns(systemClock, new FleetMetrics(new Registry()));
    first = new Stream();
    second = new Stream();
    runs.addAgent('first', 'northeurope', ['http'], first);
  });

  const answer = (agentId: string, stream: Stream, index = 0) =>
    runs.receive(agentId, {
      kind: 'runResult',
      requestId: stream.asked[index]!.requestId,
      result: RESULT,
      refusal: '',
    });

  it('answers what the agent found', async () => {
    const run = runs.run('northeurope', CHECK, 1_000);
    expect(first.asked[0]!.deadlineMs).to.be.closeTo(Date.now() + 1_000, 200);
    answer('first', first);
    expect(await run).to.equal(RESULT);
  });

  it('goes to the agent that has least to do', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const all = [runs.run('northeurope', CHECK, 1_000), runs.run('northeurope', CHECK, 1_000)];
    expect([first.asked.length, second.asked.length]).to.deep.equal([1, 1]);
    answer('first', first);
    answer('second', second);
    await Promise.all(all);
  });

  it('is tried once more elsewhere where the agent is lost or refuses', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const lost = runs.run('northeurope', CHECK, 1_000);
    runs.removeAgent('first');
    await new Promise((resolve) => setImmediate(resolve));
    answer('second', second);
    expect(await lost).to.equal(RESULT);
  });

  it('is unavailable without an agent of that region', async () => {
    expect((await faultOf(runs.run('eastus2', CHECK, 1_000))).message).to.contain('No agent of eastus2');
  });

  it('is unavailable where no answer comes in time', async () => {
    expect((await faultOf(runs.run('northeurope', CHECK, 20))).message).to.contain('within 20 ms');
    answer('first', first);
  });

  it('is unavailable, saying why, where every agent refuses', async () => {
    const run = runs.run('northeurope', CHECK, 1_000);
    runs.receive('first', {
      kind: 'runResult',
      requestId: first.asked[0]!.requestId,
      result: null,
      refusal: 'stopping',
    });
    expect((await faultOf(run)).message).to.contain('stopping');
  });

  it('takes an answer to that question only, from that agent only', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const run = runs.run('northeurope', CHECK, 1_000);
    const { requestId } = first.asked[0]!;
    runs.receive('second', { kind: 'runResult', requestId, result: { ...RESULT, totalUs: 6 }, refusal: '' });
    const strange = { ...RESULT, key: { monitorKey: 7, kind: 'dns' } } as CheckResult;
    runs.receive('first', { kind: 'runResult', requestId, result: strange, refusal: '' });
    await new Promise((resolve) => setImmediate(resolve));
    answer('second', second);
    expect(await run).to.equal(RESULT);
  });

  it('has a limit on each agent, and room again afterwards', async () => {
    const all = Array.from({ length: 32 }, () => runs.run('northeurope', CHECK, 1_000));
    expect((await faultOf(runs.run('northeurope', CHECK, 1_000))).message).to.contain('busy');
    for (let index = 0; index < 32; index++) answer('first', first, index);
    await Promise.all(all);
    const again = runs.run('northeurope', CHECK, 1_000);
    answer('first', first, 32);
    await again;
  });
});

async function faultOf(run: Promise<unknown>): Promise<Fault> {
  const fault = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).to.be.instanceOf(Fault);
  expect((fault as Fault).code).to.equal('unavailable');
  return fault as Fault;
}
