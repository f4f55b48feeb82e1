import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { startProduct, type Product } from '../support/product.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget, type Target } from '../support/target-server.js';

/** The shortest interval of a monitor, plus time for a slow machine. */
const INTERVAL_MS = 60_000;
const ROOM_MS = 120_000;
/** The first regular scheduled time may be a whole interval and the settling time away. */
const SETTLE_ROOM_MS = 10_000 + ROOM_MS;

describe('the whole product, with real processes', function () {
  this.timeout(15 * 60_000);
  let product: Product;
  let target: Target;

  before(async () => {
    [product, target] = await Promise.all([
      startProduct(),
      startTarget({ behaviour: answer({ body: 'all is well' }) }),
    ]);
    const { token } = await product.createAgent('northeurope', 'home');
    product.startAgent({ name: 'home', token });
  });
  after(async () => {
    await product?.stop();
    await target?.close();
  });

  it('an outage opens one incident with its evidence, and the recovery of the site closes it', async () => {
    const { api } = product;
    const created = await api('POST', '/api/v1/monitor', {
      name: 'shop',
      url: `${target.url}/`,
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 1,
    });
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    expect(created.body).to.include({ healthStatus: null, lastChecked: null, latestIncident: null });
    const path = `/api/v1/monitor/${created.body.id}`;
    const get = async () => (await api('GET', path)).body;

    const healthy = await eventually(
      'the first result',
      async () => {
        const monitor = await get();
        return monitor.latestTestResult ? monitor : undefined;
      },
      ROOM_MS,
    );
    expect(healthy.healthStatus).to.equal('available');
    expect(healthy.latestTestResult).to.include({ statusCode: 200, wasAvailable: true, failureReason: null });

    target.behave(answer({ status: 503, body: 'the shop is closed' }));
    const broken = await eventually(
      'the outage is seen',
      async () => {
        const monitor = await get();
        return monitor.healthStatus === 'unavailable' ? monitor : undefined;
      },
      INTERVAL_MS + SETTLE_ROOM_MS,
      500,
    );
    expect(broken.latestTestResult).to.include({ statusCode: 503, wasAvailable: false });
    expect(broken.latestIncident).to.include({ status: 'Ongoing', ended: null });
    const incidents = await api('GET', `${path}/incident`);
    expect(incidents.body).to.have.length(1);
    const incident = (await api('GET', `/api/v1/incident/${incidents.body[0].id}`)).body;
    expect(incident).to.include({ incidentType: 'Availability', severity: 'down', isClosed: false });
    expect(incident.failureReason).to.contain('503');
    expect(JSON.stringify(incident.context)).to.contain('the shop is closed');
    expect(incident.timeline.map((event: { type: string }) => event.type)).to.include.members([
      'opened',
      'region_failed',
    ]);

    target.behave(answer({ body: 'all is well' }));
    const recovered = await eventually(
      'the recovery is seen',
      async () => {
        const monitor = await get();
        return monitor.healthStatus === 'available' ? monitor : undefined;
      },
      INTERVAL_MS + ROOM_MS,
      500,
    );
    expect(recovered.latestIncident).to.include({ id: incident.id, status: 'Resolved' });
    const closed = (await api('GET', `/api/v1/incident/${incident.id}`)).body;
    expect(closed).to.include({ isClosed: true, closedBy: null });
    expect((await api('GET', '/api/v1/incident')).body, 'there is no other incident').to.have.length(1);

    const seen = target.requests.length;
    const availability = (await api('GET', `${path}/availability`)).body;
    expect(availability.totalChecks, 'every request that the target saw is one check').to.equal(seen);
    expect(availability).to.include({ healthyChecks: seen - 1, unhealthyChecks: 1 });
    const statuses: string[] = availability.timeline.map((span: { status: string }) => span.status);
    expect(statuses.at(0), 'the status before the first check is unknown').to.equal('unknown');
    expect(statuses).to.include.members(['available', 'unavailable']);
    const latency = (await api('GET', `${path}/latency`)).body;
    expect(latency.unit).to.equal('ms');
    expect(latency.p95).to.be.within(0, 5_000);
  });
});
