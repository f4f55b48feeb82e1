import { setTimeout as sleep } from 'node:timers/promises';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Defer } from '../bench.js';
import type { CellPlan } from './cell-plan.js';
import { printDurableSettings } from '../durable-settings.js';
import { loadMonitors, loadWorkspaces } from '../load-monitors.js';
import { CellSampler, type CellSample } from './cell-sample.js';
import { readRepeated, readTables, type TableFigures } from './cell-figures.js';
import { examineMissing, type KnownRuns, type MissingRuns } from './missing-runs.js';
import type { JoiningFigures } from './joining.js';
import type { SeriesRun } from './run-log.js';
import { SCALE_REGIONS, startFleet, type SimulatedFleet, type Victim } from './simulated-fleet.js';
import type { SimulatorProcess } from './simulator-process.js';
import { startCell, type Cell } from './start-cell.js';

export interface CellFault {
  name: string;
  atS: number;
  /** Until every check was at a living agent, or the restarted process had no backlog left; null: it did not happen. */
  recoveredMs: number | null;
}

export interface CellRun {
  plan: CellPlan;
  settings: string[];
  series: number;
  enrolledMs: number;
  joining: JoiningFigures;
  mostChecks: number;
  samples: CellSample[];
  faults: CellFault[];
  /** The results of each whole minute, by scheduled time. */
  storedByMinute: number[];
  missing: MissingRuns;
  repeated: number;
  incidents: number;
  heapBytesPerSeries: number;
  tables: TableFigures[];
}

const MONITORS_OF_OWNER = 50;
const SAMPLE_MS = 10 * SECOND_MS;
/** Each series has a result, and the plans of the statements are chosen. */
const STEADY_AFTER_MS = 75 * SECOND_MS;
const LONGEST_CHECK_MS = 2 * SECOND_MS;
const DRAINED_WITHIN_MS = 120 * SECOND_MS;
const RECOVERED_WITHIN_MS = 60 * SECOND_MS;
/** When the faults happen, as parts of the measured time. */
const FAULTS_AT = { killed: 0.2, silent: 0.4, restarted: 0.65 };

