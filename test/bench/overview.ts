import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median, quantile } from './figures.js';
import { ask, forked } from './forked.js';
import { databaseOf, openWorkspace } from './load-monitors.js';
import { loadLargeWorkspace } from './overview-load.js';
import { treeCpuMs } from './process-usage.js';

const MONITORS = 5_000;
const PAGE = 50;
const TURNS = 10;
/** Of each kind in a turn, one after the other. */
const REQUESTS = 15;
const WARM_UP = 60;
const IDLE_MS = 3_000;
const AIM_MS = 50;
const AIM_CPU_MS = 25;

interface Called {
  name: string;
  url: string;
  headers: Record<string, string>;
  times: number[];
  /** Medians of the turns. */
  turns: number[];
  cpuMs: { node: number; postgres: number };
}

/**
 * Measures what the first screen of the console reads in a workspace with 5,000 monitors in three regions: the overview, the
 * first page of the list, and the charts of that page. One request at a time, in turns with an empty Koa route. CPU is that of
 * the control plane and PostgreSQL without what they use while nothing is requested.
 */
export async function benchOverview(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  const { pageIds } = await loadLargeWorkspace(product, client, workspaceId, MONITORS, PAGE);
  const { port } = await ask<{ port: number }>(forked('empty-koa.js', defer));

  const claims = { email: 'user-1@example.test', email_verified: true };
  const headers = {
    authorization: `Bearer ${await product.issuer.token({ sub: 'user-1', expiresIn: 3_600, claims })}`,
  };
  const of = (name: string, url: string, own: Record<string, string> = headers): Called => ({
    name,
    url,
    headers: own,
    times: [],
    turns: [],
    cpuMs: { node: 0, postgres: 0 },
  });
  const api = `${product.baseUrl}/api/v1`;
  const charts = pageIds.map((id) => `monitorId=${id}`).join('&');
  const empty = of('empty Koa route', `http://127.0.0.1:${port}/`, {});
  const called = [
    of('overview', `${api}/overview`),
    of('monitors, worst first', `${api}/monitor?sort=health&pageSize=${PAGE}`),
    of(`charts of ${PAGE} monitors`, `${api}/monitor-charts?${charts}`),
  ];
  const http = new Agent({ keepAlive: true });
  defer(() => http.destroy());
  const root = product.controlPlane.pid;
  for (let index = 0; index < WARM_UP; index++) for (const one of [...called, empty]) await request(one, http);

  const idle = await cpuOf(root, () => sleep(IDLE_MS));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const one of [...called, empty]) {
      const times: number[] = [];
      const used = await cpuOf(root, async () => {
        for (let count = 0; count < REQUESTS; count++) times.push(await request(one, http));
      });
      one.times.push(...times);
      one.turns.push(median(times));
      const share = used.wallMs / idle.wallMs;
      one.cpuMs.node += used.node - idle.node * share;
      one.cpuMs.postgres += used.postgres - idle.postgres * share;
    }
  }
  return called.flatMap((one) => rowsOf(one, empty));
}

function rowsOf(one: Called, empty: Called): BenchRow[] {
  const at = (fraction: number) => quantile(one.times, fraction);
  const yardstick = (fraction: number) => ({
    name: `empty Koa route, p${fraction * 100}`,
    value: quantile(empty.times, fraction),
  });
  const perRequest = (cpuMs: number) => cpuMs / (TURNS * REQUESTS);
  const isOverview = one.name === 'overview';
  const aim = (most: number) =>
    isOverview ? { aim: { text: `<= ${most} ms`, met: ({ value }: { value: number }) => value <= most } } : {};
  return [
    benchRow({
      name: `${MONITORS.toLocaleString('en')} monitors, 3 regions, ${one.name}: p50`,
      value: at(0.5),
      unit: 'ms',
      yardstick: yardstick(0.5),
    }),
    benchRow({ name: '  p95', value: at(0.95), unit: 'ms', yardstick: yardstick(0.95), ...aim(AIM_MS) }),
    benchRow({ name: `  slowest median of ${TURNS} turns`, value: Math.max(...one.turns), unit: 'ms' }),
    benchRow({ name: '  quickest', value: Math.min(...one.turns), unit: 'ms' }),
    benchRow({
      name: '  CPU of a request',
      value: perRequest(one.cpuMs.node + one.cpuMs.postgres),
      unit: 'ms',
      ...aim(AIM_CPU_MS),
    }),
    benchRow({ name: '  of which PostgreSQL', value: perRequest(one.cpuMs.postgres), unit: 'ms' }),
  ];
}

async function cpuOf(root: number, work: () => Promise<unknown>) {
  const before = treeCpuMs(root);
  const startedMs = performance.now();
  await work();
  const after = treeCpuMs(root);
  const used = (program: string) => (after.get(program) ?? 0) - (before.get(program) ?? 0);
  return { node: used('node'), postgres: used('postgres'), wallMs: performance.now() - startedMs };
}

function request({ url, headers }: Called, agent: Agent): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedMs);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.once('error', reject);
  });
}
