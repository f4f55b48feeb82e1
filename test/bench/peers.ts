import { startBenchTarget } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { BenchOptions, Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { ProductLoad, type MinuteCost } from './product-load.js';
import { missingPeer, PrometheusLoad, type PrometheusCost } from './prometheus-load.js';

const MINUTES = 3;
const SCHEMES = [
  { name: 'HTTP', perSecond: 75, most: 0.24 },
  { name: 'HTTPS', perSecond: 50, most: 0.62 },
] as const;

/**
 * Compares the CPU time of a check in the whole product with Prometheus and blackbox_exporter. Both run at the same time and
 * pace, so that what else the machine does slows both down.
 */
export async function* benchPeers(defer: Defer, { minutes = MINUTES }: BenchOptions): AsyncGenerator<BenchRow[]> {
  const missing = missingPeer();
  if (missing !== undefined) {
    process.stdout.write(`  skipped: ${missing} is not installed (Debian: apt-get install ${missing})\n`);
    return;
  }
  const target = await startBenchTarget(defer);
  const load = await ProductLoad.start(defer, target.trust);
  for (const [index, { name, perSecond, most }] of SCHEMES.entries()) {
    const sites = name === 'HTTP' ? target.httpSites : target.httpsSites;
    await (index === 0 ? load.load(sites, perSecond) : load.change(sites, perSecond));
    const peer = await PrometheusLoad.start(defer, sites, perSecond, target.trust.NODE_EXTRA_CA_CERTS);
    await Promise.all([load.settle(), peer.settle()]);
    const [ours, theirs]: [MinuteCost[], PrometheusCost[]] = [[], []];
    for (let minute = 0; minute < minutes; minute++) {
      const [own, other] = await Promise.all([load.minute(perSecond), peer.minute(perSecond)]);
      ours.push(own);
      theirs.push(other);
    }
    yield rowsOf(`${name} check, ${perSecond}/s`, ours, theirs, most);
    yield [
      benchRow({ name: '  Prometheus and blackbox_exporter, resident', value: peer.residentBytes() / 1e6, unit: 'MB' }),
    ];
    peer.end();
  }
}

function rowsOf(name: string, ours: MinuteCost[], theirs: PrometheusCost[], most: number): BenchRow[] {
  const row = <Cost>(what: string, costs: readonly Cost[], of: (cost: Cost) => number): BenchRow =>
    benchRow({ name: `  ${what} (${rangeOf(costs.map(of), 'ms')})`, value: median(costs.map(of)), unit: 'ms' });
  const totals = ours.map(({ total }) => total);
  return [
    benchRow({
      name: `whole product, ${name}: CPU (${rangeOf(totals, 'ms')})`,
      value: median(totals),
      unit: 'ms',
      yardstick: { name: 'Prometheus with blackbox_exporter', value: median(theirs.map(({ total }) => total)) },
      aim: { text: `<= ${most}x`, met: ({ ratio }) => ratio <= most },
    }),
    row('agent', ours, ({ agent }) => agent),
    row('control plane', ours, ({ controlPlane }) => controlPlane),
    row('PostgreSQL', ours, ({ postgres }) => postgres),
    row('blackbox_exporter', theirs, ({ blackbox }) => blackbox),
    row('Prometheus', theirs, ({ prometheus }) => prometheus),
  ];
}
