import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CellSample } from './cell-sample.js';
import { deriveScale } from './derive-scale.js';
import { countedQuantile } from './latency-counts.js';
import { drawLinePlot, type LinePlot } from './line-plot.js';
import { replacePart } from './replace-part.js';
import type { CellRun } from './run-cell.js';
import { summarise } from './summarise.js';

const DOCS = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const DOCUMENT = join(DOCS, 'scaling.md');
const IMAGES = join(DOCS, 'images');

/** Writes a run into the generated parts of docs/scaling.md: its figures and plots, and what follows from them. */
export function writeScaling(run: CellRun): void {
  const { plan } = run;
  const name = `${plan.monitors}-${plan.controlPlanes}`;
  mkdirSync(IMAGES, { recursive: true });
  const images = plotsOf(run).map(([what, plot]) => {
    const file = `scaling-${name}-${what}.svg`;
    writeFileSync(join(IMAGES, file), drawLinePlot(plot));
    return `![${plot.title}](images/${file})`;
  });
  const part = [titleOf(run), '', ...tableOf(run), '', conditionsOf(run), '', ...images].join('\n');
  const document = replacePart(readFileSync(DOCUMENT, 'utf8'), `scale ${name}`, part);
  writeFileSync(DOCUMENT, replacePart(document, 'derived', deriveScale(run).join('\n')));
}

function titleOf({ series, plan }: CellRun): string {
  const { controlPlanes, monitors } = plan;
  const processes = `${controlPlanes} control-plane process${controlPlanes === 1 ? '' : 'es'}`;
  return `### ${series.toLocaleString('en')} series (${monitors.toLocaleString('en')} monitors, 8 regions), ${processes}`;
}

function conditionsOf(run: CellRun): string {
  const { othersCores } = summarise(run);
  const date = new Date().toISOString().slice(0, 10);
  return [
    `${date}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'};`,
    `other work on the machine used ${othersCores.toFixed(2)} cores.`,
    `${run.plan.agents} agents, ${run.plan.minutes} minutes${run.plan.hasFaults ? ', with faults' : ''}. ${run.settings.join(', ')}.`,
  ].join('\n');
}

function tableOf(run: CellRun): string[] {
  const of = summarise(run);
  const { missing } = run;
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : count(value)} ms`;
  const rows: [string, string][] = [
    ['stored, of those due', `${count(of.storedPerSecond)} of ${count(run.series / 60)} results/s`],
    ['lost', count(of.lost)],
    [
      'of these: never run; in the memory of a lost agent; not acknowledged; lost after an acknowledgement',
      [missing.neverRun, missing.withLostAgents, missing.notAcknowledged, missing.acknowledged].map(count).join('; '),
    ],
    ['received twice, stored once', count(run.repeated)],
    ...of.late.map(({ afterMs, count: late }): [string, string] => [
      `committed over ${afterMs / 1_000} s after due`,
      count(late),
    ]),
    ['due to commit without faults, p50 / p99', `${ms(of.calm.lagP50Ms)} / ${ms(of.calm.lagP99Ms)}`],
    ['send to acknowledgement without faults, p50 / p99', `${ms(of.calm.answerP50Ms)} / ${ms(of.calm.answerP99Ms)}`],
    ['send to acknowledgement with faults, p99', ms(countedQuantile(of.all.answer, 0.99))],
    ...of.cpu.map(({ part, cores, usPerResult }): [string, string] => [
      `CPU: ${part}`,
      `${cores.toFixed(2)} cores, ${count(usPerResult)} µs a result`,
    ]),
    ['a series in the memory of a control plane', `${count(run.heapBytesPerSeries)} bytes retained`],
    ['control plane, most resident', `${count(of.mostResidentBytes / 1e6)} MB`],
    ['database, a result', `${count(of.bytesPerResult)} bytes`],
    ['encoded by an agent, a result', `${count(of.wireBytesPerResult)} bytes`],
    ['WAL, a result', `${count(of.walBytesPerResult)} bytes`],
    ['incidents, on-demand runs', `${count(run.incidents)}, ${count(of.all.onDemandRuns)}`],
    [
      'all agents connect at once until each check is assigned',
      `${(run.joining.tookMs / 1_000).toFixed(1)} s, ${run.joining.epochs} changes of members`,
    ],
    ...run.faults.map(({ name, recoveredMs }): [string, string] => [
      `${name}: recovered after`,
      recoveredMs === null ? 'not within a minute' : `${(recoveredMs / 1_000).toFixed(1)} s`,
    ]),
    ...run.tables
      .slice(0, 4)
      .map((table): [string, string] => [
        `table \`${table.name}\``,
        `${count(table.bytes / 1e6)} MB, ${count(table.dead)} dead rows, ${Math.round(table.hotShare * 100)} % HOT, ${count(table.autovacuums)} autovacuums`,
      ]),
  ];
  return ['| measured | |', '| --- | --- |', ...rows.map(([what, value]) => `| ${what} | ${value} |`)];
}

function plotsOf({ samples, faults, plan }: CellRun): [string, LinePlot][] {
  const measured = samples.slice(0, -1);
  const marks = faults.map(({ atS, name }) => ({ x: atS, name }));
  const line = (name: string, of: (sample: CellSample) => number) => ({
    name,
    points: measured.map((sample): [number, number] => [sample.atS, of(sample)]),
  });
  const controlPlanes = Array.from({ length: plan.controlPlanes }, (_, index) => index);
  const number = (index: number): string => (plan.controlPlanes === 1 ? 'control plane' : `control plane ${index + 1}`);
  return [
    [
      'lag',
      {
        title: 'From due to commit',
        unit: 'ms',
        marks,
        lines: [
          line('p50', ({ figures }) => countedQuantile(figures.lag, 0.5)),
          line('p99', ({ figures }) => countedQuantile(figures.lag, 0.99)),
        ],
      },
    ],
    [
      'rate',
      {
        title: 'Stored',
        unit: 'results/s',
        marks,
        lines: [line('stored', ({ figures, seconds }) => figures.acknowledged / seconds)],
      },
    ],
    [
      'cpu',
      {
        title: 'CPU by process',
        unit: 'cores',
        marks,
        lines: [
          ...controlPlanes.map((index) => line(number(index), ({ cpu }) => cpu.controlPlanes[index]!)),
          line('PostgreSQL', ({ cpu }) => cpu.postgres),
          line('simulators', ({ cpu }) => cpu.simulators),
          line('other work', ({ cpu }) => cpu.others),
        ],
      },
    ],
    [
      'memory',
      {
        title: 'Resident memory',
        unit: 'MB',
        marks,
        lines: controlPlanes.map((index) =>
          line(number(index), ({ controlPlaneBytes }) => controlPlaneBytes[index]! / 1e6),
        ),
      },
    ],
    [
      'database',
      { title: 'Database', unit: 'MB', marks, lines: [line('size', ({ databaseBytes }) => databaseBytes / 1e6)] },
    ],
  ];
}
