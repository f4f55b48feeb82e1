import { setTimeout as sleep } from 'node:timers/promises';
import { OutcomeKind } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { assign, evenChecks, startBenchAgent, startBenchTarget, unassignAll } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median, rangeOf } from './figures.js';
import { ask, forked } from './forked.js';
import type { Cost, Load } from './probe-load.js';
import { cpuMs } from './process-usage.js';
import { settleSeconds, WARM_UP } from './warm-up.js';

/** The agent and the yardstick run at the same time and the median ratio of all turns counts, so that noise affects both or is left out. */
const TURNS = 9;
/** Time for the last results to arrive. */
const ARRIVED_WITHIN_MS = 1_500;
/** A garbage collection, about every 6 s, is a small part of it. */
const SECONDS = 6;
/** Short enough that each check runs before the measurement, which leaves out the work that is done once for each check. */
const INTERVAL_MS = 10_000;
const UP = OutcomeKind.OUTCOME_KIND_UP;

/** Measures the CPU time of one check in the whole agent (schedule, probe, spool, stream), compared with bare sockets at the same rate. */
export async function benchAgentCost(defer: Defer): Promise<BenchRow[]> {
  const target = await startBenchTarget(defer);
  const compare = async (name: string, url: string, perSecond: number): Promise<BenchRow> => {
    const agent = await startBenchAgent(defer, target.trust);
    const bare = forked('probe-load.js', defer);
    // The agent's checks are due at whole times of the wall clock.
    const load: Load = { way: 'bare', url, rootPem: target.rootPem, perSecond, seconds: SECONDS, at: 0.5 };
    const checks = evenChecks(url, perSecond, INTERVAL_MS);
    const costs = { agent: [] as number[], bare: [] as number[] };
    const settled = ask<Cost>(bare, { ...load, seconds: settleSeconds(url) });
    await assign(agent, evenChecks(url, perSecond * WARM_UP.faster));
    await sleep(WARM_UP.seconds * 1_000);
    await unassignAll(agent);
    await assign(agent, checks);
    await settled;
    for (let turn = 0; turn < TURNS; turn++) {
      agent.plane.received.length = 0;
      const before = cpuMs(agent.process.pid);
      const fromMs = Date.now();
      const { cpuUsPerCheck, failed } = await ask<Cost>(bare, load);
      const used = cpuMs(agent.process.pid) - before;
      const toMs = Date.now();
      if (failed > 0) throw new Error(`${failed} bare requests failed`);
      costs.bare.push(cpuUsPerCheck);
      await sleep(ARRIVED_WITHIN_MS);
      const done = agent.plane.received.filter(({ result }) => within(Number(result.scheduledAtMs), fromMs, toMs));
      const bad = done.find(({ result }) => result.outcome !== UP)?.result;
      if (bad) throw new Error(`a check of the agent failed: ${bad.reason}, ${bad.message}`);
      costs.agent.push((used * 1_000) / done.length);
    }
    agent.process.kill('SIGTERM');
    await agent.process.ended(20_000);
    const ratios = costs.agent.map((cost, turn) => cost / costs.bare[turn]!);
    const ratio = median(ratios);
    const row = benchRow({
      name: `${name} (${rangeOf(ratios, 'x')})`,
      value: median(costs.agent),
      unit: 'µs',
      yardstick: { name: 'bare sockets at the same pace', value: median(costs.bare) },
    });
    return { ...row, ratio, aim: '<= 1.15x', met: ratio <= 1.15 };
  };
  return [
    await compare('agent all in, HTTP check, 75/s: CPU', target.http, 75),
    await compare('agent all in, HTTPS check, 50/s: CPU', target.https, 50),
  ];
}

function within(atMs: number, fromMs: number, toMs: number): boolean {
  return atMs >= fromMs && atMs < toMs;
}
