import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuMs, residentBytes, treeCpuMs } from '../process-usage.js';
import type { Cell } from './start-cell.js';
import type { SimulatedPeriod } from './simulated-figures.js';
import type { SimulatorProcess } from './simulator-process.js';
import { sumCounts } from './latency-counts.js';

/** CPU time so far in ms, or the share of a core in a period. */
interface CellCpu {
  controlPlanes: number[];
  postgres: number;
  simulators: number;
  bench: number;
}

export interface CellSample {
  /** Since the start of the measurement. */
  atS: number;
  seconds: number;
  figures: SimulatedPeriod;
  /** Shares of a core; `others` is all other work on the machine. */
  cpu: CellCpu & { others: number };
  controlPlaneBytes: number[];
  databaseBytes: number;
  walBytes: number;
  spooled: number;
}

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/** Measures a running cell period by period. */
export class CellSampler {
  private startedMs = 0;
  private lastMs = 0;
  private lastCpu!: CellCpu;
  private lastBusyMs = 0;
  private lastWal = 0;

  constructor(
    private readonly cell: Cell,
    private readonly simulators: readonly SimulatorProcess[],
  ) {}

  async start(): Promise<void> {
    await this.takeFigures();
    this.lastWal = (await this.sizes()).wal;
    [this.lastCpu, this.lastBusyMs] = [this.cpu(), busyMs()];
    this.startedMs = this.lastMs = performance.now();
  }

  async take(): Promise<CellSample> {
    const figures = await this.takeFigures();
    const { database, wal } = await this.sizes();
    const counts = await Promise.all(this.alive().map((one) => one.order<'counts'>({ kind: 'count' })));
    const [cpu, busy] = [this.cpu(), busyMs()];
    const nowMs = performance.now();
    const passedMs = nowMs - this.lastMs;
    // A process that was restarted counts from zero again.
    const share = (now: number, before: number): number => Math.max(0, now < before ? now : now - before) / passedMs;
    const { lastCpu } = this;
    const shares: CellCpu = {
      controlPlanes: cpu.controlPlanes.map((now, index) => share(now, lastCpu.controlPlanes[index]!)),
      postgres: share(cpu.postgres, lastCpu.postgres),
      simulators: share(cpu.simulators, lastCpu.simulators),
      bench: share(cpu.bench, lastCpu.bench),
    };
    const known = shares.controlPlanes.reduce(
      (sum, own) => sum + own,
      shares.postgres + shares.simulators + shares.bench,
    );
    const sample: CellSample = {
      atS: (nowMs - this.startedMs) / 1_000,
      seconds: passedMs / 1_000,
      figures,
      cpu: { ...shares, others: Math.max(0, (busy - this.lastBusyMs) / passedMs - known) },
      controlPlaneBytes: this.cell.controlPlanes.map(({ process }) =>
        process.running ? residentBytes(process.pid) : 0,
      ),
      databaseBytes: database,
      walBytes: wal - this.lastWal,
      spooled: counts.reduce((sum, { spooled }) => sum + spooled, 0),
    };
    [this.lastMs, this.lastCpu, this.lastBusyMs, this.lastWal] = [nowMs, cpu, busy, wal];
    return sample;
  }

  private alive(): SimulatorProcess[] {
    return this.simulators.filter(({ isAlive }) => isAlive);
  }

  private async takeFigures(): Promise<SimulatedPeriod> {
    const answers = await Promise.all(this.alive().map((one) => one.order<'period'>({ kind: 'take' })));
    return sumPeriods(answers.map(({ period }) => period));
  }

  private async sizes(): Promise<{ database: number; wal: number }> {
    const { rows } = await this.cell.client.query<{ database: string; wal: string }>(
      `SELECT pg_database_size(current_database()) AS database, pg_current_wal_lsn() - '0/0'::pg_lsn AS wal`,
    );
    return { database: Number(rows[0]!.database), wal: Number(rows[0]!.wal) };
  }

  private cpu(): CellCpu {
    const controlPlanes = this.cell.controlPlanes.map(({ process }) => (process.running ? cpuMs(process.pid) : 0));
    const postgres = treeCpuMs(this.cell.postgresPid).get('postgres') ?? 0;
    const simulators = this.simulators.reduce((sum, one) => sum + one.cpuMs, 0);
    const { user, system } = process.cpuUsage();
    return { controlPlanes, postgres, simulators, bench: (user + system) / 1_000 };
  }
}

/** The CPU time of the whole machine that was not idle. */
function busyMs(): number {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/);
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are part of user.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = ticks.map(Number);
  return (user + nice + system + irq + softirq + steal) * MS_PER_TICK;
}

export const CORES = cpus().length;

export function sumPeriods(parts: readonly SimulatedPeriod[]): SimulatedPeriod {
  const sum = (of: (part: SimulatedPeriod) => number): number => parts.reduce((all, part) => all + of(part), 0);
  return {
    lag: sumCounts(parts.map(({ lag }) => lag)),
    answer: sumCounts(parts.map(({ answer }) => answer)),
    own: sumCounts(parts.map(({ own }) => own)),
    produced: sum(({ produced }) => produced),
    bytes: sum(({ bytes }) => bytes),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    late: (parts[0]?.late ?? []).map((_, index) => sum(({ late }) => late[index]!)),
    refused: sum(({ refused }) => refused),
    dropped: sum(({ dropped }) => dropped),
    reconnects: sum(({ reconnects }) => reconnects),
    onDemandRuns: sum(({ onDemandRuns }) => onDemandRuns),
    failure: parts.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}
