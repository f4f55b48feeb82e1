import { setImmediate as nextTurn } from 'node:timers/promises';
import { MovedTime } from '@watchpost/shared/moved-time';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { startPeriodicTask } from './periodic-task.js';

const silent = pino({ level: 'silent' });

describe('A periodic task', () => {
  let time: MovedTime;
  beforeEach(() => void (time = new MovedTime()));
  afterEach(() => time.reset());

  it('never runs twice at once, and goes on after a failure', async () => {
    const registry = new Registry();
    let running = 0;
    let runs = 0;
    const run = async () => {
      expect(++running).to.equal(1);
      await nextTurn();
      await nextTurn();
      running--;
      if (++runs === 2) throw new Error('once');
    };
    const task = startPeriodicTask({ name: 'count', everyMs: 1, run }, { logger: silent, registry });
    await time.until(() => runs >= 4);
    await time.untilEnd(task.stop());
    expect(running).to.equal(0);
    const metrics = await registry.metrics();
    expect(metrics).to.include('watchpost_periodic_task_runs_total{task="count",result="failed"} 1');
  });

  it('logs the first of a series of failures, and its end', async () => {
    const lines: string[] = [];
    const logger = pino(
      { level: 'info' },
      { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) },
    );
    let runs = 0;
    const run = () => {
      if (++runs <= 3) throw new Error('away');
    };
    const task = startPeriodicTask({ name: 'fail', everyMs: 1, run }, { logger });
    await time.until(() => runs >= 5);
    await task.stop();
    expect(lines).to.deep.equal(['periodic task failed, it will be tried again', 'periodic task works again']);
  });

  it('runs at once when it is woken, also during a run', async () => {
    let runs = 0;
    let finish: () => void = () => undefined;
    const run = () => {
      runs++;
      return new Promise<void>((resolve) => (finish = resolve));
    };
    const task = startPeriodicTask({ name: 'wake', everyMs: 60_000, run }, { logger: silent });
    expect(runs).to.equal(1);
    task.wake();
    finish();
    await nextTurn();
    expect(runs).to.equal(2);
    finish();
    await task.stop();
  });

  it('runs again at a beat of the process', async () => {
    await time.pass(345);
    const sinceMs = performance.now();
    const runs: number[] = [];
    const run = () => void runs.push(performance.now());
    const task = startPeriodicTask({ name: 'beat', everyMs: 2_000, run }, { logger: silent });
    await time.until(() => runs.length === 2);
    expect(runs).to.deep.equal([sinceMs, 4_000]);
    await task.stop();
  });

  it('waits for its initial delay, and is not run when it is stopped before', async () => {
    let runs = 0;
    const task = startPeriodicTask(
      { name: 'delayed', everyMs: 1, initialDelayMs: 60_000, run: () => void runs++ },
      { logger: silent },
    );
    await task.stop();
    expect(runs).to.equal(0);
  });
});
