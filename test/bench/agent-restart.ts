import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { assign, evenChecks, startBenchAgent, startBenchTarget } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';

const CHECKS = 10_000;
const PER_SECOND = CHECKS / 60;
const AIM_SECONDS = 5;

/**
 * Kills and restarts an agent with 10,000 checks a minute, and measures the time until it checks as before and has
 * caught up with all missed checks.
 */
export async function benchAgentRestart(defer: Defer): Promise<BenchRow[]> {
  const target = await startBenchTarget(defer);
  const agent = await startBenchAgent(defer, target.trust);
  const { received } = agent.plane;
  await assign(agent, evenChecks(target.http, PER_SECOND));
  await sleep(4_000);
  agent.process.kill('SIGKILL');
  await agent.process.ended(5_000);
  await sleep(1_000);
  received.length = 0;
  const startedMs = Date.now();
  agent.process = agent.home.start();
  await eventually('results come again', () => received.length > PER_SECOND * 5 || undefined, 30_000, 50);
  await sleep(1_000);
  const times = received.map(({ result }) => ({
    due: Number(result.scheduledAtMs),
    started: Number(result.startedAtMs),
  }));
  // The results from before the kill come from the spool.
  const afterwards = times.filter(({ started }) => started >= startedMs);
  const missed = afterwards.filter(({ due }) => due < startedMs);
  const first = Math.min(...afterwards.map(({ started }) => started)) - startedMs;
  const caughtUp = Math.max(first, ...missed.map(({ started }) => started - startedMs));
  return [
    benchRow({ name: 'agent with 10,000 checks killed and started: first check', value: first / 1_000, unit: 's' }),
    benchRow({
      name: 'the same: all checks on schedule again, missed ones made up for',
      value: caughtUp / 1_000,
      unit: 's',
      aim: { text: `<= ${AIM_SECONDS} s`, met: ({ value }) => value <= AIM_SECONDS },
    }),
  ];
}
