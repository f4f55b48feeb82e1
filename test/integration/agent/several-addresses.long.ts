import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import type { ManagedProcess } from '../../support/managed-process.js';
import { startProduct, type Product } from '../../support/product.js';
import { needRedis, startTestRedis, type TestRedis } from '../../support/redis.js';

const LATEST_MS = 180_000;

describe('an agent with several addresses of its control plane', function () {
  this.timeout(900_000);
  let redis: TestRedis;
  let test: TestDatabase;
  const planes: Product[] = [];
  before(async function () {
    needRedis(this);
    redis = await startTestRedis();
    test = await createTestDatabase();
    const env = {
      DATABASE_URL: test.url,
      REDIS_URL: redis.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
      GRPC_TLS_HOSTS: 'localhost',
    };
    for (let count = 0; count < 2; count++) planes.push(await startProduct({ env }));
  });
  after(async () => {
    for (const plane of planes) await plane.stop();
    await test?.drop();
    await redis?.stop();
  });

  const addressOf = ({ grpcPort }: Product) => `https://localhost:${grpcPort}`;
  /** Whether an agent is connected to this process, by its metrics. */
  const hasAgent = async ({ metricsPort }: Product): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined);
    return /^watchpost_agents_connected\{[^}]*\} 1$/m.test((await answer?.text()) ?? '');
  };
  const isAt = (plane: Product) =>
    eventually(`it is at ${addressOf(plane)}`, async () => (await hasAgent(plane)) || undefined, LATEST_MS);

  it('skips an address without a listener, and moves to the other one when its own is killed or drains', async () => {
    const { token } = await planes[0]!.createAgent('northeurope', 'vm-1');
    const nobody = `https://localhost:${await freePort()}`;
    const agent: ManagedProcess = planes[0]!.startAgent({
      name: 'vm-1',
      token,
      env: { CONTROL_PLANE_URL: [nobody, ...planes.map(addressOf)].join() },
    });
    const here = await eventually(
      'it is at one of them',
      async () => {
        for (const plane of planes) if (await hasAgent(plane)) return plane;
        return undefined;
      },
      LATEST_MS,
    );
    const there = planes.find((plane) => plane !== here)!;

    here.controlPlane.kill('SIGKILL');
    await isAt(there);
    await here.startControlPlane();
    expect(await hasAgent(there), 'it stays at a working address').to.equal(true);

    there.controlPlane.kill('SIGTERM');
    await isAt(here);
    await there.controlPlane.ended(LATEST_MS);
    expect(agent.output()).to.include('the control plane asks the agent to reconnect');
    expect(agent.running).to.equal(true);
    expect(agent.output(), 'one enrolment is enough').to.match(
      /^(?!.*the agent has a new certificate.*the agent has a new certificate)/s,
    );
    agent.kill('SIGTERM');
    expect((await agent.ended(LATEST_MS)).code).to.equal(0);
    await there.startControlPlane();
  });

  it('does not send its token to an address whose authority the token does not pin', async () => {
    const { token } = await planes[0]!.createAgent('northeurope', 'vm-2');
    const other = `${token.split('.')[0]}.${'A'.repeat(43)}`;
    const agent = planes[0]!.startAgent({
      name: 'vm-2',
      token: other,
      env: { CONTROL_PLANE_URL: planes.map(addressOf).join() },
    });
    const tried = (plane: Product) => agent.output().includes(`"controlPlane":"localhost:${plane.grpcPort}"`);
    await eventually('both were tried', () => planes.every(tried) || undefined, LATEST_MS);
    for (const { metricsPort } of planes) {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).not.to.match(/watchpost_agent_enrolments_total\{outcome="(?!enrolled|renewed).* [1-9]/);
    }
    expect(agent.output()).not.to.include('the agent has a new certificate');
    agent.kill('SIGTERM');
  });
});
