import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Cost, Load } from './probe-load.js';
import type { TargetPlaces } from './probe-target.js';

const AIM = { text: '<= 1.15x', met: ({ ratio }: { ratio: number }) => ratio <= 1.15 };
/** The two ways take turns this often, so that a noisy moment hits both. */
const TURNS = 4;

/**
 * CPU of one check by our HTTP probe against a bare-socket harness at the same pace, each in a process of
 * its own, with the target in a third.
 */
export async function benchProbe(secondsATurn = 6): Promise<BenchRow[]> {
  const target = start('probe-target.js');
  const [places] = (await once(target, 'message')) as [TargetPlaces];
  try {
    return [
      await compare('HTTP check, 75/s', {
        url: places.http,
        rootPem: places.rootPem,
        perSecond: 75,
        seconds: secondsATurn,
      }),
      await compare('HTTPS check, 50/s', {
        url: places.https,
        rootPem: places.rootPem,
        perSecond: 50,
        seconds: secondsATurn,
      }),
    ];
  } finally {
    target.disconnect();
  }
}

async function compare(name: string, load: Omit<Load, 'way'>): Promise<BenchRow> {
  const ours = start('probe-load.js');
  const theirs = start('probe-load.js');
  const costs: { probe: number[]; bare: number[] } = { probe: [], bare: [] };
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      costs.probe.push(await measure(ours, { ...load, way: 'probe' }));
      costs.bare.push(await measure(theirs, { ...load, way: 'bare' }));
    }
  } finally {
    ours.disconnect();
    theirs.disconnect();
  }
  const value = median(costs.probe);
  const yardstick = median(costs.bare);
  return benchRow({
    name: `probe alone, ${name}: CPU`,
    value,
    unit: 'µs',
    yardstick: { name: 'bare sockets at the same pace', value: yardstick },
    aim: AIM,
  });
}

async function measure(child: ChildProcess, load: Load): Promise<number> {
  child.send(load);
  const [cost] = (await once(child, 'message')) as [Cost];
  if (cost.failed > 0) throw new Error(`${cost.failed} checks of ${load.url} failed`);
  return cost.cpuUsPerCheck;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return Math.round((sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2);
}

function start(file: string): ChildProcess {
  return fork(new URL(file, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}
