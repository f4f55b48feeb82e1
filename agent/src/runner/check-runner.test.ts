import { expect } from 'chai';
import type { CheckSpec } from '@watchpost/shared/check';
import type { Outcome, ProbeReport } from '@watchpost/shared/outcome';
import { LoopLagSampler } from './loop-lag.js';
import { checkInTest as spec, reportInTest as report, runnerInTest as runner } from './runner-in-test.js';

const timeout: Outcome = { kind: 'down', phase: 'connect', reason: 'timeout', message: 'No connection.' };
const stopped: ProbeReport = {
  ...report,
  outcome: { kind: 'inconclusive', reason: 'agent_stopping', message: 'The agent stopped.' },
};

/** Ends when its signal aborts. */
const untilAborted = (_spec: CheckSpec, signal: AbortSignal): Promise<ProbeReport> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(stopped);
    else signal.addEventListener('abort', () => resolve(stopped), { once: true });
  });

describe('a check', () => {
  it('has the outcome of its probe', async () => {
    const result = await runner(() => Promise.resolve(report)).run(spec(), 0);
    expect(result).to.deep.include({
      key: spec().key,
      outcome: { kind: 'up' },
      address: '192.0.2.1:1',
      freshMs: 121_000,
    });
  });

  it('is inconclusive if its probe fails with an unexpected error', async () => {
    const result = await runner(() => Promise.reject(new Error('a bug'))).run(spec(), 0);
    expect(result.outcome).to.deep.include({ kind: 'inconclusive', reason: 'agent_overloaded' });
  });

  it('is inconclusive if its probe never ends', async () => {
    const result = await runner(() => new Promise(() => {})).run(spec(-4_950), 0);
    expect(result.outcome).to.deep.include({ kind: 'inconclusive', reason: 'agent_overloaded' });
  });

  it('has a result for an invalid target', async () => {
    const outcome = {
      kind: 'down',
      phase: 'request',
      reason: 'invalid_target',
      message: 'It cannot be sent.',
    } as const;
    const of = spec();
    const http = { ...of.target, kind: 'http', url: '', steps: [] } as unknown as CheckSpec['target'];
    const result = await runner(() => Promise.resolve({ ...report, outcome })).run({ ...of, target: http }, 0);
    expect(result.outcome).to.deep.equal(outcome);
  });

  it('is inconclusive if it fails and the machine was suspended meanwhile', async () => {
    const suspension = { totalMs: 40_000 };
    const subject = (resumedAfterMs: number) =>
      runner(
        () => {
          suspension.totalMs += resumedAfterMs;
          return Promise.resolve({ ...report, outcome: timeout });
        },
        { suspension },
      );
    expect((await subject(0).run(spec(), 0)).outcome).to.deep.equal(timeout);
    const result = await subject(7_200_000).run(spec(), 0);
    expect(result.outcome).to.deep.include({ kind: 'inconclusive', reason: 'agent_overloaded' });
    expect((await subject(0).run(spec(), 0)).outcome).to.deep.equal(timeout);
  });

  it('that succeeds stays a success after a delay of the event loop, which its duration does not include', async () => {
    let now = 1_000;
    const loopLag = new LoopLagSampler(() => now);
    const measured = { ...report, totalUs: 5_100_000, timings: { ...report.timings, connectUs: 5_100_000 } };
    const subject = runner(
      () => {
        now += 5_000;
        return Promise.resolve(measured);
      },
      { loopLag },
    );
    const result = await subject.run(spec(), 0);
    expect(result.outcome).to.deep.equal({ kind: 'up' });
    expect(result.totalUs).to.be.below(150_000);
    expect(result.timings.connectUs).to.equal(result.totalUs);
    expect(result.loopLagUs).to.be.above(4_900_000);
  });

  it('that takes longer than the duration of its target keeps that of a ping, however busy the agent is', async () => {
    let now = 1_000;
    const subject = runner(
      () => {
        now += 900;
        return Promise.resolve(report);
      },
      { loopLag: new LoopLagSampler(() => now) },
    );
    const result = await subject.run(spec(), 0);
    expect(result.loopLagUs).to.be.above(800_000);
    expect(result).to.deep.include({ totalUs: report.totalUs, timings: report.timings });
  });

  it('ends at once when the agent stops, and so does one that starts later', async () => {
    const subject = runner(untilAborted);
    const running = [1, 2, 3].map(() => subject.run(spec(), 0));
    subject.abortAll();
    for (const result of await Promise.all([...running, subject.run(spec(), 0)]))
      expect(result.outcome).to.deep.include({ kind: 'inconclusive', reason: 'agent_stopping' });
  });

  it('ends alone when its own deadline passes', async () => {
    const subject = runner(untilAborted);
    const deadline = new AbortController();
    const scheduled = subject.run(spec(), 0);
    const onDemand = subject.run(spec(), 0, deadline.signal);
    deadline.abort();
    expect((await onDemand).outcome).to.deep.include({ reason: 'agent_stopping' });
    let isOver = false;
    void scheduled.then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).to.equal(false);
    subject.abortAll();
    await scheduled;
  });
});
