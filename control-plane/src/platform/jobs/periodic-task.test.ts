import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { startPeriodicTask } from './periodic-task.js';

const silent = pino({ level: 'silent' });

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await sleep(1);
}

describe('A periodic task', () => {
  it('never runs twice at once, and goes on after a failure', async () => {
    const registry = new Registry();
    let running = 0;
    let runs = 0;
    const run = async () => {
      expect(++running).to.equal(1);
      await sleep(2);
      running--;
      if (++runs === 2) throw new Error('once');
    };
    const task = startPeriodicTask({ name: 'count', everyMs: 1, run }, { logger: silent, registry });
    await until(() => runs >= 4);
    await task.stop();
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
    await until(() => runs >= 5);
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
    await sleep(1);
    expect(runs).to.equal(2);
    finish();
    await task.stop();
  });

  it('runs again at a beat of the process', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const real = performance.now;
    let now = 12_345;
    performance.now = () => now;
    try {
      const runs: number[] = [];
      const task = startPeriodicTask(
        { name: 'beat', everyMs: 2_000, run: () => void runs.push(now) },
        { logger: silent },
      );
      await new Promise(setImmediate);
      for (let waitedMs = 0; runs.length < 2 && waitedMs < 3_000; waitedMs++) {
        now++;
        mock.timers.tick(1);
        await new Promise(setImmediate);
      }
      expect(runs).to.deep.equal([12_345, 15_000]);
      await task.stop();
    } finally {
      performance.now = real;
      mock.timers.reset();
    }
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
