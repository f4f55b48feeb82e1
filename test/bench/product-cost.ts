import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_REGION } from '@watchpost/shared/region';
import type pg from 'pg';
import { AgentHome } from '../support/agent-process.js';
import { eventually } from '../support/eventually.js';
import { startProduct } from '../support/product.js';
import { startBenchTarget } from './bench-agent.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { ask, forked } from './forked.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';
import type { Cost } from './probe-load.js';
import { cpuMs, treeCpuMs } from './process-usage.js';
import { heapQuestion } from './retained.js';

const HTTP_PER_SECOND = 75;
const HTTPS_PER_SECOND = 50;
const SETTLE_MS = 5_000;
const MEASURED_MS = 10_000;
const BARE_SECONDS = 4;
/** Shorter intervals during the warm-up, so that all code is optimised: see `probe-load.ts`. */
const WARM_UP = { faster: 5, ms: 10_000 };
/** Time for the last results to arrive. */
const STORED_WITHIN_MS = 2_000;

/**
 * Measures the CPU time of one check in agent, control plane and PostgreSQL as real processes, with the monitors in the
 * database and durably stored results, and the memory of an assigned check in the control plane.
 */
export async function benchProductCost(defer: Defer): Promise<BenchRow[]> {
  const target = await startBenchTarget(defer);
  const heap = heapQuestion(defer);
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info', ...heap.env } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  const { token } = await product.createAgent(HOME_REGION, 'bench');
  const home = new AgentHome({
    CONTROL_PLANE_URL: `http://127.0.0.1:${product.grpcPort}`,
    AGENT_TOKEN: token,
    LOG_LEVEL: 'info',
    ...target.trust,
  });
  defer(() => home.dispose());
  const agent = home.start();
  await eventually(
    'the agent connects',
    () => (agent.output().includes('connected to the control plane') ? true : undefined),
    20_000,
  );
  await sleep(1_000);
  const heapEmpty = await heap.ask(product.controlPlane);
  const monitors = HTTP_PER_SECOND * 60;
  await loadMonitors(client, workspaceId, monitors, target.http);
  await eventually(
    'the agent has its checks',
    async () =>
      /^watchpost_checks_scheduled 4500$/m.test(await (await home.ask(agent, '/metrics')).text()) || undefined,
    30_000,
  );
  await sleep(4_000);
  const heapFull = await heap.ask(product.controlPlane);

  const warmUp = async (): Promise<void> => {
    await client.query('UPDATE monitor SET check_interval_ms = check_interval_ms / $1', [WARM_UP.faster]);
    await sleep(WARM_UP.ms);
    await client.query('UPDATE monitor SET check_interval_ms = check_interval_ms * $1', [WARM_UP.faster]);
    await sleep(SETTLE_MS);
  };
  const measure = async (name: string, url: string, perSecond: number, aimMs: number): Promise<BenchRow[]> => {
    const used = await costOf(client, agent.pid, product.controlPlane.pid);
    const bare = forked('probe-load.js', defer);
    const yardstick = await ask<Cost>(bare, {
      way: 'bare',
      url,
      rootPem: target.rootPem,
      perSecond,
      seconds: BARE_SECONDS,
    });
    bare.disconnect();
    const ms = (of: number): number => of / used.checks;
    const note = (part: string, of: number): BenchRow =>
      benchRow({ name: `  of which ${part}`, value: ms(of), unit: 'ms' });
    return [
      benchRow({
        name: `whole product, ${name} check, ${perSecond}/s: CPU`,
        value: ms(used.agent + used.controlPlane + used.postgres),
        unit: 'ms',
        yardstick: { name: 'bare sockets, probe only', value: yardstick.cpuUsPerCheck / 1_000 },
        aim: { text: `<= ${aimMs} ms`, met: ({ value }) => value <= aimMs },
      }),
      note('agent', used.agent),
      note('control plane', used.controlPlane),
      note('PostgreSQL', used.postgres),
    ];
  };
  await warmUp();
  // The yardstick runs at the same time as the product, so that shared resources slow both down equally.
  const http = await measure('HTTP', target.http, HTTP_PER_SECOND, 1.5);
  const kept = HTTPS_PER_SECOND * 60;
  await client.query(
    `WITH kept AS (SELECT key, row_number() OVER (ORDER BY key) AS number FROM monitor)
     UPDATE monitor SET url = $1, monitoring_status = CASE WHEN number <= $2 THEN 'enabled' ELSE 'paused' END
     FROM kept WHERE kept.key = monitor.key`,
    [target.https, kept],
  );
  await eventually(
    'the agent has its other checks',
    async () =>
      new RegExp(`^watchpost_checks_scheduled ${kept}$`, 'm').test(await (await home.ask(agent, '/metrics')).text()) ||
      undefined,
    30_000,
  );
  await warmUp();
  const https = await measure('HTTPS', target.https, HTTPS_PER_SECOND, 4.2);
  return [
    ...http,
    ...https,
    benchRow({
      name: 'an assigned check at the control plane, retained',
      value: (heapFull - heapEmpty) / monitors,
      unit: 'bytes',
      aim: { text: '<= 1,000 bytes', met: ({ value }) => value <= 1_000 },
    }),
  ];
}

async function costOf(client: pg.Client, agentPid: number, controlPlanePid: number) {
  const now = () => ({ agent: cpuMs(agentPid), product: treeCpuMs(controlPlanePid) });
  const [before, fromMs] = [now(), Date.now()];
  await sleep(MEASURED_MS);
  const [after, toMs] = [now(), Date.now()];
  await sleep(STORED_WITHIN_MS);
  const { rows } = await client.query<{ checks: number; failed: number }>(
    `SELECT count(*)::integer AS checks, count(*) FILTER (WHERE outcome <> 1)::integer AS failed
     FROM check_result WHERE scheduled_at >= $1 AND scheduled_at < $2`,
    [new Date(fromMs), new Date(toMs)],
  );
  const { checks, failed } = rows[0]!;
  if (checks === 0 || failed > 0) throw new Error(`${failed} of ${checks} checks failed`);
  const of = (name: string): number => (after.product.get(name) ?? 0) - (before.product.get(name) ?? 0);
  return { checks, agent: after.agent - before.agent, controlPlane: of('node'), postgres: of('postgres') };
}
