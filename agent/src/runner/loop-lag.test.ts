import { performance } from 'node:perf_hooks';
import { mock } from 'node:test';
import { expect } from 'chai';
import { LoopLagSampler } from './loop-lag.js';

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the delay of the event loop', () => {
  it('is reported to the checks that ran meanwhile, and to no later one', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let now = 1_000_000;
    const pass = (ms: number) => {
      now += ms;
      mock.timers.tick(ms);
    };
    try {
      const sampler = new LoopLagSampler(() => now);
      const during = sampler.begin();
      pass(5);
      // The loop is blocked: the timer of the next sample is due after 5 ms and fires after 120.
      now += 115;
      pass(5);
      pass(10);
      expect(sampler.end(during)).to.deep.equal({ maxUs: 114_000, totalUs: 114_000 });
      pass(220);
      const after = sampler.begin();
      pass(5);
      expect(sampler.end(after)).to.deep.equal({ maxUs: 0, totalUs: 0 });
    } finally {
      mock.timers.reset();
    }
  });

  it('is reported even if the check ends before the next sample', async () => {
    const sampler = new LoopLagSampler();
    const mark = sampler.begin();
    await Promise.resolve();
    block(80);
    expect(sampler.end(mark).maxUs).to.be.at.least(60_000);
  });

  it('is forgotten after a long idle time', () => {
    let now = 1_000_000;
    const sampler = new LoopLagSampler(() => now);
    const first = sampler.begin();
    now += 500;
    expect(sampler.end(first).maxUs).to.equal(489_000);
    now += 200_000;
    const second = sampler.begin();
    now += 5;
    expect(sampler.end(second)).to.deep.equal({ maxUs: 0, totalUs: 0 });
  });

  it('is measured at the wake-ups of the schedule', () => {
    let now = 1_000_000;
    const waiting: (() => void)[] = [];
    const sampler = new LoopLagSampler(() => now);
    const shared = sampler.share({ soon: () => {}, after: (_, callback) => (waiting.push(callback), () => {}) });
    let mark = 0;
    const tick = () => {
      mark = sampler.begin();
      shared.after(15, () => {});
    };
    shared.after(5, tick);
    now += 500;
    waiting.shift()!();
    now += 14;
    expect(sampler.end(mark)).to.deep.equal({ maxUs: 0, totalUs: 0 });
    const another = sampler.begin();
    now += 101;
    waiting.shift()!();
    now += 3;
    expect(sampler.end(another)).to.deep.equal({ maxUs: 99_000, totalUs: 99_000 });
  });

  it('is counted once, by the first wake-up', () => {
    let now = 1_000_000;
    const waiting: (() => void)[] = [];
    const sampler = new LoopLagSampler(() => now);
    const shared = sampler.share({ soon: () => {}, after: (_, callback) => (waiting.push(callback), () => {}) });
    shared.after(15, () => {});
    const [first, second] = [sampler.begin(), sampler.begin()];
    now += 116;
    expect(sampler.end(first)).to.deep.equal({ maxUs: 100_000, totalUs: 100_000 });
    waiting.shift()!();
    now += 1;
    expect(sampler.end(second)).to.deep.equal({ maxUs: 100_000, totalUs: 100_000 });
  });
});
