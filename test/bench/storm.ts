import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_REGION } from '@watchpost/shared/region';
import type pg from 'pg';
import { startProduct, type Product } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { ask, forked } from './forked.js';
import { databaseOf } from './load-monitors.js';
import { childrenCpuMs, residentBytes } from './process-usage.js';
import { judgeStorm, type StormJudgement } from './storm-figures.js';
import type { StormOrder, StormReport } from './storm-fleet.js';
import type { ReceiverOrder, ReceiverPlaces, ReceiverReport } from './storm-receivers.js';
import { StormRest } from './storm-rest.js';
import { startCounting, takeStatements } from './storm-statements.js';
import { AWAY, makeStormWorld, type StormWorld } from './storm-world.js';

/** `STORM_INCIDENTS=1000` makes a smaller storm, `STORM_INTERVAL_MS` a slower one. */
const INCIDENTS = Number(process.env['STORM_INCIDENTS'] ?? 10_000);
const INTERVAL_MS = Number(process.env['STORM_INTERVAL_MS'] ?? 10_000);
const WORKSPACES = 50;
const OWNERS = 10;
const AGENTS_A_REGION = 4;
const REST_PER_SECOND = 20;
const CALM_MS = 5_000;
const DRAINED_WITHIN_MS = 300_000;
/** What to profile: see docs/guides/performance.md. */
const { STORM_PROFILE: PROFILE, STORM_STATEMENTS: STATEMENTS } = process.env;

/** What one call over REST costs while nothing else happens. */
interface RestCost {
  cpuMs: ReadonlyMap<string, number>;
  statements: number;
}

interface Measured {
  judgement: StormJudgement;
  cpuMs: Map<string, number>;
  statements: number;
  drainedMs: number;
  deepest: Record<'events' | 'deliveries' | 'pages', number>;
  peakBytes: number;
  rest: StormRest;
}

/**
 * 10,000 monitors of 50 workspaces fail within 10 s, in two regions, while a client reads and writes over REST; then all
 * recover. Agents, receivers and mail server are processes of their own.
 */
export async function benchStorm(defer: Defer): Promise<BenchRow[]> {
  const receivers = forked('storm-receivers.js', defer);
  const places = await ask<ReceiverPlaces>(receivers, { kind: 'open', hooks: WORKSPACES } satisfies ReceiverOrder);
  const product = await startProduct({
    hasOwnDatabase: true,
    env: {
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      SMTP_URL: `smtp://127.0.0.1:${places.smtpPort}`,
      MAIL_FROM: 'Watchpost <alerts@watch.example>',
      ...(PROFILE && { NODE_OPTIONS: `--import=${PROFILE}` }),
    },
  });
  defer(() => product.stop());
  const client = await startCounting(product, () => databaseOf(product, defer));
  const monitorsEach = INCIDENTS / WORKSPACES;
  const size = {
    owners: OWNERS,
    workspaces: WORKSPACES,
    monitorsEach,
    mailedEach: monitorsEach / 10,
    intervalMs: INTERVAL_MS,
  };
  const world = await makeStormWorld(product, client, size, places.hooks);
  const regions = await Promise.all(
    [HOME_REGION, AWAY].map(async (region) => {
      const tokens: string[] = [];
      for (let agent = 0; agent < AGENTS_A_REGION; agent++)
        tokens.push((await product.createAgent(region, `${region}-${agent}`)).token);
      return { region, tokens };
    }),
  );
  const fleet = forked('storm-fleet.js', defer);
  const monitorKeys = world.workspaces.flatMap(({ monitors }) => monitors.map(({ key }) => key));
  const order = { port: product.grpcPort, regions, monitorKeys, intervalMs: INTERVAL_MS };
  const pass = async (outcome: StormOrder['outcome']): Promise<Measured> =>
    measure(product, client, world, {
      check: () => ask<StormReport>(fleet, { ...order, outcome } satisfies StormOrder),
      report: () => ask<ReceiverReport>(receivers, { kind: 'report' } satisfies ReceiverOrder),
      type: outcome === 'down' ? 'incident.opened' : 'incident.resolved',
    });
  const cost = await costOfRest(product, client, world);
  const failing = await pass('down');
  await sleep(CALM_MS);
  const recovering = await pass('up');
  return [...rowsOf('fail', failing, cost), ...rowsOf('recover', recovering, cost)];
}

async function costOfRest(product: Product, client: pg.Client, world: StormWorld): Promise<RestCost> {
  const { pid } = product.controlPlane;
  const rest = new StormRest(product, world.workspaces, REST_PER_SECOND);
  await rest.start();
  await sleep(CALM_MS);
  const [before, callsBefore] = [childrenCpuMs(pid), rest.times.length];
  await takeStatements(client);
  await sleep(2 * CALM_MS);
  const statements = await takeStatements(client);
  const [after, calls] = [childrenCpuMs(pid), rest.times.length - callsBefore];
  await rest.stop();
  const cpuMs = new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / calls]));
  return { cpuMs, statements: statements / calls };
}

