import { benchRow, type BenchRow } from '../bench-row.js';
import type { BenchOptions, Defer } from '../bench.js';
import { countedQuantile } from './latency-counts.js';
import { plansOf } from './cell-plan.js';
import type { JoiningFigures } from './joining.js';
import { measureJoining, runCell, type CellRun } from './run-cell.js';
import { summarise } from './summarise.js';
import { writeScaling } from './write-scaling.js';

/**
 * Runs a whole cell: agents with real connections and simulated probes, control planes and PostgreSQL, with faults and
 * incidents, and counts every result.
 */
export async function benchScale(defer: Defer, options: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const plan of plansOf(options)) {
    const cleanUps: (() => unknown)[] = [];
    const end = async (): Promise<void> => {
      // One that fails must not leave the server running.
      for (const cleanUp of cleanUps.splice(0).toReversed()) await Promise.resolve(cleanUp()).catch(() => undefined);
    };
    defer(end);
    const deferHere: Defer = (cleanUp) => void cleanUps.push(cleanUp);
    if (options.joining) {
      const { series, joining } = await measureJoining(plan, deferHere);
      await end();
      const name = `${series.toLocaleString('en')} series, ${plan.agents} agents connect`;
      rows.push(benchRow({ name, value: joining.tookMs / 1_000, unit: 's' }), ...joiningRows(series, joining));
      continue;
    }
    const run = await runCell(plan, deferHere);
    await end();
    rows.push(...rowsOf(run));
    if (options.write) {
      writeScaling(run);
    }
  }
  return rows;
}

/** What became of the lost results. */
function missingRows({ missing }: CellRun): BenchRow[] {
  const { neverRunAtS: at } = missing;
  const when = at ? `, due from ${Math.round(at[0])} to ${Math.round(at[1])} s` : '';
  const figure = (name: string, value: number): BenchRow => benchRow({ name: `  … ${name}`, value, unit: 'results' });
  return [
    figure(`the check was never run${when}`, missing.neverRun),
    figure('in the memory of a lost agent', missing.withLostAgents),
    figure('not acknowledged at the end', missing.notAcknowledged),
    benchRow({
      name: '  … lost after an acknowledgement',
      value: missing.acknowledged,
      unit: 'results',
      aim: { text: 'none', met: ({ value }) => value === 0 },
    }),
  ];
}

function joiningRows(series: number, joining: JoiningFigures): BenchRow[] {
  const figure = (what: string, value: number, unit: string): BenchRow =>
    benchRow({ name: `  … ${what}`, value, unit });
  return [
    figure('changes of members', joining.epochs, 'epochs'),
    figure('checks sent for each series', joining.checksSent / series, 'checks'),
    figure('transactions', joining.transactions, 'transactions'),
    figure('CPU of control planes, a series', (joining.controlPlaneCpuMs * 1_000) / series, 'µs'),
    figure('CPU of PostgreSQL, a series', (joining.postgresCpuMs * 1_000) / series, 'µs'),
    figure('a control plane was blocked for over 0.25 s', joining.longBlocks, 'times'),
    figure('reconnections', joining.reconnects, 'reconnections'),
    figure('failed steps', joining.failures, 'steps'),
  ];
}

function rowsOf(run: CellRun): BenchRow[] {
  const { plan, series, faults } = run;
  const of = summarise(run);
  const name = `${series.toLocaleString('en')} series, ${plan.controlPlanes} control plane${plan.controlPlanes === 1 ? '' : 's'}`;
  const figure = (what: string, value: number, unit: string): BenchRow => benchRow({ name: `  ${what}`, value, unit });
  return [
    benchRow({
      name: `${name}: stored`,
      value: of.storedPerSecond,
      unit: 'results/s',
      yardstick: { name: 'due', value: series / 60 },
    }),
    benchRow({
      name: '  lost',
      value: of.lost,
      unit: 'results',
      aim: { text: 'none', met: ({ value }) => value === 0 },
    }),
    ...missingRows(run),
    figure('received twice, stored once', run.repeated, 'results'),
    ...of.late.map(({ afterMs, count }) => figure(`committed over ${afterMs / 1_000} s after due`, count, 'results')),
    figure('due to commit, without faults, p50', of.calm.lagP50Ms, 'ms'),
    figure('due to commit, without faults, p99', of.calm.lagP99Ms, 'ms'),
    figure('send to acknowledgement, without faults, p50', of.calm.answerP50Ms, 'ms'),
    benchRow({
      name: '  send to acknowledgement, without faults, p99',
      value: of.calm.answerP99Ms,
      unit: 'ms',
      aim: { text: '<= 50 ms', met: ({ value }) => value <= 50 },
    }),
    figure('send to acknowledgement, all, p99', countedQuantile(of.all.answer, 0.99), 'ms'),
    figure("the simulator's own share of that lag, p99", countedQuantile(of.all.own, 0.99), 'ms'),
    ...of.cpu.flatMap(({ part, cores, usPerResult }) => [
      figure(`CPU of ${part}`, cores * 100, '% of a core'),
      figure(`  … a result`, usPerResult, 'µs'),
    ]),
    figure('a series at the control plane, retained', run.heapBytesPerSeries, 'bytes'),
    figure('resident control plane, most', of.mostResidentBytes / 1e6, 'MB'),
    figure('stored a result, all tables', of.bytesPerResult, 'bytes'),
    figure('WAL a result', of.walBytesPerResult, 'bytes'),
    figure('encoded by an agent, a result', of.wireBytesPerResult, 'bytes'),
    figure('incidents', run.incidents, 'incidents'),
    figure('on-demand runs', of.all.onDemandRuns, 'runs'),
    figure(`${plan.agents} agents get certificates`, run.enrolledMs / 1_000, 's'),
    figure('… connect until all is assigned', run.joining.tookMs / 1_000, 's'),
    ...joiningRows(series, run.joining),
    ...faults.map(({ name: fault, recoveredMs }) => {
      const aimMs = fault.includes('killed') ? 2_000 : fault.includes('silent') ? 15_000 : undefined;
      return benchRow({
        name: `  ${fault}: recovered after`,
        value: recoveredMs === null ? NaN : recoveredMs / 1_000,
        unit: 's',
        ...(aimMs && {
          aim: { text: `<= ${aimMs / 1_000} s`, met: ({ value }: { value: number }) => value <= aimMs / 1_000 },
        }),
      });
    }),
    ...run.tables.flatMap((table) => [
      figure(`table ${table.name}`, table.bytes / 1e6, 'MB'),
      figure(
        `  … autovacuums; dead rows ${table.dead}, HOT ${Math.round(table.hotShare * 100)} %`,
        table.autovacuums,
        'runs',
      ),
    ]),
  ];
}
