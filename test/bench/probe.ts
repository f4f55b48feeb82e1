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
  const { http, https, http2, rootPem } = await ask<TargetPlaces>(forked('probe-target.js', defer));
  return [
    await compareWithBare('HTTP check, 75/s', { url: http, rootPem, perSecond: 75 }, defer),
    await compareWithBare('HTTPS check, 50/s', { url: https, rootPem, perSecond: 50 }, defer),
    await compareVersions({ url: http2, rootPem, perSecond: 50 }, defer),
  ];
}

type Place = Pick<Load, 'url' | 'rootPem' | 'perSecond'>;

async function compareWithBare(name: string, place: Place, defer: Defer): Promise<BenchRow> {
  const [ours, theirs, ratios] = await compare({ ...place, way: 'probe' }, { ...place, way: 'bare' }, defer);
  const row = benchRow({
    name: `probe alone, ${name}: CPU (${rangeOf(ratios, 'x')})`,
    value: ours,
    unit: 'µs',
    yardstick: { name: 'bare sockets at the same pace', value: theirs },
  });
  const ratio = median(ratios);
  return { ...row, ratio, aim: '<= 1.15x', met: ratio <= 1.15 };
}

async function compareVersions(place: Place, defer: Defer): Promise<BenchRow> {
  const way = { ...place, way: 'probe' } as const;
  const [http2, http1, ratios] = await compare({ ...way, httpVersion: '2' }, { ...way, httpVersion: '1.1' }, defer);
  const row = benchRow({
    name: `probe alone, HTTPS check over HTTP/2, ${place.perSecond}/s: CPU (${rangeOf(ratios, 'x')})`,
    value: http2,
    unit: 'µs',
    yardstick: { name: 'over HTTP/1.1, of the same server', value: http1 },
  });
  return { ...row, ratio: median(ratios) };
}

/** @returns the median cost of each way, and the ratio of each turn */
async function compare(
  first: Omit<Load, 'at' | 'seconds'>,
  second: Omit<Load, 'at' | 'seconds'>,
  defer: Defer,
): Promise<[number, number, number[]]> {
  const ours = forked('probe-load.js', defer);
  const theirs = forked('probe-load.js', defer);
  const costs: [number, number][] = [];
  const both = (seconds: number): Promise<[number, number]> =>
    Promise.all([measure(ours, { ...first, at: 0, seconds }), measure(theirs, { ...second, at: 0.5, seconds })]);
  await both(settleSeconds(first.url));
  for (let turn = 0; turn < TURNS; turn++) costs.push(await both(SECONDS));
  ours.disconnect();
  theirs.disconnect();
  const of = (index: 0 | 1) => median(costs.map((pair) => pair[index]));
  return [of(0), of(1), costs.map(([one, other]) => one / other)];
}

async function measure(child: ChildProcess, load: Load): Promise<number> {
  const { cpuUsPerCheck, failed } = await ask<Cost>(child, load);
  if (failed > 0) throw new Error(`${failed} checks of ${load.url} failed`);
  return cpuUsPerCheck;
}
