import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REGIONS, type Region } from '@watchpost/shared/region';
import type { Defer } from '../bench.js';
import { makeAgents } from '../make-agents.js';
import { SimulatorProcess } from './simulator-process.js';
import type { Cell } from './start-cell.js';
import type { CellPlan } from './cell-plan.js';
import { watchJoining, type JoiningFigures } from './joining.js';

export const SCALE_REGIONS = REGIONS.map(({ name }) => name);
const AGENTS_A_PROCESS = 240;
const ALL_ASSIGNED_WITHIN_MS = 420_000;
const POLL_MS = 100;
const SEED = 20_261_123;
/** Of the monitors, as many are down at some time of five minutes. */
const FAILING_SHARE = 0.005;

/** An agent with a process of its own, which a fault takes away. */
export interface Victim {
  simulator: SimulatorProcess;
  region: Region;
}

export interface SimulatedFleet {
  all: SimulatorProcess[];
  victims: [Victim, Victim];
  /** How long all agents together took to get their certificates. */
  enrolledMs: number;
  joining: JoiningFigures;
  /** Waits until the living agents have all checks. @returns how long that took, ms; undefined: it did not happen */
  untilAssigned(withinMs: number): Promise<number | undefined>;
  count(): Promise<{ checks: number; spooled: number; most: number; reconnects: number; failure: string | null }>;
  /** The largest number of results on the way while nothing was wrong. */
  spooledUsually: number;
}

export async function startFleet(
  cell: Cell,
  { agents, connectWithinMs }: Pick<CellPlan, 'agents' | 'connectWithinMs'>,
  series: number,
  defer: Defer,
): Promise<SimulatedFleet> {
  const made = (await makeAgents(cell.client, agents, SCALE_REGIONS)).map(({ token, region }) => ({
    token: token + cell.tokenEnd,
    region,
  }));
  // The victims are agents of two regions.
  const groups = [made.splice(0, 1), made.splice(0, 1)];
  const processes = Math.ceil(made.length / AGENTS_A_PROCESS);
  for (let index = 0; index < processes; index++) groups.push(made.filter((_, place) => place % processes === index));
  const all = groups.map(() => new SimulatorProcess(defer));
  const [killed, silent] = [0, 1].map((index) => ({ simulator: all[index]!, region: groups[index]![0]!.region }));
  const capacity = Math.ceil(((series * 2.5) / agents) * Math.ceil(agents / processes)) + 10_000;
  const monitors = series / SCALE_REGIONS.length;
  const enrolAt = performance.now();
  await Promise.all(
    all.map((one, index) => {
      const folder = join(cell.folder, `agents-${index}`);
      mkdirSync(folder);
      const sites = { seed: SEED, failingShare: FAILING_SHARE };
      return one.order({
        kind: 'enrol',
        urls: cell.grpcUrls,
        agents: groups[index]!,
        folder,
        sites,
        capacity,
        monitors,
      });
    }),
  );
  const startAt = performance.now();
  const count = async () => {
    const alive = all.filter(({ isAlive }) => isAlive);
    const counts = await Promise.all(alive.map((one) => one.order<'counts'>({ kind: 'count' })));
    const checks = counts.flatMap((one) => one.checks);
    return {
      checks: checks.reduce((sum, own) => sum + own, 0),
      most: Math.max(...checks),
      spooled: counts.reduce((sum, { spooled }) => sum + spooled, 0),
      reconnects: counts.reduce((sum, { reconnects }) => sum + reconnects, 0),
      failure: counts.find(({ failure }) => failure !== null)?.failure ?? null,
    };
  };
  const untilAssigned = async (withinMs: number): Promise<number | undefined> => {
    const fromMs = performance.now();
    for (; performance.now() - fromMs < withinMs; await sleep(POLL_MS)) {
      if ((await count()).checks === series) return performance.now() - fromMs;
      const ended = cell.controlPlanes.find(({ process }) => !process.running);
      if (ended) throw new Error(`control plane ${ended.number} ended: ${ended.process.output().slice(-500)}`);
    }
    return undefined;
  };
  await Promise.all(all.map((one) => one.order({ kind: 'start', connectWithinMs })));
  const joining = await watchJoining(cell, { agents, series, count }, ALL_ASSIGNED_WITHIN_MS + connectWithinMs);
  return {
    all,
    victims: [killed!, silent!],
    enrolledMs: startAt - enrolAt,
    joining,
    untilAssigned,
    count,
    spooledUsually: 0,
  };
}
