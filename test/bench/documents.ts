import { stringify } from 'yaml';
import { type Product, startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median } from './figures.js';
import { databaseOf, openWorkspace } from './load-monitors.js';
import { treeCpuMs } from './process-usage.js';

const MONITORS = 500;
const GROUPS = 20;
const TEAMS = 5;
const PAGES = 3;
const CHANGED = 50;
const TURNS = 3;

/**
 * Measures plan, apply and export of a workspace of 500 monitors, 20 service groups, 5 teams and 3 status pages, as a client
 * sends them: a text in YAML over REST. The same monitors are created one by one over REST, as the yardstick. CPU is that of the
 * control plane and PostgreSQL: one works after the other, so it is the time on a machine without other work.
 */
export async function benchDocuments(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  await openWorkspace(product, client);
  const { body: user } = await product.api<{ email: string }>('GET', '/api/v1/user');
  const document = (interval: string) => documentOf(user.email, interval);
  const cpuMs = () => [...treeCpuMs(product.controlPlane.pid).values()].reduce((sum, ms) => sum + ms, 0);
  const measured = async <Result>(work: () => Promise<Result>) => {
    const [startedMs, fromCpuMs] = [performance.now(), cpuMs()];
    const result = await work();
    return { ms: performance.now() - startedMs, cpuMs: cpuMs() - fromCpuMs, result };
  };
  const took = async (verb: 'plan' | 'apply', value: object) => {
    const text = stringify(value);
    const { result, ...times } = await measured(() => send(product, verb, text));
    return { ...times, summary: result };
  };

  const { monitors } = document('PT1M');
  const created = await measured(() => createOneByOne(product, monitors));
  const deleted = await product.api('POST', '/api/v1/monitor/bulk', { monitorIds: created.result, action: 'delete' });
  if (deleted.status !== 200) throw new Error(`deleting the monitors was answered with ${deleted.status}`);
  const firstPlan = await took('plan', document('PT1M'));
  const applied = await took('apply', document('PT1M'));
  requireSummary(applied.summary, { create: MONITORS + GROUPS + TEAMS + PAGES });
  type Times = { ms: number; cpuMs: number }[];
  const unchanged: Times = [];
  const changed: Times = [];
  const applies: Times = [];
  const exported: Times = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const same = document(turn % 2 === 0 ? 'PT1M' : 'PT5M');
    const other = document(turn % 2 === 0 ? 'PT5M' : 'PT1M');
    const plan = await took('plan', same);
    requireSummary(plan.summary, { update: 0, create: 0 });
    unchanged.push(plan);
    const withChanges = await took('plan', other);
    requireSummary(withChanges.summary, { update: CHANGED });
    changed.push(withChanges);
    applies.push(await took('apply', other));
    exported.push(await measured(() => product.api('GET', '/api/v1/config/export')));
  }
  const size = `${MONITORS} monitors, ${GROUPS} groups, ${TEAMS} teams, ${PAGES} pages`;
  const rows = (name: string, times: Times, most?: number, yardstick?: { name: string; value: number }) => [
    benchRow({
      name,
      value: median(times.map(({ ms }) => ms)),
      unit: 'ms',
      ...(yardstick ? { yardstick } : {}),
      ...(most === undefined
        ? {}
        : { aim: { text: `<= ${most} ms`, met: ({ value }: { value: number }) => value <= most } }),
    }),
    benchRow({ name: '  CPU', value: median(times.map((one) => one.cpuMs)), unit: 'ms' }),
  ];
  return [
    ...rows(`document of ${size}: planned, unchanged`, unchanged, 1_000),
    ...rows(`planned with ${CHANGED} changes`, changed, 1_000),
    ...rows('the same applied', applies),
    ...rows('planned in an empty workspace', [firstPlan]),
    ...rows('the same applied', [applied], 5_000, {
      name: `its ${MONITORS} monitors one by one over REST`,
      value: created.ms,
    }),
    ...rows('exported', exported, 1_000),
  ];
}

async function send(product: Product, verb: string, document: string): Promise<Record<string, number>> {
  const path = `/api/v1/config/${verb}`;
  const { status, body } = await product.api<{ summary: Record<string, number> }>('POST', path, { document });
  if (status !== 200) throw new Error(`${verb} was answered with ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return body.summary;
}

function requireSummary(summary: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, count] of Object.entries(expected))
    if (summary[name] !== count) throw new Error(`${name} is ${summary[name]}, not ${count}`);
}

/** Creates the monitors of a document without its groups. @returns their ids */
async function createOneByOne(
  product: Product,
  monitors: Readonly<Record<string, { serviceGroup?: string }>>,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { serviceGroup: _, ...monitor } of Object.values(monitors)) {
    const { status, body } = await product.api<{ id: string }>('POST', '/api/v1/monitor', monitor);
    if (status !== 201) throw new Error(`creating a monitor was answered with ${status}: ${JSON.stringify(body)}`);
    ids.push(body.id);
  }
  return ids;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

function documentOf(email: string, interval: string) {
  const types = [['HttpAvailability'], ['Latency'], ['Dns']];
  return {
    apiVersion: 'watchpost/v1',
    project: 'bench',
    serviceGroups: Object.fromEntries(range(GROUPS).map((at) => [`group-${at}`, { name: `Group ${at}` }])),
    monitors: Object.fromEntries(
      range(MONITORS).map((at) => [
        `monitor-${at}`,
        {
          name: `Monitor ${at}`,
          url: `https://site-${at}.example/health`,
          checkInterval: at < CHANGED ? interval : 'PT1M',
          tags: [`team:${at % TEAMS}`],
          http: { headers: { Authorization: `Bearer ${at}` } },
          ...(at < GROUPS * types.length
            ? { serviceGroup: `group-${at % GROUPS}`, monitorTypes: types[Math.floor(at / GROUPS)] }
            : {}),
        },
      ]),
    ),
    statusPages: Object.fromEntries(
      range(PAGES).map((at) => [
        `page-${at}`,
        {
          name: `Page ${at}`,
          slug: `bench-${at}`,
          groups: [
            {
              name: 'Sites',
              systems: range(GROUPS).map((group) => ({ name: `S${group}`, serviceGroup: `group-${group}` })),
            },
          ],
        },
      ]),
    ),
    teams: Object.fromEntries(
      range(TEAMS).map((at) => [
        `team-${at}`,
        {
          name: `Team ${at}`,
          members: [{ email, teamRole: 'lead' }],
          schedule: { rotation: 'weekly', participants: [email] },
          serviceGroups: range(GROUPS / TEAMS).map((group) => `group-${at + group * TEAMS}`),
        },
      ]),
    ),
  };
}
