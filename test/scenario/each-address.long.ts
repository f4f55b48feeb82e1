import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Json, type Product, startProduct } from '../support/product.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget, type Target } from '../support/target-server.js';

describe('A site of which each address is checked', function () {
  this.timeout(900_000);
  let product: Product;
  let v4: Target;
  let v6: Target | undefined;

  before(async () => {
    v4 = await startTarget({ behaviour: answer() });
    product = await startProduct();
    expect((await product.api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    product.startAgent({ name: 'home', token: (await product.createAgent('northeurope', 'home')).token });
  });
  after(async () => {
    await Promise.all([v4?.close(), v6?.close()]);
    await product?.stop();
  });

  it('has a partial incident with its evidence while its IPv6 address is dead, which closes once that works', async () => {
    // The name of both loopback addresses on every machine (RFC 6761).
    const url = `http://shop.localhost:${v4.port}/`;
    const body = { url, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1, http: { addresses: 'each' } };
    const created = await product.api('POST', '/api/v1/monitor', body);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const path = `/api/v1/monitor/${created.body.id}`;
    const incidentOf = async (isClosed: boolean): Promise<Json> =>
      (await product.api('GET', `/api/v1/incident?monitorId=${created.body.id}&isClosed=${isClosed}`)).body[0];
    const open = await eventually('an incident', () => incidentOf(false), 240_000);
    const message = `1 of 2 addresses failed: [::1]:${v4.port} refused the connection.`;
    expect(open).to.include({ severity: 'partial', failureReason: message });
    const { body: incident } = await product.api('GET', `/api/v1/incident/${open.id}`);
    expect(
      incident.context.failures[0].evidence.addresses.map((one: Json) => [one.address, one.status]),
    ).to.have.deep.members([
      ['127.0.0.1', 'available'],
      ['::1', 'unavailable'],
    ]);
    const { body: monitor } = await product.api('GET', path);
    expect(monitor).to.include({ healthStatus: 'degraded' });
    expect(monitor.latestTestResult).to.include({ wasAvailable: false });
    expect(monitor.addresses.map((one: Json) => `${one.region} ${one.address} ${one.status}`)).to.have.members([
      'northeurope 127.0.0.1 available',
      'northeurope ::1 unavailable',
    ]);
    const { body: tested } = await product.api('POST', '/api/v1/monitor-test', {
      url,
      http: { addresses: 'each', eachMustWork: true },
    });
    expect(tested).to.include({ wasAvailable: false, failureReason: message });
    expect(tested.addresses).to.have.length(2);

    v6 = await startTarget({ behaviour: answer(), host: '::1', port: v4.port });
    // A changed monitor is checked at once.
    await product.api('PATCH', path, { http: { method: 'HEAD' } });
    await eventually('the incident is closed', () => incidentOf(true), 240_000);
    const { body: healthy } = await product.api('GET', path);
    expect(healthy.addresses.map(({ status }: Json) => status)).to.deep.equal(['available', 'available']);
  });
});
