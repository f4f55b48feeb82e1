import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { measureProcess } from './event-loop-delay.js';

describe('the metrics of the process', () => {
  const spin = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };

  it('show how long the event loop was blocked, and no value that only shows how often it is looked at', async () => {
    const registry = new Registry();
    const stop = measureProcess(registry);
    const samples = async (upTo: number | '+Inf'): Promise<number> => {
      const { values } = await registry.getSingleMetric('watchpost_event_loop_delay_seconds')!.get();
      return values.find(({ labels }) => labels['le'] === upTo)!.value;
    };
    try {
      // The first sample comes within half a second; from then on the process is busy, and there is one in each turn.
      while ((await samples('+Inf')) < 10) {
        spin(60);
        await nextTurn();
      }
      expect((await samples('+Inf')) - (await samples(0.025)), 'samples late by over 25 ms').to.be.at.least(8);
      const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
      expect(names).to.include.members([
        'nodejs_eventloop_lag_seconds',
        'nodejs_gc_duration_seconds',
        'process_cpu_seconds_total',
        'watchpost_build_info',
      ]);
      expect(names.filter((name) => /lag_(?!seconds)/.test(name))).to.deep.equal([]);
    } finally {
      stop();
    }
  });
});
