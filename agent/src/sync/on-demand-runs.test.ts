import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Clock } from '@watchpost/shared/clock';
import type { ProbeReport } from '@watchpost/shared/outcome';
import type { RunRequest } from '@watchpost/shared/wire/messages';
import { checkInTest, reportInTest as report, runnerInTest } from '../runner/runner-in-test.js';
import { OnDemandRuns } from './on-demand-runs.js';

const clock: Clock = { now: () => 1_000 };
const request = (deadlineMs: number): RunRequest => ({
  kind: 'runNow',
  requestId: 'r1',
  check: checkInTest(),
  deadlineMs,
  purpose: 'test',
});
function setUp(probe: (signal: AbortSignal) => Promise<ProbeReport>) {
  const runner = runnerInTest((_spec, signal) => probe(signal), { clock });
  const runs = new OnDemandRuns({
    clock,
    run: (spec, atMs, deadline) => runner.run(spec, atMs, deadline),
    onRun: () => {},
  });
  return { runs, runner };
}

function collectGarbage(): void {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
}

describe('an on-demand run', () => {
  it('leaves nothing behind when it has ended', async () => {
    const signals: WeakRef<AbortSignal>[] = [];
    const { runs } = setUp((signal) => {
      // As the clock of the deadlines does.
      signal.addEventListener('abort', () => {}, { once: true });
      signals.push(new WeakRef(signal));
      return Promise.resolve(report);
    });
    for (let index = 0; index < 20; index++)
      expect((await runs.run(request(600_000))).result!.outcome).to.deep.equal({ kind: 'up' });
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    // The last one can still be in a register.
    expect(signals.filter((signal) => signal.deref() !== undefined).length).to.be.at.most(1);
  });

  it('ends at the deadline of its request, and when the agent stops, without a warning about many listeners', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    const untilAborted = (signal: AbortSignal): Promise<ProbeReport> =>
      new Promise((resolve) => {
        if (signal.aborted) resolve(report);
        else signal.addEventListener('abort', () => resolve(report), { once: true });
      });
    const { runs, runner } = setUp(untilAborted);
    expect((await runs.run(request(1_001))).refusal).to.equal(
      'the check did not end before the deadline of the request',
    );
    const stopped = Array.from({ length: 20 }, () => runs.run(request(600_000)));
    runner.abortAll();
    for (const run of await Promise.all(stopped)) expect(run.result!.outcome).to.deep.equal({ kind: 'up' });
    expect((await runs.run(request(600_000))).result!.outcome, 'after the stop').to.deep.equal({ kind: 'up' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).to.not.include('MaxListenersExceededWarning');
  });
});
