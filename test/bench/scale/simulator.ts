import type { Region } from '@watchpost/shared/region';
import { setFlagsFromString } from 'node:v8';
import pino from 'pino';
import { CheckTable } from './check-table.js';
import { RunLog, type RunState, type SeriesRun } from './run-log.js';
import { SimulatedAgent } from './simulated-agent.js';
import { SimulatedFigures, type SimulatedPeriod } from './simulated-figures.js';
import { simulatedMs, type SimulatedSites } from './simulated-outcome.js';

// Its agents stand for processes on other machines. A collection of all their heaps takes the cores that the product uses here.
setFlagsFromString('--heap-growing-percent=400');

interface SimulatorAgents {
  urls: readonly string[];
  agents: readonly { token: string; region: Region }[];
  folder: string;
  sites: SimulatedSites;
  /** The most checks that this process can have. */
  capacity: number;
  /** The highest key of a monitor. */
  monitors: number;
}

/** An order to a simulator process. Each is answered once. */
export type SimulatorOrder =
  | ({ kind: 'enrol' } & SimulatorAgents)
  /** Connects the agents of the process, one after the other. */
  | { kind: 'start'; connectWithinMs: number }
  | { kind: 'count' }
  | { kind: 'take' }
  | { kind: 'keys' }
  | { kind: 'states'; runs: readonly SeriesRun[] }
  /** No scheduled time from here on is run. */
  | { kind: 'end'; atMs: number };

export type SimulatorAnswer =
  | { kind: 'done' }
  | { kind: 'failed'; message: string }
  | { kind: 'counts'; checks: number[]; spooled: number; reconnects: number; failure: string | null }
  /** The monitors that the agents of the process check. */
  | { kind: 'keys'; keys: number[] }
  | { kind: 'states'; states: RunState[] }
  | { kind: 'period'; period: SimulatedPeriod };

/** Agents of a process that get their certificates at the same time. */
const ENROLLING = 8;
const ENROLLED_WITHIN_MS = 120_000;
const TURN_MS = 10;
const RETRY_MS = 500;

const figures = new SimulatedFigures();
const logger = pino({ level: 'silent' });
let agents: SimulatedAgent[] = [];
let table: CheckTable | undefined;
let runs: RunLog | undefined;

async function enrol(order: SimulatorAgents): Promise<void> {
  const { sites, folder } = order;
  const urls = order.urls.map((url) => new URL(url));
  const own = new CheckTable(order.capacity, {
    durationMs: (monitorKey, scheduledAtMs) => simulatedMs(sites, monitorKey, scheduledAtMs),
    onDone: (agent, monitorKey, scheduledAtMs, lateMs) => {
      figures.done(lateMs);
      agents[agent]!.report(monitorKey, scheduledAtMs);
    },
  });
  table = own;
  const ownRuns = (runs = new RunLog(order.monitors));
  agents = order.agents.map(
    ({ token, region }, index) =>
      new SimulatedAgent({ index, urls, token, region, folder, sites, table: own, figures, runs: ownRuns, logger }),
  );
  const lateMs = performance.now() + ENROLLED_WITHIN_MS;
  const waiting = [...agents];
  const work = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent; agent = waiting.shift())
      for (let blocked = await agent.enrol(); blocked; blocked = await agent.enrol()) {
        if (performance.now() > lateMs) throw new Error(`an agent gets no certificate: ${blocked.details}`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
  };
  await Promise.all(Array.from({ length: ENROLLING }, work));
}

async function follow(order: SimulatorOrder): Promise<SimulatorAnswer> {
  switch (order.kind) {
    case 'enrol':
      await enrol(order);
      return { kind: 'done' };
    case 'start':
      for (const [index, agent] of agents.entries())
        setTimeout(() => agent.start(), (order.connectWithinMs * index) / agents.length);
      setInterval(() => table!.turn(Date.now()), TURN_MS);
      setInterval(() => agents.forEach(({ spool }) => spool.sweep()), 1_000);
      return { kind: 'done' };
    case 'count':
      return {
        kind: 'counts',
        checks: agents.map(({ checks }) => checks.size),
        spooled: agents.reduce((sum, { spool }) => sum + spool.depth, 0),
        reconnects: figures.reconnects,
        failure: figures.failure,
      };
    case 'keys':
      return { kind: 'keys', keys: agents.flatMap(({ checks }) => checks.keys()) };
    case 'states':
      return { kind: 'states', states: order.runs.map((run) => runs!.stateOf(run)) };
    case 'take':
      return { kind: 'period', period: figures.take() };
    case 'end':
      table!.endMs = order.atMs;
      return { kind: 'done' };
  }
}

process.on(
  'message',
  (order: SimulatorOrder) =>
    void follow(order)
      .catch((error: Error): SimulatorAnswer => ({ kind: 'failed', message: error.message }))
      .then((answer) => process.send!(answer)),
);
process.once('disconnect', () => process.exit());
