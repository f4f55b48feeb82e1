import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PingView } from '@watchpost/control-plane/capabilities/heartbeats/ping-schemas';
import { type Product, startProduct } from '../support/product.js';
import { create, seedHeartbeat } from '../support/seed.js';

const MONITORS = 8;
/** Below the rate limit of a ping URL. */
const PINGS = 50;
const KILLS = 3;

describe('a control plane that is killed while pings arrive', function () {
  this.timeout(3 * 60_000);
  let product: Product;
  before(async () => {
    product = await startProduct();
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
  });
  after(() => product?.stop());

  it('loses no ping that it has acknowledged', async () => {
    const monitors: { id: string; pingPath: string; acknowledged: string[] }[] = [];
    for (let count = 0; count < MONITORS; count++)
      monitors.push({ ...(await seedHeartbeat({ api: product.api })), acknowledged: [] });
    let refused = 0;
    const sending = Promise.all(
      monitors.map(async ({ pingPath, acknowledged }, monitor) => {
        for (let count = 0; count < PINGS; count++) {
          const rid = `${monitor}-${count}`;
          try {
            const answer = await fetch(new URL(`${pingPath}?rid=${rid}`, product.baseUrl), {
              method: 'POST',
              body: rid,
            });
            if (answer.status === 200 && (await answer.text()) === 'OK') acknowledged.push(rid);
            else refused++;
          } catch {
            refused++;
          }
          await sleep(200);
        }
      }),
    );
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(1_500);
      product.controlPlane.kill('SIGKILL');
      await product.controlPlane.ended(10_000);
      await product.startControlPlane();
    }
    await sending;
    expect(refused, 'the kills interrupted some').to.be.greaterThan(0);
    let total = 0;
    for (const { id, acknowledged } of monitors) {
      const { body } = await product.api<PingView[]>('GET', `/api/v1/monitor/${id}/pings?pageSize=200`);
      expect(body.map(({ rid }) => rid)).to.include.members(acknowledged);
      total += acknowledged.length;
    }
    expect(total).to.be.greaterThan(MONITORS * 5);
    await create(product.api, `/api/v1/monitor/${monitors[0]!.id}/heartbeat/rotate`);
  });
});