interface Steps {
  check(): Promise<StormReport>;
  report(): Promise<ReceiverReport>;
  type: 'incident.opened' | 'incident.resolved';
}

async function measure(product: Product, client: pg.Client, world: StormWorld, steps: Steps): Promise<Measured> {
  const { pid } = product.controlPlane;
  await steps.report();
  await takeStatements(client);
  const rest = new StormRest(product, world.workspaces, REST_PER_SECOND);
  await rest.start();
  const cpuBefore = childrenCpuMs(pid);
  const startedMs = performance.now();
  const deepest = { events: 0, deliveries: 0, pages: 0 };
  let peakBytes = 0;
  let isChecked = false;
  const checking = steps.check().finally(() => (isChecked = true));
  for (;;) {
    const wasChecked = isChecked;
    peakBytes = Math.max(peakBytes, residentBytes(pid));
    const depth = await depthOf(client);
    for (const name of ['events', 'deliveries', 'pages'] as const) deepest[name] = Math.max(deepest[name], depth[name]);
    if (wasChecked && depth.events + depth.deliveries + depth.pages === 0) break;
    if (performance.now() - startedMs > DRAINED_WITHIN_MS) throw new Error(`not drained: ${JSON.stringify(depth)}`);
    await sleep(1_000);
  }
  const drainedMs = performance.now() - startedMs;
  await rest.stop();
  const cpuAfter = childrenCpuMs(pid);
  const statements = await takeStatements(client, STATEMENTS && `${STATEMENTS}.${steps.type}`);
  const cpuMs = new Map([...cpuAfter].map(([name, ms]) => [name, ms - (cpuBefore.get(name) ?? 0)]));
  const judgement = await judgeStorm(client, world, steps.type, await checking, await steps.report());
  return { judgement, cpuMs, statements, drainedMs, deepest, peakBytes, rest };
}

async function depthOf(client: pg.Client): Promise<Measured['deepest']> {
  const { rows } = await client.query<Measured['deepest']>(
    `SELECT (SELECT count(*)::integer FROM alert_event WHERE NOT fanned_out) AS events,
       (SELECT count(*)::integer FROM delivery WHERE state = 'waiting') AS deliveries,
       (SELECT count(*)::integer FROM incident_paging WHERE due_at <= now()) AS pages`,
  );
  return rows[0]!;
}

function rowsOf(what: string, measured: Measured, cost: RestCost): BenchRow[] {
  const { judgement, drainedMs, deepest, peakBytes, rest } = measured;
  const { changes, waits, pageMails, lost, doubled, disordered, dropped } = judgement;
  const row = (name: string, value: number, unit: string, most?: number): BenchRow =>
    benchRow({
      name: `${what}: ${name}`,
      value,
      unit,
      ...(most === undefined
        ? {}
        : { aim: { text: most === 0 ? '0' : `<= ${most} ${unit}`, met: (of: { value: number }) => of.value <= most } }),
    });
  const quantiles = (name: string, values: readonly number[], mostMs?: number): BenchRow[] =>
    values.length === 0
      ? []
      : [row(`${name}, p50`, quantile(values, 0.5), 'ms'), row(`${name}, p99`, quantile(values, 0.99), 'ms', mostMs)];
  const calls = rest.times.length;
  const cpuMs = [...measured.cpuMs].map(([name, ms]) => [name, ms - calls * (cost.cpuMs.get(name) ?? 0)] as const);
  const cpu = cpuMs.reduce((sum, [, ms]) => sum + ms, 0);
  const statements = measured.statements - calls * cost.statements;
  const failures = [...rest.failures.values()].reduce((sum, count) => sum + count, 0);
  return [
    row('incidents', judgement.incidents, ''),
    row('incidents per second', judgement.perSecond, '/s'),
    ...quantiles('result sent until committed', changes),
    ...quantiles('incident until page', waits.pages, 10_000),
    row('mails with pages', pageMails, ''),
    ...quantiles('first incident of a person until the first page', judgement.firstPages),
    ...quantiles('incident until webhook', waits.hooks),
    ...quantiles('incident until mail', waits.mails),
    row('messages in another order', disordered, '', 0),
    row('messages lost', lost, '', 0),
    row('messages twice', doubled, '', 0),
    row('messages dropped by a lane', dropped, '', 0),
    ...quantiles(`REST, ${REST_PER_SECOND}/s`, rest.times, 500),
    row('REST answers other than 2xx', failures, '', 0),
    row('until all is sent', drainedMs / 1_000, 's'),
    row('CPU per incident', cpu / judgement.incidents, 'ms'),
    ...[...cpuMs]
      .filter(([, ms]) => ms > 0)
      .map(([name, ms]) => row(`  of which ${name}`, ms / judgement.incidents, 'ms')),
    row('statements per incident, without those of REST', statements / judgement.incidents, ''),
    row('deepest queue: events', deepest.events, ''),
    row('deepest queue: deliveries', deepest.deliveries, ''),
    row('deepest queue: pages', deepest.pages, ''),
    row('memory of the control plane, highest', peakBytes / 1024 ** 2, 'MiB'),
  ];
}
