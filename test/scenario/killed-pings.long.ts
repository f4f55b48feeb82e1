import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PingView } from '@watchpost/control-plane/capabilities/pings/ping-schemas';
import { eventually } from '../support/eventually.js';
import { startProduct } from '../support/product.js';
import { create, seedHeartbeat } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';

const MONITORS = 20;
/** A ping URL accepts 60 a minute. */
const PING_EVERY_MS = 1_050;
const KILLS = 3;

describe('a control plane that is killed while pings arrive', function () {
  this.timeout(15 * 60_000);
  const product = startedForSuite(() => startProduct());
  before(async () => {
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
  });

  it('loses no ping that it has acknowledged', async () => {
    const monitors: { id: string; pingPath: string; acknowledged: string[] }[] = [];
    for (let count = 0; count < MONITORS; count++)
      monitors.push({ ...(await seedHeartbeat({ api: product.api })), acknowledged: [] });
    let refused = 0;
    const ending = new AbortController();
    const sending = Promise.all(
      monitors.map(async ({ pingPath, acknowledged }, monitor) => {
        await sleep((monitor / MONITORS) * PING_EVERY_MS);
        for (let count = 0; !ending.signal.aborted; count++) {
          const rid = `${monitor}-${count}`;
          try {
            const answer = await fetch(new URL(`${pingPath}?rid=${rid}`, product.baseUrl), {
              method: 'POST',
              body: rid,
              signal: AbortSignal.timeout(30_000),
            });
            if (answer.status === 200 && (await answer.text()) === 'OK') acknowledged.push(rid);
            else refused++;
          } catch {
            refused++;
          }
          await sleep(PING_EVERY_MS);
        }
      }),
    );
    const everyoneIsAcknowledged = async (): Promise<void> => {
      const before = monitors.map(({ acknowledged }) => acknowledged.length);
      await eventually(
        'a ping of each monitor is acknowledged',
        () => monitors.every(({ acknowledged }, index) => acknowledged.length > before[index]!) || undefined,
        120_000,
        5,
      );
    };
    for (let kill = 0; kill < KILLS; kill++) {
      await everyoneIsAcknowledged();
      product.controlPlane.kill('SIGKILL');
      await product.controlPlane.ended(60_000);
      await product.startControlPlane();
    }
    await everyoneIsAcknowledged();
    ending.abort();
    await sending;
    expect(refused, 'the kills interrupted some').to.be.greaterThan(0);
    for (const { id, acknowledged } of monitors) {
      const received: (string | null)[] = [];
      for (let page = 1; received.length === (page - 1) * 200; page++) {
        const path = `/api/v1/monitor/${id}/pings?pageSize=200&page=${page}`;
        const { body } = await product.api<PingView[]>('GET', path);
        received.push(...body.map(({ rid }) => rid));
      }
      expect(received).to.include.members(acknowledged);
    }
    await create(product.api, `/api/v1/monitor/${monitors[0]!.id}/heartbeat/rotate`);
  });
});
