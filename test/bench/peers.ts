import { startBenchTarget } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { BenchOptions, Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { ProductLoad, type MinuteCost } from './product-load.js';
import { missingPeer, PrometheusLoad, type PrometheusCost } from './prometheus-load.js';

const MINUTES = 2;
const TURNS = 2;
const SCHEMES = [
  { name: 'HTTP', perSecond: 75 },
  { name: 'HTTPS', perSecond: 50 },
] as const;

/** Compares the CPU time of a check in the whole product with Prometheus and blackbox_exporter, in turns at one pace. */
export async function benchPeers(defer: Defer, { minutes = MINUTES }: BenchOptions): Promise<BenchRow[]> {
  const missing = missingPeer();
  if (missing !== undefined) {
    process.stdout.write(`skipped: ${missing} is not installed (Debian: apt-get install ${missing}) … `);
    return [];
  }
  const target = await startBenchTarget(defer);
  const load = await ProductLoad.start(defer, target.trust);
  const rows: BenchRow[] = [];
  for (const { name, perSecond } of SCHEMES) {
    const sites = name === 'HTTP' ? target.httpSites : target.httpsSites;
    let resident = 0;
    const [ours, theirs]: [MinuteCost[], PrometheusCost[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      if (rows.length === 0 && turn === 0) await load.load(sites, perSecond);
      else await load.change(sites, perSecond);
      await load.settle();
      for (let minute = 0; minute < minutes; minute++) ours.push(await load.minute(perSecond));
      await load.change(sites, 0);
      const peer = await PrometheusLoad.start(defer, sites, perSecond, target.trust.NODE_EXTRA_CA_CERTS);
      await peer.settle();
      for (let minute = 0; minute < minutes; minute++) theirs.push(await peer.minute(perSecond));
      resident = peer.residentBytes();
      peer.end();
    }
    rows.push(...rowsOf(`${name} check, ${perSecond}/s`, ours, theirs, resident));
  }
  return rows;
}

function rowsOf(name: string, ours: MinuteCost[], theirs: PrometheusCost[], resident: number): BenchRow[] {
  const row = <Cost>(what: string, costs: readonly Cost[], of: (cost: Cost) => number): BenchRow =>
    benchRow({ name: `  ${what} (${rangeOf(costs.map(of), 'ms')})`, value: median(costs.map(of)), unit: 'ms' });
  const totals = ours.map(({ total }) => total);
  return [
    benchRow({
      name: `whole product, ${name}: CPU (${rangeOf(totals, 'ms')})`,
      value: median(totals),
      unit: 'ms',
      yardstick: { name: 'Prometheus with blackbox_exporter', value: median(theirs.map(({ total }) => total)) },
      aim: { text: '<= 0.5x', met: ({ ratio }) => ratio <= 0.5 },
    }),
    row('agent', ours, ({ agent }) => agent),
    row('control plane', ours, ({ controlPlane }) => controlPlane),
    row('PostgreSQL', ours, ({ postgres }) => postgres),
    row('blackbox_exporter', theirs, ({ blackbox }) => blackbox),
    row('Prometheus', theirs, ({ prometheus }) => prometheus),
    benchRow({ name: '  Prometheus and blackbox_exporter, resident', value: resident / 1e6, unit: 'MB' }),
  ];
}
