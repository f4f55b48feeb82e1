import type { ChildProcess } from 'node:child_process';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { ask, forked } from './forked.js';
import type { Cost, Load } from './probe-load.js';
import type { TargetPlaces } from './probe-target.js';
import { settleSeconds } from './warm-up.js';

/**
 * Both ways run at the same time and the median ratio of all turns counts, so that noise affects both or is left out. Turns
 * of one second contained 50 HTTPS checks. One garbage collection (about every 6 s) was a tenth of a turn, and the ratio
 * varied from 0.85 to 1.38 between runs.
 */
const TURNS = 8;
const SECONDS = 4;

/**
 * Measures the CPU time of one check by the HTTP probe, compared with bare sockets at the same rate. Probe, sockets and
 * target run in separate processes.
 */
export async function benchProbe(defer: Defer): Promise<BenchRow[]> {
  const { http, https, rootPem } = await ask<TargetPlaces>(forked('probe-target.js', defer));
  return [
    await compare('HTTP check, 75/s', { url: http, rootPem, perSecond: 75 }, defer),
    await compare('HTTPS check, 50/s', { url: https, rootPem, perSecond: 50 }, defer),
  ];
}

async function compare(
  name: string,
  load: Pick<Load, 'url' | 'rootPem' | 'perSecond'>,
  defer: Defer,
): Promise<BenchRow> {
  const ours = forked('probe-load.js', defer);
  const theirs = forked('probe-load.js', defer);
  const costs: { probe: number[]; bare: number[] } = { probe: [], bare: [] };
  const both = (seconds: number): Promise<[number, number]> =>
    Promise.all([
      measure(ours, { ...load, way: 'probe', at: 0, seconds }),
      measure(theirs, { ...load, way: 'bare', at: 0.5, seconds }),
    ]);
  await both(settleSeconds(load.url));
  for (let turn = 0; turn < TURNS; turn++) {
    const [probe, bare] = await both(SECONDS);
    costs.probe.push(probe);
    costs.bare.push(bare);
  }
  ours.disconnect();
  theirs.disconnect();
  const ratios = costs.probe.map((cost, turn) => cost / costs.bare[turn]!);
  const ratio = median(ratios);
  const row = benchRow({
    name: `probe alone, ${name}: CPU (${rangeOf(ratios, 'x')})`,
    value: median(costs.probe),
    unit: 'µs',
    yardstick: { name: 'bare sockets at the same pace', value: median(costs.bare) },
  });
  return { ...row, ratio, aim: '<= 1.15x', met: ratio <= 1.15 };
}

async function measure(child: ChildProcess, load: Load): Promise<number> {
  const { cpuUsPerCheck, failed } = await ask<Cost>(child, load);
  if (failed > 0) throw new Error(`${failed} checks of ${load.url} failed`);
  return cpuUsPerCheck;
}
