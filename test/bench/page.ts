import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_REGION } from '@watchpost/shared/region';
import { eventually } from '../support/eventually.js';
import { startProduct, type Product } from '../support/product.js';
import { create } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';

const INCIDENTS = 100;
const HOOKS = 10;
/** Every monitor is checked, and so fails, once in this time. */
const INTERVAL_MS = 1_000;
const SETTLE_MS = 5_000;
const SITE_WITHIN_MS = 30_000;

/**
 * Measures the time from a site's first failing answer to the webhook, through agent, stream, verdict, incident, outbox
 * and delivery as real processes, while a hundred monitors begin to fail within one second.
 */
export async function benchPage(defer: Defer): Promise<BenchRow[]> {
  const site = await startSite(defer);
  const product = await startProduct({
    hasOwnDatabase: true,
    env: { LOG_LEVEL: 'info', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  const workspaceId = await openWorkspace(product, client);
  await loadMonitors(client, workspaceId, INCIDENTS, site.url);
  await client.query(`UPDATE monitor SET url = url || key, check_interval_ms = $1, checks_before_alert = 1`, [
    INTERVAL_MS,
  ]);
  await client.query(
    'UPDATE series SET alert_after = 1, fresh_most_ms = allowance.fresh_ms FROM check_allowance allowance WHERE allowance.monitor_key = series.monitor_key',
  );
  const { rows } = await client.query<{ id: string; key: string }>('SELECT id, key FROM monitor ORDER BY key');
  const hooks = await attachHooks(
    product,
    rows.map(({ id }) => id),
    defer,
  );
  const { token } = await product.createAgent(HOME_REGION, 'bench');
  product.startAgent({ name: 'bench', token, env: { LOG_LEVEL: 'info' } });
  await eventually(
    'every monitor was checked',
    () => (site.asked.size === INCIDENTS ? true : undefined),
    SITE_WITHIN_MS,
  );
  await sleep(SETTLE_MS);

  site.fail();
  await Promise.all(hooks.map((hook) => hook.received(INCIDENTS / HOOKS)));
  const { rows: incidents } = await client.query<{ key: string; openedMs: number }>(
    'SELECT monitor_key AS key, (extract(epoch FROM started) * 1000)::float8 AS "openedMs" FROM incident',
  );
  const keyOf = new Map(rows.map(({ id, key }) => [id, Number(key)]));
  const arrivals = hooks
    .flatMap(({ calls }) => calls)
    .map(({ body, atMs }) => {
      const { data } = JSON.parse(body) as { data: { monitor: { id: string } } };
      return { key: keyOf.get(data.monitor.id)!, atMs: performance.timeOrigin + atMs };
    });
  const failedMs = [...site.failed.values()];
  const waits = arrivals.map(({ key, atMs }) => atMs - site.failed.get(key)!);
  const opened = incidents.map(({ key, openedMs }) => openedMs - site.failed.get(Number(key))!);
  return [
    benchRow({
      name: `${INCIDENTS} monitors begin to fail within`,
      value: Math.max(...failedMs) - Math.min(...failedMs),
      unit: 'ms',
    }),
    benchRow({ name: '  failing answer until the incident opens, p99', value: quantile(opened, 0.99), unit: 'ms' }),
    benchRow({ name: '  failing answer until the webhook is there, p50', value: quantile(waits, 0.5), unit: 'ms' }),
    benchRow({
      name: '  failing answer until the webhook is there, p99',
      value: quantile(waits, 0.99),
      unit: 'ms',
      aim: { text: '<= 1000 ms', met: ({ value }) => value <= 1_000 },
    }),
  ];
}

/** Makes receivers, each with a webhook group for the same number of monitors. */
async function attachHooks(product: Product, monitorIds: readonly string[], defer: Defer): Promise<WebhookReceiver[]> {
  const hooks: WebhookReceiver[] = [];
  for (let count = 0; count < HOOKS; count++) {
    const hook = await startWebhookReceiver();
    defer(() => hook.stop());
    hooks.push(hook);
    const { id } = await create(product.api, '/api/v1/action-groups/webhook', { name: `Team ${count}`, url: hook.url });
    for (const monitorId of monitorIds.filter((_, index) => index % HOOKS === count))
      await create(product.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
  }
  return hooks;
}

/** A site with one path for each monitor key. It records the first failing answer of each path. */
async function startSite(defer: Defer) {
  const asked = new Set<number>();
  const failed = new Map<number, number>();
  let isFailing = false;
  const server = createServer((request, response) => {
    const key = Number(request.url!.slice(1));
    asked.add(key);
    if (isFailing && !failed.has(key)) failed.set(key, performance.timeOrigin + performance.now());
    response.writeHead(isFailing ? 503 : 200).end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    failed,
    fail: () => void (isFailing = true),
  };
}
