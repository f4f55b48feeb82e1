import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import { createBlankDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startProduct, type Product } from '../../support/product.js';

const DENIED = '127.9.9.9';

describe('attack 14: the machine of the product as a target of checks', function () {
  const [own] = ownAddresses().filter((address) => /^\d+\.\d+\.\d+\.\d+$/.test(address) && !address.startsWith('127.'));
  let product: Product;
  let database: Awaited<ReturnType<typeof createBlankDatabase>>;
  /** A server on all addresses of this machine that the operator does not mean to publish. */
  let inside: Server;
  let port: number;
  let reached = 0;

  before(async function () {
    if (own === undefined) this.skip();
    inside = createServer((request, response) => {
      if (request.url === '/redirect') {
        response.writeHead(302, { location: `http://${own}:${port}/` }).end();
        return;
      }
      reached++;
      response.end('inside');
    });
    await new Promise<void>((resolve) => inside.listen(0, '0.0.0.0', resolve));
    ({ port } = inside.address() as AddressInfo);
    database = await createBlankDatabase();
    product = await startProduct({
      env: {
        DATABASE_URL: database.url,
        HOST: '0.0.0.0',
        GRPC_TLS_HOSTS: '127.0.0.1',
        PROBE_ALLOW_CIDRS: '127.0.0.0/8',
        PROBE_DENY_CIDRS: `${DENIED}/32`,
      },
    });
    const { token } = await product.createAgent('northeurope', 'home');
    product.startAgent({
      name: 'home',
      token,
      env: { CONTROL_PLANE_URL: `https://127.0.0.1:${product.grpcPort}`, PROBE_DENY_CIDRS: `${DENIED}/32` },
    });
    await eventually(
      'the agent is there',
      async () => (await test(`http://127.0.0.1:${port}/`)).status === 200 || undefined,
      60_000,
    );
    reached = 0;
  });
  after(async () => {
    await product?.stop();
    inside?.close();
    await database?.drop();
  });

  const test = (url: string) => product.api('POST', '/api/v1/monitor-test', { url });

  it('is not reached at its own addresses, at denied addresses or at its metrics port', async () => {
    const urls = [`http://${own}:${port}/`, `http://[::ffff:${own}]:${port}/`, `http://${DENIED}:${port}/`];
    for (const url of urls) {
      const { status, body } = await test(url);
      expect([status, body.error], url).to.deep.equal([400, 'validation_failed']);
      expect(body.details[0].message).to.include('egress policy');
    }
    const redirected = await test(`http://127.0.0.1:${port}/redirect`);
    expect(redirected.body.failureReason).to.include(`Checks may not connect to ${own}`);
    expect((await fetch(`http://${own}:${new URL(product.baseUrl).port}/health/live`)).status, 'the API').to.equal(200);
    const metrics = await fetch(`http://127.0.0.1:${product.metricsPort}/metrics`);
    expect(metrics.status, 'metrics on loopback').to.equal(200);
    const outside = await fetch(`http://${own}:${product.metricsPort}/metrics`).then(
      () => 'reached',
      () => 'refused',
    );
    expect(outside, 'metrics elsewhere').to.equal('refused');
    printFairnessFigure({
      attack: 14,
      measure: 'own addresses and metrics that were reached',
      before: 0,
      during: reached + (outside === 'reached' ? 1 : 0),
      limit: '0',
    });
    expect(reached).to.equal(0);
  });
});
