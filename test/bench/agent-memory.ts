import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { HOUR_MS } from '@watchpost/shared/time';
import { httpCheck } from '../support/scripted-control-plane.js';
import { assign, startBenchAgent, unassignAll } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { cpuMs, residentBytes } from './process-usage.js';
import { heapQuestion } from './retained.js';

const BUILD = fileURLToPath(new URL('../../../scripts/build-agent.mjs', import.meta.url));
const SETTLE_MS = 1_500;
const IDLE_MS = 10_000;
const MEGABYTE = 1024 * 1024;
const AIM_BYTES = 3_000;

/** Measures the memory of an agent, the memory of each assigned check, and the cost of waiting. */
export async function benchAgentMemory(defer: Defer): Promise<BenchRow[]> {
  const bareNode = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  defer(() => bareNode.kill('SIGKILL'));
  const bundled = await startBenchAgent(defer, {}, 5_000, await bundle(defer));
  await sleep(SETTLE_MS * 2);
  const shipped = residentBytes(bundled.process.pid);
  bundled.process.kill('SIGTERM');
  const heap = heapQuestion(defer);
  const agent = await startBenchAgent(defer, heap.env);
  const { pid } = agent.process;
  await sleep(SETTLE_MS * 2);
  const idle = residentBytes(pid);
  const bare = residentBytes(bareNode.pid!);
  const empty = await heap.ask(agent.process);
  const withChecks = async (count: number) => {
    await assign(agent, laterChecks(count));
    await sleep(SETTLE_MS);
    return { resident: residentBytes(pid), retained: await heap.ask(agent.process) };
  };
  const ten = await withChecks(10_000);
  await sleep(SETTLE_MS);
  const before = cpuMs(pid);
  await sleep(IDLE_MS);
  const waiting = (cpuMs(pid) - before) / IDLE_MS;
  await unassignAll(agent);
  const sixty = await withChecks(60_000);
  const perCheck = (retained: number, count: number): number => (retained - empty) / count;
  const aim = { text: '<= 3,000 bytes', met: ({ value }: { value: number }) => value <= AIM_BYTES };
  return [
    benchRow({
      name: 'agent without checks, resident, as it is shipped: one file',
      value: shipped / MEGABYTE,
      unit: 'MB',
      yardstick: { name: 'bare Node', value: bare / MEGABYTE },
      aim: { text: '<= 75 MB', met: ({ value }) => value <= 75 },
    }),
    benchRow({ name: '  as compiled, with its modules', value: idle / MEGABYTE, unit: 'MB' }),
    benchRow({
      name: 'a scheduled check at the agent, of 10,000, retained',
      value: perCheck(ten.retained, 10_000),
      unit: 'bytes',
      aim,
    }),
    benchRow({
      name: 'a scheduled check at the agent, of 60,000, retained',
      value: perCheck(sixty.retained, 60_000),
      unit: 'bytes',
      aim,
    }),
    benchRow({ name: 'agent with 10,000 checks, resident', value: ten.resident / MEGABYTE, unit: 'MB' }),
    benchRow({ name: 'agent with 60,000 checks, resident', value: sixty.resident / MEGABYTE, unit: 'MB' }),
    benchRow({
      name: 'agent with 10,000 checks, none of them due: CPU',
      value: waiting * 100,
      unit: '% of a core',
      aim: { text: '<= 1 %', met: ({ value }) => value <= 1 },
    }),
  ];
}

/** @returns the file that `npm run build:agent` builds from the compiled sources */
async function bundle(defer: Defer): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-bench-agent-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const options = ['--bundle-only', '--compiled', '--out', folder];
  await promisify(execFile)(process.execPath, [BUILD, ...options], { timeout: 30_000 });
  return join(folder, 'watchpost-agent.mjs');
}

/** Checks that are due in half an hour, each with a different URL. */
function laterChecks(count: number): CheckSpec[] {
  const dueMs = (Date.now() + HOUR_MS / 2) % HOUR_MS;
  return Array.from({ length: count }, (_, index) =>
    httpCheck(index + 1, `https://site-${index}.example.com/health`, {
      intervalMs: HOUR_MS,
      timeoutMs: 30_000,
      phaseMs: (dueMs + index) % HOUR_MS,
    }),
  );
}
