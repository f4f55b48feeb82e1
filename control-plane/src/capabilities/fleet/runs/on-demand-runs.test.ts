import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { CheckSpec } from '@watchpost/shared/check';
import { httpCheck } from '@watchpost/shared/checks/http';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { AssignmentSink } from '../agents/agent-connection.js';
import type { AssignmentMessage } from '@watchpost/shared/wire/messages';
import { fleetMetrics } from '../fleet-metrics.js';
import {
  RUNS_RESERVED_FOR_SECOND_OPINIONS,
  MAX_RUNS_PER_AGENT,
  OnDemandRuns,
  type RunRequest,
} from './on-demand-runs.js';

const CHECK = {
  key: { monitorKey: 0, kind: 'http' },
  target: httpCheck.target.parse({ url: 'https://shop.example/' }),
} as Partial<CheckSpec> as CheckSpec;
const NOW = Date.UTC(2026, 10, 28);
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
    runs = new OnDemandRuns(new ManualClock(NOW), fleetMetrics(new Registry()));
    first = new Stream();
    second = new Stream();
    runs.addAgent('first', 'northeurope', ['http'], first);
  });

  const run = (request: Partial<RunRequest> = {}) =>
    runs.run({ region: 'northeurope', check: CHECK, timeoutMs: 60_000, purpose: 'test', ...request });
  const answer = (agentId: string, stream: Stream, index = 0) =>
    runs.receive(agentId, {
      kind: 'runResult',
      requestId: stream.asked[index]!.requestId,
      result: RESULT,
      refusal: '',
    });

  it("returns the agent's result", async () => {
    const asked = run();
    expect(first.asked[0]!.deadlineMs).to.equal(NOW + 60_000);
    answer('first', first);
    expect(await asked).to.equal(RESULT);
  });

  it('is sent to the least loaded agent', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const all = [run(), run()];
    expect([first.asked.length, second.asked.length]).to.deep.equal([1, 1]);
    answer('first', first);
    answer('second', second);
    await Promise.all(all);
  });

  it('is tried once more on another agent if the first one is lost or refuses', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const lost = run();
    runs.removeAgent('first');
    await new Promise((resolve) => setImmediate(resolve));
    answer('second', second);
    expect(await lost).to.equal(RESULT);
  });

  it('is not sent to a second agent if the first one is lost with steps that may have changed something', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const steps = [{ name: 'order', url: 'https://shop.example/orders', method: 'POST' }];
    const ordering = { ...CHECK, target: httpCheck.target.parse({ url: 'https://shop.example/', steps }) };
    const lost = run({ check: ordering }).catch((error: unknown) => error);
    runs.removeAgent('first');
    expect(await lost).to.include({
      code: 'unavailable',
      message: 'The agent of northeurope was lost while it ran the test. Try again in a moment.',
    });
    expect(second.asked).to.have.length(0);
  });

  it('is unavailable without an agent of the region', async () => {
    expect((await faultOf(run({ region: 'eastus2' }))).message).to.contain('No agent of eastus2');
  });

  it('is unavailable if no result arrives in time', async () => {
    expect((await faultOf(run({ timeoutMs: 20 }))).message).to.contain('within 20 ms');
    answer('first', first);
  });

  it('is unavailable with a reason if every agent refuses', async () => {
    const asked = run();
    runs.receive('first', {
      kind: 'runResult',
      requestId: first.asked[0]!.requestId,
      result: null,
      refusal: 'stopping',
    });
    expect((await faultOf(asked)).message).to.contain('stopping');
  });

  it('accepts only the result of this run from this agent', async () => {
    runs.addAgent('second', 'northeurope', ['http'], second);
    const asked = run();
    const { requestId } = first.asked[0]!;
    runs.receive('second', { kind: 'runResult', requestId, result: { ...RESULT, totalUs: 6 }, refusal: '' });
    const strange = { ...RESULT, key: { monitorKey: 7, kind: 'dns' } } as CheckResult;
    runs.receive('first', { kind: 'runResult', requestId, result: strange, refusal: '' });
    await new Promise((resolve) => setImmediate(resolve));
    answer('second', second);
    expect(await asked).to.equal(RESULT);
  });

  it('counts against a limit of each agent until it ends', async () => {
    const most = MAX_RUNS_PER_AGENT - RUNS_RESERVED_FOR_SECOND_OPINIONS;
    const all = Array.from({ length: most }, (_, index) => run({ check: { ...CHECK, ownerKey: `owner ${index}` } }));
    expect((await faultOf(run({ check: { ...CHECK, ownerKey: 'another' } }))).message).to.contain('busy');
    for (let index = 0; index < most; index++) answer('first', first, index);
    await Promise.all(all);
    const again = run();
    answer('first', first, most);
    await again;
  });

  it('counts against a share of its owner, so that other owners can run theirs', async () => {
    const of = (ownerKey: string): CheckSpec => ({ ...CHECK, ownerKey });
    const refusals: string[] = [];
    for (let index = 0; index < MAX_RUNS_PER_AGENT; index++)
      run({ check: of('hostile') }).catch((fault: Fault) => refusals.push(fault.code));
    await new Promise((resolve) => setImmediate(resolve));
    expect(first.asked).to.have.length((MAX_RUNS_PER_AGENT - RUNS_RESERVED_FOR_SECOND_OPINIONS) / 2);
    expect(new Set(refusals)).to.deep.equal(new Set(['rate_limited']));
    const index = first.asked.length;
    const victim = run({ check: of('victim') });
    answer('first', first, index);
    expect(await victim).to.equal(RESULT);
  });

  it('has reserved capacity if it is a second opinion', async () => {
    for (let index = 0; index < MAX_RUNS_PER_AGENT; index++)
      run({ check: { ...CHECK, ownerKey: `owner ${index}` } }).catch(() => {});
    const index = first.asked.length;
    const opinion = run({ check: { ...CHECK, ownerKey: 'victim' }, purpose: 'secondOpinion' });
    answer('first', first, index);
    expect(await opinion).to.equal(RESULT);
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
