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

/** A real agent process, and a control plane in this one that gives it checks over the real wire. */
export interface BenchAgent {
  plane: ScriptedControlPlane;
  home: AgentHome;
  process: ManagedProcess;
  /** What the agent serves on `/metrics`, by name; those without labels. */
  metric(name: string): Promise<number>;
}

/** A message of assignments holds so many checks, as the product's do. */
const CHUNK = 500;

/** Started with nothing to check. @param entry the program, where it is not the compiled sources */
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

/** Gives an agent checks, and waits until it has them. */
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

/** So many checks of one URL a second, at even distances, each at the shortest interval that the product takes. */
export function evenChecks(url: string, perSecond: number, intervalMs = 60_000): CheckSpec[] {
  const count = Math.round((perSecond * intervalMs) / 1_000);
  return Array.from({ length: count }, (_, index) =>
    httpCheck(index + 1, url, { intervalMs, timeoutMs: 10_000, phaseMs: Math.floor((index * intervalMs) / count) }),
  );
}

/** The target in a process of its own, and the environment that makes an agent trust it. */
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
