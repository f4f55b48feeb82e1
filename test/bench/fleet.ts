import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXTRA_REGIONS, HOME_REGION } from '@watchpost/shared/region';
import type pg from 'pg';
import { eventually } from '../support/eventually.js';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import type { FleetAnswer, FleetOrder } from './fleet-load.js';
import { forked } from './forked.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';
import { makeAgents } from './make-agents.js';
import { cpuMs, residentBytes } from './process-usage.js';
import { heapQuestion } from './retained.js';

const REGIONS = [HOME_REGION, ...EXTRA_REGIONS.slice(0, 4)];
const AGENTS = 500;
const CHECKS = 100_000;
const PROCESSES = 2;
const CHANGES = 60;
const EVERY_MS = 200;
const URL = 'http://127.0.0.1:9/';

/**
 * Connects a fleet of agents, which run no checks, to one control-plane process at once. Measures the cost of a check for
 * that process, and the time until the agents of all regions have a change.
 */
export async function benchFleet(defer: Defer): Promise<BenchRow[]> {
  const heap = heapQuestion(defer);
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info', ...heap.env } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  const { pid } = product.controlPlane;
  const before = { heap: await heap.ask(product.controlPlane), resident: residentBytes(pid) };
  await loadMonitors(client, workspaceId, CHECKS / REGIONS.length, URL, REGIONS.slice(1));
  const tokens = (await makeAgents(client, AGENTS, REGIONS)).map(({ token }) => token);
  const crowd = Array.from({ length: PROCESSES }, () => forked('fleet-load.js', defer));

  const connectedMs = performance.now();
  const idleCpuMs = cpuMs(pid);
  for (const [index, child] of crowd.entries()) {
    const own = tokens.filter((_, place) => place % PROCESSES === index);
    sendOrder(child, { kind: 'connect', port: product.grpcPort, tokens: own });
  }
  let counts: number[] = [];
  await eventually(
    'every check is at one agent',
    async () => {
      counts = (await Promise.all(crowd.map(count))).flat();
      const sum = counts.reduce((all, own) => all + own, 0);
      return (sum === CHECKS && counts.every((own) => own > 0)) || undefined;
    },
    75_000,
    50,
  );
  const assignedMs = performance.now() - connectedMs;
  const usedCpuMs = cpuMs(pid) - idleCpuMs;
  await sleep(3_000);
  const after = { heap: await heap.ask(product.controlPlane), resident: residentBytes(pid) };

  const latencies = await changes(product.api, client, crowd);
  return [
    benchRow({
      name: `${AGENTS} agents connect at once, ${CHECKS.toLocaleString('en')} checks: all assigned`,
      value: assignedMs / 1_000,
      unit: 's',
    }),
    benchRow({ name: '  CPU of the control plane until then', value: usedCpuMs / 1_000, unit: 's' }),
    benchRow({ name: '  most checks of one agent', value: Math.max(...counts), unit: 'checks' }),
    benchRow({
      name: 'a check at the control plane, with its share of connections, retained',
      value: (after.heap - before.heap) / CHECKS,
      unit: 'bytes',
      aim: { text: '<= 1,000 bytes', met: ({ value }) => value <= 1_000 },
    }),
    benchRow({ name: '  resident', value: (after.resident - before.resident) / CHECKS, unit: 'bytes' }),
    benchRow({
      name: `change over REST at the agents of ${REGIONS.length} regions, p50`,
      value: quantile(latencies, 0.5),
      unit: 'ms',
    }),
    benchRow({
      name: `change over REST at the agents of ${REGIONS.length} regions, p99`,
      value: quantile(latencies, 0.99),
      unit: 'ms',
      aim: { text: '<= 500 ms', met: ({ value }) => value <= 500 },
    }),
  ];
}

/** @returns for each change the time from sending it until the last of the monitor's agents has it, in ms */
async function changes(
  api: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>,
  client: pg.Client,
  crowd: readonly ChildProcess[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: string; key: string }>(
    'SELECT id, key FROM monitor ORDER BY key LIMIT $1',
    [CHANGES],
  );
  const arrivals = new Map<string, { left: number; arrived: (atMs: number) => void }>();
  const listener = (answer: FleetAnswer): void => {
    const waiting = answer.kind === 'arrived' ? arrivals.get(answer.url) : undefined;
    if (answer.kind === 'arrived' && waiting && --waiting.left === 0) waiting.arrived(answer.atMs);
  };
  for (const child of crowd) child.on('message', listener);
  // Signs the user in and warms up the code.
  await api('GET', `/api/v1/monitor/${rows[0]!.id}`);
  return await Promise.all(
    rows.map(async ({ id, key }, index) => {
      await sleep(index * EVERY_MS);
      const url = `${URL}changed/${index}`;
      const arrived = new Promise<number>((resolve) => {
        arrivals.set(url, { left: REGIONS.length, arrived: resolve });
      });
      for (const child of crowd) sendOrder(child, { kind: 'watch', monitorKey: Number(key), url });
      // The answer to a count shows that the process has read the order before it.
      await Promise.all(crowd.map(count));
      const sentMs = performance.timeOrigin + performance.now();
      const { status, body } = await api('PUT', `/api/v1/monitor/${id}`, { url });
      if (status !== 200) throw new Error(`a change was answered with ${status}: ${JSON.stringify(body)}`);
      return (await arrived) - sentMs;
    }),
  );
}

function sendOrder(child: ChildProcess, order: FleetOrder): void {
  child.send(order);
}

async function count(child: ChildProcess): Promise<readonly number[]> {
  sendOrder(child, { kind: 'count' });
  for (;;) {
    const [answer] = (await once(child, 'message')) as [FleetAnswer];
    if (answer.kind === 'counts') return answer.checks;
  }
}
