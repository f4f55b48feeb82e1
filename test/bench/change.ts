import { HOME_REGION } from '@watchpost/shared/region';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { ListeningAgent } from './listening-agent.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';

const MONITORS = 10_000;
const CHANGES = 200;
const EVERY_MS = 50;
const AIM_MS = 500;

/**
 * Measures the time from sending a change over REST until the agent has it, with 10,000 monitors assigned, and the time
 * that the control plane needs to send all assignments to a new agent.
 */
export async function benchChange(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  const { token } = await product.createAgent(HOME_REGION, 'bench');
  await loadMonitors(client, workspaceId, MONITORS, 'http://127.0.0.1:9/');
  const { rows } = await client.query<{ id: string; key: string }>(
    'SELECT id, key FROM monitor ORDER BY key LIMIT $1',
    [CHANGES],
  );

  const connectedMs = performance.now();
  const agent = listen(product.grpcPort, token, defer);
  await eventually('the agent has everything', () => (agent.checks.size === MONITORS ? true : undefined), 30_000, 5);
  const snapshotMs = performance.now() - connectedMs;
  await sleep(2_000);

  // Signs the user in and warms up the code.
  await product.api('GET', `/api/v1/monitor/${rows[0]!.id}`);
  const answers: number[] = [];
  const latencies = await Promise.all(
    rows.map(async ({ id, key }, index) => {
      await sleep(index * EVERY_MS);
      const url = `http://127.0.0.1:9/changed/${index}`;
      const startedMs = performance.now();
      const arrived = agent.sees(Number(key), url);
      const { status, body } = await product.api('PUT', `/api/v1/monitor/${id}`, { url });
      if (status !== 200) throw new Error(`a change was answered with ${status}: ${JSON.stringify(body)}`);
      answers.push(performance.now() - startedMs);
      return (await arrived) - startedMs;
    }),
  );
  return [
    benchRow({
      name: `change over REST at the agent, ${1_000 / EVERY_MS}/s, p50`,
      value: quantile(latencies, 0.5),
      unit: 'ms',
    }),
    benchRow({
      name: `change over REST at the agent, ${1_000 / EVERY_MS}/s, p99`,
      value: quantile(latencies, 0.99),
      unit: 'ms',
      yardstick: { name: 'its own answer over REST, p99', value: quantile(answers, 0.99) },
      aim: { text: `<= ${AIM_MS} ms`, met: ({ value }) => value <= AIM_MS },
    }),
    benchRow({
      name: 'a new agent receives 10,000 checks',
      value: snapshotMs / 1_000,
      unit: 's',
      aim: { text: '<= 5 s', met: ({ value }) => value <= 5 },
    }),
  ];
}

/** An agent that records when each change arrives. */
function listen(port: number, token: string, defer: Defer) {
  const awaited = new Map<number, { url: string; arrived: (atMs: number) => void }>();
  const agent = new ListeningAgent(port, token, (key, url) => {
    if (awaited.get(key)?.url === url) awaited.get(key)!.arrived(performance.now());
  });
  defer(() => agent.close());
  return {
    checks: agent.checks,
    sees: (key: number, url: string) => new Promise<number>((arrived) => awaited.set(key, { url, arrived })),
  };
}
