import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '@watchpost/shared/clock';
import { areDeliveriesStuck } from '@watchpost/control-plane/capabilities/delivery/index';
import { Watchdog } from '@watchpost/control-plane/platform/telemetry/watchdog';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startProduct, type Product } from '../../support/product.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { makeWorld } from '../../support/seed.js';

describe('The watchdog of an installation', function () {
  let receiver: Server;
  let url: string;
  let calls = 0;
  let status = 200;
  let app: TestApp;
  let clock: ManualClock;
  let watchdog: Watchdog;
  let registry: Registry;

  before(async () => {
    app = await startTestApp();
    receiver = createServer((_, response) => {
      calls++;
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret-ping`;
  });
  after(async () => {
    receiver.close();
    await app.stop();
  });
  beforeEach(() => {
    [calls, status] = [0, 200];
    clock = new ManualClock(Date.now());
    registry = new Registry();
    const logger = pino({ level: 'silent' });
    const deps = { db: app.db, clock };
    watchdog = new Watchdog({ url, clock, logger, registry, areDeliveriesStuck: () => areDeliveriesStuck(deps) });
  });

  /** Looks every five seconds, as the task does. */
  async function pass(seconds: number, judged?: { checks: number; stale: number }): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      clock.advance(5_000);
      if (judged) watchdog.judged(judged);
      await watchdog.look();
    }
  }
  const outcomes = async () => {
    const { values } = await registry.getSingleMetric('watchpost_watchdog_calls_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]));
  };

  it('is called once a minute while checks are judged', async () => {
    await pass(300, { checks: 10, stale: 5 });
    expect(calls).to.equal(5);
    expect(await outcomes()).to.deep.equal({ called: 5, withheld: 0, failed: 0 });
  });

  it('is not called by a process that judges nothing, and no longer where judging ceased', async () => {
    await pass(300);
    expect(calls).to.equal(0);
    await pass(5, { checks: 0, stale: 0 });
    expect(calls).to.equal(1);
    await pass(600);
    expect(calls).to.be.below(5);
    expect((await outcomes())['withheld']).to.equal(1);
  });

  it('is not called while more than half of the checks are overdue', async () => {
    await pass(120, { checks: 10, stale: 6 });
    expect(calls).to.equal(0);
    await pass(60, { checks: 10, stale: 1 });
    expect(calls).to.equal(1);
  });

  it('is not called while a page that is due is not sent, and is while a receiver fails', async () => {
    const { workspaceId, owner } = await makeWorld(app);
    const lane = (urgent: boolean, ready: boolean, dueMs: number) =>
      app.sql(
        `INSERT INTO delivery_lane (workspace_id, lane, owner_id, outlet, urgent, ready, due_at)
         VALUES ($1, 'test', $2, 'sms', $3, $4, $5)
         ON CONFLICT (workspace_id, lane) DO UPDATE SET urgent = $3, ready = $4, due_at = $5`,
        [workspaceId, owner.userId, urgent, ready, new Date(clock.now() + dueMs)],
      );
    for (const [urgent, ready] of [
      [true, true],
      [false, false],
    ] as const) {
      await lane(urgent, ready, -181_000);
      await pass(60, { checks: 1, stale: 0 });
      expect(calls, `${urgent} ${ready}`).to.equal(0);
    }
    await lane(true, false, 600_000);
    await pass(60, { checks: 1, stale: 0 });
    expect(calls, 'a page that is tried again later').to.equal(1);
    await lane(false, true, -600_000);
    await pass(60, { checks: 1, stale: 0 });
    expect(calls, 'a flood of one owner').to.equal(2);
    await app.sql(`DELETE FROM delivery_lane WHERE lane = 'test'`);
  });

  it('counts a call that fails, and goes on', async () => {
    status = 500;
    await pass(60, { checks: 1, stale: 0 });
    status = 200;
    await pass(60, { checks: 1, stale: 0 });
    expect(await outcomes()).to.include({ called: 1, failed: 1 });
  });

  describe('of a running product', () => {
    let product: Product;
    before(async () => {
      product = await startProduct({ env: { WATCHDOG_URL: url } });
    });
    after(() => product.stop());

    it('is called soon after the start, and its address is not logged', async () => {
      await product.startControlPlane();
      await eventually('the watchdog is called', () => calls > 0 || undefined, PATIENCE_MS, 200);
      expect(product.controlPlane.output()).not.to.include('secret-ping');
    });
  });
});
