import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import type { ManagedProcess } from '../support/managed-process.js';
import { type Product, startProduct } from '../support/product.js';
import { create } from '../support/seed.js';

/** A window of the shortest length that ends this long after it is made. */
const LEFT_MS = 60 * SECOND_MS;
/** Agents stop, and resume, within 10 s where the machine has time. Without a message to do so, they would not within this time. */
const SOON_MS = 3 * MINUTE_MS;

describe('a maintenance window that pauses checks', function () {
  this.timeout(15 * MINUTE_MS);
  let product: Product;
  let agent: ManagedProcess;
  let target: Server;
  let monitorId: string;
  /** When the site was probed, ms since the epoch. */
  const probed: number[] = [];

  before(async () => {
    target = createServer((_, response) => {
      probed.push(Date.now());
      response.end('fine');
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    product = await startProduct();
    const { token } = await product.createAgent('northeurope', 'one');
    agent = product.startAgent({ name: 'one', token });
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    ({ id: monitorId } = await create(product.api, '/api/v1/monitor', { name: 'Shop', url, checkInterval: 'PT1H' }));
    await eventually('the first probe', () => probed.length > 0 || undefined, SOON_MS);
  });
  after(async () => {
    await product?.stop();
    target?.closeAllConnections();
    target?.close();
  });

  const plan = (startsAt: string) =>
    create<{ id: string; activeUntil: string }>(product.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt,
      timezone: 'UTC',
      duration: 'PT5M',
      scope: { monitorIds: [monitorId] },
      checks: 'pause',
    });
  const hasChecks = async (count: number): Promise<true | undefined> => {
    const port = /"port":(\d+)/.exec(agent.output())![1];
    const health = (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { checks: number };
    return health.checks === count || undefined;
  };
  const probedSince = (ms: number) => probed.filter((at) => at >= ms);

  it('stops real agents while it runs, and they probe again at its end', async () => {
    const startsAt = new Date(Date.now() - 5 * MINUTE_MS + LEFT_MS).toISOString().slice(0, 19);
    const endMs = Date.parse((await plan(startsAt)).activeUntil);
    await eventually('the agent has no check', () => hasChecks(0), LEFT_MS);
    const stoppedMs = Date.now();
    expect(stoppedMs, 'the window still runs').to.be.lessThan(endMs);
    await eventually(
      'a probe after the window',
      () => probedSince(endMs).length > 0 || undefined,
      endMs - Date.now() + SOON_MS,
    );
    expect(probedSince(stoppedMs).filter((at) => at < endMs)).to.deep.equal([]);
    const { body } = await product.api('GET', `/api/v1/monitor/${monitorId}`);
    expect(body.maintenance).to.equal(null);
  });

  it('that is ended early lets them probe again at once', async () => {
    const { id } = await plan('now');
    await eventually('the agent has no check', () => hasChecks(0), SOON_MS);
    const endedMs = Date.now();
    await create(product.api, `/api/v1/maintenance-windows/${id}/end`);
    await eventually('a probe after the end', () => probedSince(endedMs).length > 0 || undefined, SOON_MS);
    await eventually(
      'the monitor is available',
      async () =>
        (await product.api('GET', `/api/v1/monitor/${monitorId}`)).body.healthStatus === 'available' || undefined,
      SOON_MS,
    );
  });
});