/** Starts a cell with its agents, measures it for whole minutes, and counts what was stored. */
export async function runCell(plan: CellPlan, defer: Defer): Promise<CellRun> {
  const { cell, settings, heapEmpty, series, fleet } = await join(plan, defer);
  const { most } = await fleet.count();
  const steadyMs = Math.ceil((Date.now() + STEADY_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
  await sleep(steadyMs - Date.now());
  const repeatedBefore = await readRepeated(cell.metricsPorts);
  const { samples, faults, repeated, lost } = await observe(cell, fleet, plan, steadyMs);
  const endMs = steadyMs + plan.minutes * MINUTE_MS;
  const storedByMinute = await countStored(cell, steadyMs, endMs);
  const { rows } = await cell.client.query<{ count: number }>('SELECT count(*)::integer AS count FROM incident');
  return {
    plan,
    settings,
    series,
    enrolledMs: fleet.enrolledMs,
    joining: fleet.joining,
    mostChecks: most,
    samples,
    faults,
    storedByMinute,
    missing: await examineMissing(
      cell,
      [...fleet.all.filter(({ isAlive }) => isAlive).map(runsOf), ...lost],
      steadyMs,
      endMs,
    ),
    repeated: repeated + (await readRepeated(cell.metricsPorts)) - repeatedBefore,
    incidents: rows[0]!.count,
    heapBytesPerSeries: ((await cell.heapBytes()) - heapEmpty) / series,
    tables: await readTables(cell.client),
  };
}

/** Starts a cell whose agents have all checks. */
async function join(plan: CellPlan, defer: Defer) {
  const cell = await startCell(plan.controlPlanes, defer);
  const settings = await printDurableSettings(cell.client);
  const heapEmpty = await cell.heapBytes();
  const workspaces = await loadWorkspaces(cell.client, Math.ceil(plan.monitors / MONITORS_OF_OWNER));
  note(`loading ${plan.monitors} monitors`);
  await loadMonitors(cell.client, workspaces, plan.monitors, 'https://shop-{n}.example/', SCALE_REGIONS.slice(1));
  await cell.client.query('VACUUM ANALYZE');
  const series = plan.monitors * SCALE_REGIONS.length;
  note(`${plan.agents} agents get their certificates`);
  const fleet = await startFleet(cell, plan, series, defer);
  note(`${plan.agents} agents have ${series} checks after ${Math.round(fleet.joining.tookMs)} ms`);
  return { cell, settings, heapEmpty, series, fleet };
}

/** Measures only what it takes until the agents have all checks. */
export async function measureJoining(
  plan: CellPlan,
  defer: Defer,
): Promise<{ series: number; joining: JoiningFigures }> {
  const { series, fleet } = await join(plan, defer);
  return { series, joining: fleet.joining };
}

async function observe(cell: Cell, fleet: SimulatedFleet, plan: CellPlan, fromMs: number) {
  const endMs = fromMs + plan.minutes * MINUTE_MS;
  const sampler = new CellSampler(cell, fleet.all);
  const samples: CellSample[] = [];
  const faults: CellFault[] = [];
  // The counters of the process that is restarted.
  let repeated = 0;
  const at = async (part: number, name: string, happens: () => Promise<number | undefined>): Promise<void> => {
    const dueMs = fromMs + part * plan.minutes * MINUTE_MS;
    await sleep(Math.max(0, dueMs - Date.now()));
    const atS = (Date.now() - fromMs) / SECOND_MS;
    const recoveredMs = (await happens()) ?? null;
    note(`${name}: ${recoveredMs === null ? 'not recovered' : `recovered after ${Math.round(recoveredMs)} ms`}`);
    faults.push({ name, atS, recoveredMs });
  };
  const lost: KnownRuns[] = [];
  const lose = async ({ simulator, region }: Victim, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> => {
    lost.push(await runsOfVictim(simulator, region, fromMs));
    await simulator.lose(signal);
  };
  const harm = async (): Promise<void> => {
    if (!plan.hasFaults) return;
    const [killed, silent] = fleet.victims;
    await at(FAULTS_AT.killed, 'an agent is killed', async () => {
      await lose(killed, 'SIGKILL');
      return fleet.untilAssigned(RECOVERED_WITHIN_MS);
    });
    await at(FAULTS_AT.silent, 'an agent falls silent', async () => {
      await lose(silent, 'SIGSTOP');
      return fleet.untilAssigned(RECOVERED_WITHIN_MS);
    });
    await at(FAULTS_AT.restarted, 'a control plane is restarted', async () => {
      const controlPlane = cell.controlPlanes.at(-1)!;
      const beganMs = performance.now();
      repeated += await readRepeated(cell.metricsPorts.slice(-1));
      controlPlane.process.kill('SIGTERM');
      await controlPlane.process.ended(60_000);
      await controlPlane.start();
      return untilDrained(fleet, fleet.spooledUsually * 2, beganMs);
    });
  };
  await sampler.start();
  const harming = harm();
  while (Date.now() < endMs - 1_000) {
    const nextMs = fromMs + (samples.length + 1) * SAMPLE_MS;
    await sleep(Math.max(0, Math.min(nextMs, endMs) - Date.now()));
    // Nothing that is due later runs.
    if (nextMs >= endMs)
      await Promise.all(
        fleet.all.filter(({ isAlive }) => isAlive).map((one) => one.order({ kind: 'end', atMs: endMs })),
      );
    const sample = await sampler.take();
    samples.push(sample);
    if (faults.length === 0) fleet.spooledUsually = Math.max(fleet.spooledUsually, sample.spooled);
    if (sample.figures.failure !== null) throw new Error(`an agent was refused: ${sample.figures.failure}`);
    note(describe(sample));
  }
  await harming;
  // Checks that were due before the end are still running.
  await sleep(LONGEST_CHECK_MS);
  const drained = await untilDrained(fleet, 0, performance.now(), DRAINED_WITHIN_MS);
  if (drained === undefined) note('the agents still have results that are not acknowledged');
  samples.push(await sampler.take());
  for (const { simulator } of fleet.victims) if (!simulator.isAlive) simulator.end();
  return { samples, faults, repeated, lost };
}

async function untilDrained(
  fleet: SimulatedFleet,
  most: number,
  fromMs: number,
  withinMs = RECOVERED_WITHIN_MS,
): Promise<number | undefined> {
  for (; performance.now() - fromMs < withinMs; await sleep(200))
    if ((await fleet.count()).spooled <= most) return performance.now() - fromMs;
  return undefined;
}

async function countStored({ client }: Cell, fromMs: number, toMs: number): Promise<number[]> {
  const { rows } = await client.query<{ minute: Date; count: number }>(
    `SELECT date_trunc('minute', scheduled_at) AS minute, count(*)::integer AS count
     FROM check_result WHERE scheduled_at >= $1 AND scheduled_at < $2 GROUP BY 1`,
    [new Date(fromMs), new Date(toMs)],
  );
  const counts = new Map(rows.map(({ minute, count }) => [minute.getTime(), count]));
  return Array.from({ length: (toMs - fromMs) / MINUTE_MS }, (_, at) => counts.get(fromMs + at * MINUTE_MS) ?? 0);
}

function runsOf(simulator: SimulatorProcess): KnownRuns {
  return { isLost: false, stateOf: async (runs) => (await simulator.order<'states'>({ kind: 'states', runs })).states };
}

/** The runs of an agent that is about to be lost, as far as it came. */
async function runsOfVictim(simulator: SimulatorProcess, region: Region, fromMs: number): Promise<KnownRuns> {
  const { keys } = await simulator.order<'keys'>({ kind: 'keys' });
  const [from, to] = [fromMs / MINUTE_MS, Math.floor(Date.now() / MINUTE_MS)];
  const minutes = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const runs = minutes.flatMap((minute) => keys.map((monitorKey) => ({ monitorKey, region, minute })));
  const { states } = await simulator.order<'states'>({ kind: 'states', runs });
  const name = (run: SeriesRun): string => `${run.monitorKey} ${run.region} ${run.minute}`;
  const known = new Map(runs.map((run, index) => [name(run), states[index]!]));
  return { isLost: true, stateOf: (asked) => Promise.resolve(asked.map((run) => known.get(name(run)) ?? 'never')) };
}

function describe({ atS, seconds, figures, cpu, spooled }: CellSample): string {
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  return [
    `${Math.round(atS)} s`,
    `${Math.round(figures.acknowledged / seconds)} results/s`,
    `spooled ${spooled}`,
    `control planes ${cpu.controlPlanes.map(percent).join(', ')}`,
    `PostgreSQL ${percent(cpu.postgres)}`,
    `simulators ${percent(cpu.simulators)}`,
    `others ${percent(cpu.others)}`,
  ].join(', ');
}

function note(line: string): void {
  process.stdout.write(`\n  ${line}`);
}
