import { stringify } from 'yaml';
import { type Product, startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { median } from './figures.js';
import { databaseOf, openWorkspace } from './load-monitors.js';

const MONITORS = 500;
const GROUPS = 20;
const TEAMS = 5;
const PAGES = 3;
/** Monitors that one document changes. */
const CHANGED = 50;
const TURNS = 5;

/**
 * Measures plan, apply and export of a workspace of 500 monitors, 20 service groups, 5 teams and 3 status pages, as a client
 * sends them: a text in YAML over REST. The same monitors are created one by one over REST, as the yardstick.
 */
export async function benchDocuments(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  await openWorkspace(product, client);
  const { body: user } = await product.api<{ email: string }>('GET', '/api/v1/user');
  const document = (interval: string) => documentOf(user.email, interval);
  const took = async (verb: 'plan' | 'apply', value: object, more: object = {}) => {
    const startedMs = performance.now();
    const summary = await send(product, verb, stringify(value), more);
    return { ms: performance.now() - startedMs, summary };
  };

  const created = Math.max(...(await oneByOne(product, document('PT1M'))));
  const firstPlan = await took('plan', document('PT1M'));
  const applied = await took('apply', document('PT1M'));
  requireSummary(applied.summary, { create: MONITORS + GROUPS + TEAMS + PAGES });
  const unchanged: number[] = [];
  const changed: number[] = [];
  const applies: number[] = [];
  const exported: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const same = document(turn % 2 === 0 ? 'PT1M' : 'PT5M');
    const other = document(turn % 2 === 0 ? 'PT5M' : 'PT1M');
    const plan = await took('plan', same);
    requireSummary(plan.summary, { update: 0, create: 0 });
    unchanged.push(plan.ms);
    const withChanges = await took('plan', other);
    requireSummary(withChanges.summary, { update: CHANGED });
    changed.push(withChanges.ms);
    applies.push((await took('apply', other)).ms);
    const startedMs = performance.now();
    await product.api('GET', '/api/v1/config/export');
    exported.push(performance.now() - startedMs);
  }
  const aim = (most: number) => ({ text: `<= ${most} ms`, met: ({ value }: { value: number }) => value <= most });
  const size = `${MONITORS} monitors, ${GROUPS} groups, ${TEAMS} teams, ${PAGES} pages`;
  return [
    benchRow({
      name: `document of ${size}: planned, unchanged`,
      value: median(unchanged),
      unit: 'ms',
      aim: aim(1_000),
    }),
    benchRow({ name: `the same with ${CHANGED} changes`, value: median(changed), unit: 'ms', aim: aim(1_000) }),
    benchRow({ name: 'the same: applied', value: median(applies), unit: 'ms' }),
    benchRow({ name: 'the whole document: planned in an empty workspace', value: firstPlan.ms, unit: 'ms' }),
    benchRow({
      name: 'the same: applied',
      value: applied.ms,
      unit: 'ms',
      yardstick: { name: `its ${MONITORS} monitors one by one over REST`, value: created },
      aim: aim(5_000),
    }),
    benchRow({ name: 'exported', value: median(exported), unit: 'ms', aim: aim(1_000) }),
  ];
}

async function send(product: Product, verb: string, document: string, more: object): Promise<Record<string, number>> {
  const { status, body } = await product.api<{ summary: Record<string, number> }>('POST', `/api/v1/config/${verb}`, {
    document,
    ...more,
  });
  if (status !== 200) throw new Error(`${verb} was answered with ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return body.summary;
}

function requireSummary(summary: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, count] of Object.entries(expected))
    if (summary[name] !== count) throw new Error(`${name} is ${summary[name]}, not ${count}`);
}

/** Creates the monitors over REST without groups, and deletes them. @returns what the creation took, ms */
async function oneByOne(product: Product, { monitors }: ReturnType<typeof documentOf>): Promise<number[]> {
  const ids: string[] = [];
  const startedMs = performance.now();
  for (const { serviceGroup: _, ...monitor } of Object.values(monitors)) {
    const { status, body } = await product.api<{ id: string }>('POST', '/api/v1/monitor', monitor);
    if (status !== 201) throw new Error(`creating a monitor was answered with ${status}: ${JSON.stringify(body)}`);
    ids.push(body.id);
  }
  const ms = performance.now() - startedMs;
  const { status } = await product.api('POST', '/api/v1/monitor/bulk', { monitorIds: ids, action: 'delete' });
  if (status !== 200) throw new Error(`deleting the monitors was answered with ${status}`);
  return [ms];
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
