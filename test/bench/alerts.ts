import pino from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import { DELIVERY_CHANNEL } from '@watchpost/control-plane/capabilities/delivery/index';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { startDueWork } from '@watchpost/control-plane/platform/jobs/due-work';
import { openTogether, seedHook } from '../support/seed-alerts.js';
import { startTestApp } from '../support/app.js';
import { create, makeWorld, seedMonitor } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { quantile } from './figures.js';

const INCIDENTS = 100;
const HOOKS = 10;
/** Verdicts are decided in batches, one for each agent. */
const BATCHES = 4;

/** Measures the time from the verdict that opens an incident to the webhook, for a hundred at once, compared with direct posts to the same receivers. */
export async function benchAlerts(defer: Defer): Promise<BenchRow[]> {
  const app = await startTestApp({ clock: systemClock, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  defer(() => app.stop());
  const { delivery } = app.plane;
  delivery.start();
  defer(() => delivery.stop());
  const logger = pino({ level: 'silent' });
  const work = startDueWork({ db: app.db, clock: systemClock, logger, dueTasks: delivery.dueTasks });
  defer(() => work.stop());
  const listener = listen({
    hosts: app.db.hosts,
    channel: DELIVERY_CHANNEL,
    logger,
    onNotify: () => work.wake(),
  });
  defer(() => listener.stop());

  const world = await makeWorld(app);
  const receivers: WebhookReceiver[] = [];
  const monitors: string[] = [];
  for (let count = 0; count < HOOKS; count++) {
    const receiver = await startWebhookReceiver();
    defer(() => receiver.stop());
    receivers.push(receiver);
    const { id } = await seedHook(world, receiver.url);
    for (let monitor = 0; monitor < INCIDENTS / HOOKS; monitor++) {
      const { id: monitorId } = await seedMonitor(world);
      await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
      monitors.push(monitorId);
    }
  }
  const opened = new Map<string, number>();
  await Promise.all(
    Array.from({ length: BATCHES }, async (_, batch) => {
      const startedMs = performance.now();
      const own = monitors.filter((_monitor, index) => index % BATCHES === batch);
      for (const incidentId of await openTogether(world, own)) opened.set(incidentId, startedMs);
    }),
  );
  await Promise.all(receivers.map((receiver) => receiver.received(INCIDENTS / HOOKS)));
  const calls = receivers.flatMap((receiver) => receiver.calls);
  const incidentOf = (body: string) => (JSON.parse(body) as { data: { incident: { id: string } } }).data.incident.id;
  const waits = calls.map(({ body, atMs }) => atMs - opened.get(incidentOf(body))!);

  const bare = await Promise.all(
    calls.map(async ({ body }, index) => {
      const startedMs = performance.now();
      const { url } = receivers[index % HOOKS]!;
      const answer = await fetch(url, { method: 'POST', body });
      await answer.arrayBuffer();
      return performance.now() - startedMs;
    }),
  );
  return [
    benchRow({
      name: `an incident opens until its webhook is there, ${INCIDENTS} at once: p99`,
      value: quantile(waits, 0.99),
      unit: 'ms',
      yardstick: { name: 'bare posts, all at once', value: quantile(bare, 0.99) },
      aim: { text: '<= 1000 ms', met: ({ value }) => value <= 1_000 },
    }),
  ];
}
