import { setTimeout as sleep } from 'node:timers/promises';
import { schedulePhaseMs } from '@watchpost/shared/check';
import { OutcomeKind, type CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { MINUTE_MS } from '@watchpost/shared/time';
import { httpCheck } from '../support/scripted-control-plane.js';
import { assign, startBenchAgent, startBenchTarget, unassignAll } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile, median } from './figures.js';
import { cpuMs } from './process-usage.js';

const WINDOW_MS = 4_000;
const WINDOWS = 3;
const SETTLE_MS = 3_000;
/** Time for the last results to arrive. */
const DONE_WITHIN_MS = 3_000;
const AIM_MS = 3;

/**
 * Measures the start lag of real HTTP checks on one agent, at 60,000 checks a minute and then at half a core. Phases are
 * hashed as in the product, so that several checks are due in the same millisecond.
 */
export async function benchStartLag(defer: Defer): Promise<BenchRow[]> {
  const target = await startBenchTarget(defer);
  const agent = await startBenchAgent(defer, target.trust, WINDOW_MS);
  const measure = async (perSecond: number) => {
    const checks = hashedChecks(target.http, perSecond);
    await assign(agent, checks);
    await sleep(SETTLE_MS);
    const { heartbeats, received } = agent.plane;
    const [beats, before, fromMs] = [heartbeats.length, cpuMs(agent.process.pid), Date.now()];
    await sleep((WINDOWS + 1) * WINDOW_MS);
    const cores = (cpuMs(agent.process.pid) - before) / (Date.now() - fromMs);
    const toMs = Date.now();
    await sleep(DONE_WITHIN_MS);
    // The first heartbeat also covers a time before the window.
    const p99s = heartbeats.slice(beats + 1, beats + 1 + WINDOWS).map(({ lagP99Us }) => lagP99Us / 1_000);
    const inWindow = received.filter(({ result: { scheduledAtMs: due } }) => due >= fromMs && due < toMs);
    const result = {
      p99: median(p99s),
      cores,
      perSecond: (inWindow.length * 1_000) / (toMs - fromMs),
      loopP99: quantile(
        inWindow.map(({ result }) => result.loopLagUs / 1_000),
        0.99,
      ),
      astray: 0,
    };
    const due = checks.filter(({ phaseMs }) => isDueBetween(phaseMs, fromMs, toMs)).length;
    const well = inWindow.filter(({ result }) => result.outcome === OutcomeKind.OUTCOME_KIND_UP).length;
    result.astray = due - well;
    await unassignAll(agent);
    await sleep(1_000);
    received.length = 0;
    return result;
  };
  const full = await measure(1_000);
  // A check costs more at a lower rate, so that the rate is chosen for 0.45 of a core instead of 0.5.
  const half = full.cores <= 0.5 ? full : await measure(Math.floor((0.45 / full.cores) * 20) * 50);
  const share = (of: typeof full): string => `${Math.round(of.perSecond)}/s, ${Math.round(of.cores * 100)} % of a core`;
  return [
    benchRow({ name: `start lag p99, 1,000 checks/s on one agent (${share(full)})`, value: full.p99, unit: 'ms' }),
    benchRow({
      name: `start lag p99 at half a core (${share(half)})`,
      value: half.p99,
      unit: 'ms',
      aim: { text: `<= ${AIM_MS} ms`, met: ({ value }) => value <= AIM_MS },
    }),
    benchRow({
      name: 'longest event-loop delay during a check, p99, at half a core',
      value: half.loopP99,
      unit: 'ms',
      aim: { text: '<= 2 ms', met: ({ value }) => value <= 2 },
    }),
    benchRow({
      name: 'checks that were due then and missed or late',
      value: half.astray,
      unit: 'checks',
      aim: { text: 'none', met: ({ value }) => value === 0 },
    }),
    benchRow({
      name: 'CPU of a check at that pace, agent all in',
      value: (half.cores / half.perSecond) * 1e6,
      unit: 'µs',
    }),
  ];
}

function hashedChecks(url: string, perSecond: number): CheckSpec[] {
  return Array.from({ length: perSecond * 60 }, (_, index) => {
    const phaseMs = schedulePhaseMs({ monitorKey: index + 1, kind: 'http' }, 'northeurope', MINUTE_MS);
    return httpCheck(index + 1, url, { intervalMs: MINUTE_MS, timeoutMs: 10_000, phaseMs });
  });
}

function isDueBetween(phaseMs: number, fromMs: number, toMs: number): boolean {
  return Math.ceil((fromMs - phaseMs) / MINUTE_MS) < Math.ceil((toMs - phaseMs) / MINUTE_MS);
}
