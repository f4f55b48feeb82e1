import { setTimeout as sleep } from 'node:timers/promises';
import { drawOutages } from '../draw/draw-outages.js';
import { drawRounds } from '../draw/draw-faults.js';
import { judgeRun } from '../judge/judge-run.js';
import type {
  Disturbance,
  Judgement,
  Message,
  Outage,
  Request,
  StoredIncident,
  Watched,
} from '../judge/observation.js';
import { judgeLostResults } from '../judge/judge-results.js';
import { readRequests, readStored, readTotals } from '../observe/observe.js';
import { readMessages } from '../observe/read-messages.js';
import { readSpools } from '../observe/read-spools.js';
import { takeSample, type Samples } from '../observe/sample-processes.js';
import type { SoakSettings } from '../settings.js';
import type { SoakWorld } from '../world/soak-world.js';
import { Churn } from './churn.js';
import { runFaults } from './run-faults.js';
import { runOutages } from './run-outages.js';
import { supervise } from './supervise.js';
import { MODES, watchTargets } from './watched-monitors.js';

const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
/** After the last outage a target has to be checked again before the end, and its incident closed. */
const SETTLE_MS = 100_000;
/** The third retry of a message comes two minutes after the second. */
const QUIET_DEADLINE_MS = 200_000;
const TOTALS_OF = 30;
/** More than there can be in the longest run. */
const ROUNDS_A_MINUTE = 6;

/** What a run did and what it found. */
export interface SoakResult {
  startedMs: number;
  endedMs: number;
  watched: readonly Watched[];
  disturbances: readonly Disturbance[];
  judgements: Judgement[];
  samples: Samples;
  counts: Record<string, number>;
  refused: readonly { what: string; atMs: number }[];
  /** Of targets that failed, by subject. */
  requests: Record<string, readonly Request[]>;
  outages: readonly Outage[];
  incidents: readonly StoredIncident[];
  messages: readonly Message[];
}

export interface SoakRun {
  world: SoakWorld;
  settings: SoakSettings;
  signal: AbortSignal;
  print(line: string): void;
}

/** Runs load, outages and faults on a world that has started, lets everything settle, and judges it. */
export async function runSoak({ world, settings, signal, print }: SoakRun): Promise<SoakResult> {
  const { seed, minutes, monitors, paceMs, outageEveryMs, calmMs, pairs, longest, only } = settings;
  const startedMs = Date.now();
  await world.admit(monitors + 100);
  const watched = await watchTargets(world, seed, monitors);
  print(`${watched.length} monitors are watched; the faults begin in 20 s`);
  const spooled = new Set<string>();
  const samples: Samples = { processes: [], queues: [] };
  const down = new Set<string>();
  const reports: { what: string; atMs: number }[] = [];
  const disturbances: Disturbance[] = [];
  const agents = world.agents.map(({ agent }) => agent);
  const supervision = supervise(world, down);
  const churn = new Churn(world, { seed, paceMs });
  const over = new AbortController();
  const observing = (async () => {
    while (!over.signal.aborted) {
      await readSpools(agents, spooled);
      await takeSample(world, samples);
      await sleep(SAMPLE_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  const interrupted = () => signal.aborted;
  let toMs = 0;
  let fromMs = 0;
  try {
    churn.start();
    await sleep(20_000, undefined, { signal }).catch(() => {});
    fromMs = Date.now();
    const outages = runOutages(
      world,
      drawOutages({
        seed,
        subjects: watched.map(({ subject, kind }) => ({ subject, modes: MODES[kind] })),
        lastsMs: minutes * MINUTE_MS,
        everyMs: outageEveryMs,
        durationMs: [20_000, Math.min(300_000, 0.8 * minutes * MINUTE_MS)],
        restMs: 150_000,
      }),
    );
    const untilMs = fromMs + minutes * MINUTE_MS;
    const report = (what: string) => {
      print(`  !! ${what}`);
      reports.push({ what, atMs: Date.now() });
    };
    const rounds = drawRounds({
      seed,
      subjects: world.subjects,
      hasStandby: world.pair !== undefined,
      rounds: Math.ceil(minutes * ROUNDS_A_MINUTE),
      calmMs,
      pairs,
      longest,
      only,
    });
    await runFaults({ context: { world, down, report }, rounds, untilMs, signal, print, disturbances });
    await outages.stop();
    await churn.stop();
    print(interrupted() ? 'interrupted' : `the faults are over; ${SETTLE_MS / 1000} s to settle`);
    if (!interrupted()) await sleep(SETTLE_MS, undefined, { signal }).catch(() => {});
    toMs = Date.now() - 20_000;
    await waitForQuiet(world, agents, spooled, signal);
    await takeSample(world, samples);
    const [stored, requests] = [await readStored(world), await readRequests(world)];
    // DNS checks decide no availability, which is what the totals count.
    const available = watched.filter(({ kind }) => kind !== 'dns');
    const messages = readMessages(world.taken, world.mail.mails);
    const totals = await readTotals(world, available.slice(0, TOTALS_OF), stored.results, fromMs, toMs);
    const judgements = judgeRun({
      watched,
      requests,
      disturbances,
      agentsEach: 2,
      fromMs,
      toMs,
      outages: outages.done,
      incidents: stored.incidents,
      messages,
      channels: ['webhook', 'mail'],
      spooled,
      results: stored.results,
      livingKeys: stored.livingKeys,
      totals,
      writes: churn.writes,
      monitors: stored.monitors,
      processSamples: samples.processes,
      queueSamples: samples.queues,
      ends: supervision.ends,
      reports,
    });
    const counts = {
      'watched monitors': watched.length,
      faults: disturbances.length,
      'outages of targets': outages.done.length,
      'requests at targets': [...requests.values()].reduce((sum, own) => sum + own.length, 0),
      'stored results': stored.results.length,
      'results seen on disks': spooled.size,
      incidents: stored.incidents.length,
      webhooks: world.taken.length,
      mails: world.mail.mails.length,
      'changes over REST': churn.writes.length,
      'changes without an answer': churn.writes.filter(({ answeredMs }) => answeredMs === null).length,
    };
    const failed = new Set(outages.done.map(({ subject }) => subject));
    return {
      startedMs,
      endedMs: Date.now(),
      watched,
      disturbances,
      judgements,
      samples,
      counts,
      refused: churn.refused,
      requests: Object.fromEntries([...requests].filter(([subject]) => failed.has(subject))),
      outages: outages.done,
      incidents: stored.incidents,
      messages,
    };
  } finally {
    over.abort();
    supervision.stop();
    await churn.stop();
    await observing;
  }
}

/** Until everything that is on disks is stored, and no message waits, or for a while. */
async function waitForQuiet(
  world: SoakWorld,
  agents: Parameters<typeof readSpools>[0],
  spooled: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + QUIET_DEADLINE_MS;
  while (Date.now() < deadline && !signal.aborted) {
    const before = new Set(spooled);
    await sleep(4_000);
    const { results, livingKeys, waiting } = await readStored(world);
    if (waiting === 0 && judgeLostResults(before, results, livingKeys, livingKeys, []).findings.length === 0) return;
    await readSpools(agents, spooled);
  }
}
