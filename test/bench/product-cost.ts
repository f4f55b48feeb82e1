import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchTarget } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { BenchOptions, Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { ask, forked } from './forked.js';
import type { Cost, Load } from './probe-load.js';
import { ProductLoad, type MinuteCost } from './product-load.js';
import { heapQuestion } from './retained.js';

const HTTP_PER_SECOND = 75;
const HTTPS_PER_SECOND = 50;
const MINUTES = 3;
/** The yardstick runs within each minute. */
const BARE_SECONDS = 50;

/**
 * Measures the CPU time of one check in agent, control plane and PostgreSQL as real processes, with the monitors in the
 * database and durably stored results, and the memory of an assigned check in the control plane.
 */
export async function benchProductCost(defer: Defer, { minutes = MINUTES }: BenchOptions): Promise<BenchRow[]> {
  const target = await startBenchTarget(defer);
  const heap = heapQuestion(defer);
  const load = await ProductLoad.start(defer, target.trust, heap.env);
  await sleep(1_000);
  const heapEmpty = await heap.ask(load.product.controlPlane);
  await load.load(target.httpSites, HTTP_PER_SECOND);
  await sleep(4_000);
  const heapFull = await heap.ask(load.product.controlPlane);

  const measure = async (name: string, url: string, perSecond: number, aimMs: number): Promise<BenchRow[]> => {
    await load.settle();
    const bare = forked('probe-load.js', defer);
    const order: Omit<Load, 'seconds'> = { way: 'bare', url, rootPem: target.rootPem, perSecond, at: 0.5 };
    await ask<Cost>(bare, { ...order, seconds: 1 });
    const costs: MinuteCost[] = [];
    const yardsticks: number[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      // At the same time as the product, so that shared resources slow both down equally.
      const [cost, yardstick] = await Promise.all([
        load.minute(perSecond),
        ask<Cost>(bare, { ...order, seconds: BARE_SECONDS }),
      ]);
      costs.push(cost);
      yardsticks.push(yardstick.cpuUsPerCheck / 1_000);
    }
    bare.disconnect();
    const part = (what: string, of: (cost: MinuteCost) => number): BenchRow =>
      benchRow({
        name: `  of which ${what} (${rangeOf(costs.map(of), 'ms')})`,
        value: median(costs.map(of)),
        unit: 'ms',
      });
    const totals = costs.map(({ total }) => total);
    return [
      benchRow({
        name: `whole product, ${name} check, ${perSecond}/s: CPU (${rangeOf(totals, 'ms')})`,
        value: median(totals),
        unit: 'ms',
        yardstick: { name: 'bare sockets, probe only', value: median(yardsticks) },
        aim: { text: `<= ${aimMs.toFixed(1)} ms`, met: ({ value }) => value <= aimMs },
      }),
      part('agent', ({ agent }) => agent),
      part('control plane', ({ controlPlane }) => controlPlane),
      part('PostgreSQL', ({ postgres }) => postgres),
    ];
  };
  const http = await measure('HTTP', target.http, HTTP_PER_SECOND, 1);
  await load.change(target.httpsSites, HTTPS_PER_SECOND);
  const https = await measure('HTTPS', target.https, HTTPS_PER_SECOND, 4);
  return [
    ...http,
    ...https,
    benchRow({
      name: 'an assigned check at the control plane, retained',
      value: (heapFull - heapEmpty) / (HTTP_PER_SECOND * 60),
      unit: 'bytes',
      aim: { text: '<= 1,000 bytes', met: ({ value }) => value <= 1_000 },
    }),
  ];
}
