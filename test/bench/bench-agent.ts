import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import type { CheckSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { AgentHome } from '../support/agent-process.js';
import { eventually } from '../support/eventually.js';
import type { ManagedProcess } from '../support/managed-process.js';
import { httpCheck, ScriptedControlPlane } from '../support/scripted-control-plane.js';
import type { Defer } from './bench.js';
import { ask, forked } from './forked.js';
import type { TargetPlaces } from './probe-target.js';

/** A real agent process, and a control plane in this process that assigns checks to it over the real wire. */
export interface BenchAgent {
  plane: ScriptedControlPlane;
  home: AgentHome;
  process: ManagedProcess;
  metric(name: string): Promise<number>;
}

/** The number of checks in one message of assignments, as in the product. */
const CHUNK = 500;

/** Starts an agent without checks. @param entry the program, by default that of this version */
export async function startBenchAgent(
  defer: Defer,
  env: Readonly<Record<string, string>> = {},
  heartbeatMs = 5_000,
  entry?: string,
): Promise<BenchAgent> {
  const plane = new ScriptedControlPlane();
  plane.heartbeatMs = heartbeatMs;
  await plane.start();
  defer(() => plane.stop());
  const settings = { CONTROL_PLANE_URL: `http://127.0.0.1:${plane.port}`, LOG_LEVEL: 'info', ...env };
  const home = new AgentHome(settings, undefined, entry);
  defer(() => home.dispose());
  const process = home.start();
  const agent: BenchAgent = {
    plane,
    home,
    process,
    async metric(name) {
      const text = await (await home.ask(agent.process, '/metrics')).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? NaN);
    },
  };
  await eventually('the agent connects', () => plane.connected || undefined, 15_000, 20);
  return agent;
}

/** Assigns checks to an agent and waits until it has them. */
export async function assign(agent: BenchAgent, checks: readonly CheckSpec[]): Promise<void> {
  for (let from = 0; from < checks.length; from += CHUNK) agent.plane.change(checks.slice(from, from + CHUNK));
  await scheduled(agent, agent.plane.checks.length);
}

export async function unassignAll(agent: BenchAgent): Promise<void> {
  agent.plane.change([], agent.plane.checks);
  await scheduled(agent, 0);
}

async function scheduled(agent: BenchAgent, count: number): Promise<void> {
  const name = 'watchpost_checks_scheduled';
  await eventually(
    `${count} checks scheduled`,
    async () => ((await agent.metric(name)) === count ? true : undefined),
    30_000,
    50,
  );
}

/** Checks of one URL at this rate per second, evenly distributed, each with the shortest interval of the product. */
export function evenChecks(url: string, perSecond: number, intervalMs = 60_000): CheckSpec[] {
  const count = Math.round((perSecond * intervalMs) / 1_000);
  return Array.from({ length: count }, (_, index) =>
    httpCheck(index + 1, url, { intervalMs, timeoutMs: 10_000, phaseMs: Math.floor((index * intervalMs) / count) }),
  );
}

/** Starts the target in a separate process. @returns it with the environment that makes an agent trust it */
export async function startBenchTarget(
  defer: Defer,
): Promise<TargetPlaces & { trust: { NODE_EXTRA_CA_CERTS: string }; process: ChildProcess }> {
  const process = forked('probe-target.js', defer);
  const places = await ask<TargetPlaces>(process);
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-bench-'));
  defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'root.pem');
  writeFileSync(file, places.rootPem);
  return { ...places, trust: { NODE_EXTRA_CA_CERTS: file }, process };
}
