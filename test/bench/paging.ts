import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startProduct, type Product } from '../support/product.js';
import { create } from '../support/seed.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { databaseOf } from './load-monitors.js';
import { childrenCpuMs } from './process-usage.js';
import { startCounting, takeStatements } from './storm-statements.js';
import { makeStormWorld, type StormWorld } from './storm-world.js';

const OWNERS = 10;
const OPEN = 10_000;
const STEPS = 10;
const DUE = 3_000;
const DUE_WITHIN_MS = 3_000;
const IDLE_MS = 30_000;
const SETTLE_MS = 10_000;
const TAKEN_WITHIN_MS = 300_000;

/**
 * Measures what 10,000 open incidents cost whose people are paged by policies of ten steps: while no step is due, and when
 * 3,000 steps become due within 3 s. There is no mail server, so what is measured ends with the messages in their queues.
 */
export async function benchPaging(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'warn' } });
  defer(() => product.stop());
  const client = await startCounting(product, () => databaseOf(product, defer));
  const size = { owners: OWNERS, workspaces: OWNERS, monitorsEach: OPEN / OWNERS, mailedEach: 0, intervalMs: 60_000 };
  const world = await makeStormWorld(
    product,
    client,
    size,
    Array.from({ length: OWNERS }, (_, place) => `https://hook-${place}.example/`),
  );
  await openAll(client, world);
  await sleep(SETTLE_MS);

  const idle = await measured(product, client, () => sleep(IDLE_MS));
  const waits: number[] = [];
  const busy = await measured(product, client, async () => void waits.push(...(await takeDue(client))));
  const idleCpu = idle.cpuMs / idle.seconds;
  const row = (name: string, value: number, unit: string): BenchRow => benchRow({ name, value, unit });
  return [
    row(`${OPEN} open incidents, nothing due: statements per second`, idle.statements / idle.seconds, '/s'),
    row(`${OPEN} open incidents, nothing due: CPU per second`, idleCpu, 'ms'),
    row(
      `${DUE} steps due within ${DUE_WITHIN_MS / 1_000} s: CPU per step`,
      (busy.cpuMs - idleCpu * busy.seconds) / DUE,
      'ms',
    ),
    row('  statements per step', busy.statements / DUE, ''),
    row('  due until queued, p50', quantile(waits, 0.5), 'ms'),
    benchRow({
      name: '  due until queued, p99',
      value: quantile(waits, 0.99),
      unit: 'ms',
      aim: { text: '<= 10000 ms', met: ({ value }) => value <= 10_000 },
    }),
  ];
}

/** Opens an incident of each monitor, whose first step was taken and whose next one is due in a day. */
async function openAll(client: pg.Client, { workspaces }: StormWorld): Promise<void> {
  for (const { id, api } of workspaces) {
    const [team] = await create<{ id: string; members: { userId: string }[] }[]>(
      api,
      '/api/v1/teams',
      undefined,
      'GET',
    );
    const targets = [{ type: 'user', id: team!.members[0]!.userId }];
    const steps = Array.from({ length: STEPS }, () => ({ after: 'P1D', targets }));
    const policy = await create(api, `/api/v1/teams/${team!.id}/escalation-policies`, { name: 'Ten', steps });
    await client.query(
      `WITH opened AS (
         INSERT INTO incident (id, workspace_id, monitor_key, monitor_id, monitor_name, incident_type, severity, started,
           failure_reason, created, last_modified)
         SELECT gen_random_uuid(), workspace_id, key, id, name, 'Availability', 'down', now(), 'It failed.', now(), now()
         FROM monitor WHERE workspace_id = $1 RETURNING id, monitor_key
       )
       INSERT INTO incident_paging (workspace_id, incident_id, team_id, monitor_key, step, policy_id, began, due_at)
       SELECT $1, id, $2, monitor_key, 1, $3, now(), now() + interval '1 day' FROM opened`,
      [id, team!.id, policy.id],
    );
  }
  await client.query('VACUUM ANALYZE');
}

/** Makes steps due, distributed over some seconds. @returns how long each waited from then until its page was queued, in ms */
async function takeDue(client: pg.Client): Promise<number[]> {
  await client.query(
    `WITH few AS (SELECT incident_id, row_number() OVER (ORDER BY random()) AS place FROM incident_paging LIMIT $1)
     UPDATE incident_paging own SET due_at = now() + few.place * interval '1 ms' * $2::float8 / $1::float8
     FROM few WHERE own.incident_id = few.incident_id`,
    [DUE, DUE_WITHIN_MS],
  );
  const { rows: due } = await client.query<{ id: string; ms: number }>(
    `SELECT incident_id AS id, (extract(epoch FROM due_at) * 1000)::float8 AS ms FROM incident_paging
     ORDER BY due_at LIMIT $1`,
    [DUE],
  );
  const dueMs = new Map(due.map(({ id, ms }) => [id, ms]));
  for (const untilMs = performance.now() + TAKEN_WITHIN_MS; ; await sleep(1_000)) {
    const { rows } = await client.query<{ id: string; ms: number }>(
      `SELECT e.incident_id AS id, (extract(epoch FROM e.at) * 1000)::float8 AS ms FROM incident_event e WHERE e.type = 'paged'`,
    );
    if (rows.length >= DUE) return rows.map(({ id, ms }) => ms - dueMs.get(id)!);
    if (performance.now() > untilMs) throw new Error(`only ${rows.length} of ${DUE} steps were taken`);
  }
}

interface Used {
  seconds: number;
  cpuMs: number;
  statements: number;
}

async function measured(product: Product, client: pg.Client, work: () => Promise<unknown>): Promise<Used> {
  const { pid } = product.controlPlane;
  const used = () => [...childrenCpuMs(pid).values()].reduce((sum, ms) => sum + ms, 0);
  await takeStatements(client);
  const [before, startedMs] = [used(), performance.now()];
  await work();
  return {
    seconds: (performance.now() - startedMs) / 1_000,
    cpuMs: used() - before,
    statements: await takeStatements(client),
  };
}
