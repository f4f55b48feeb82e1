import { expect } from 'chai';
import { createAuthority } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { records, startNameServer, type NameServer } from '../../support/name-server.js';
import { startProduct, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';

describe('Warnings from a real agent', function () {
  let product: Product;
  let site: Target;
  let names: NameServer;

  before(async () => {
    const authority = await createAuthority();
    site = await startTarget({ behaviour: answer(), tls: await authority.issue({ names: ['other.test'] }) });
    names = await startNameServer({ behaviour: records([{ name: 'shop.test', type: 'A', data: '192.0.2.7' }]) });
    product = await startProduct();
    expect((await product.api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    product.startAgent({ name: 'home', token: (await product.createAgent('northeurope', 'home')).token });
  });
  after(async () => {
    await Promise.all([names.close(), site.close()]);
    await product.stop();
  });

  /** For three checks: on a busy machine, one can be inconclusive. */
  const INCIDENT_DEADLINE_MS = 150_000;

  const incidentOf = async (body: object) => {
    const made = await product.api('POST', '/api/v1/monitor', {
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 1,
      ...body,
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { id } = made.body;
    const summary = await eventually(
      'an incident',
      async () => (await product.api('GET', `/api/v1/incident?monitorId=${id}`)).body[0],
      INCIDENT_DEADLINE_MS,
      100,
    );
    const { body: monitor } = await product.api('GET', `/api/v1/monitor/${id}`);
    return { incident: (await product.api('GET', `/api/v1/incident/${summary.id}`)).body, monitor };
  };

  it('open incidents with evidence for a certificate of another host, unexpected DNS records and a slow site', async () => {
    const url = `https://127.0.0.1:${site.port}/`;
    const [certificate, name, slow] = await Promise.all([
      incidentOf({ url, monitorTypes: ['SslCertificate'] }),
      incidentOf({
        url: 'shop.test',
        monitorTypes: ['Dns'],
        dns: {
          recordTypes: ['A'],
          resolvers: [`127.0.0.1:${names.port}`],
          expectedRecords: { A: { match: 'exact', values: ['192.0.2.9'] } },
        },
      }),
      incidentOf({
        url,
        monitorTypes: ['HttpAvailability', 'Latency'],
        http: { verifyCertificate: false },
        latency: { thresholdMs: 1, windowChecks: 1 },
      }),
    ]);
    expect(certificate.incident).to.include({ incidentType: 'SslExpiry', severity: 'warning' });
    expect(certificate.incident.failureReason).to.contain('other.test');
    expect(certificate.incident.context.certificate).to.deep.include({ isValid: false, hostnameMatches: false });
    expect(certificate.incident.context.failures[0].timings.tls).to.be.above(0);
    expect(certificate.monitor.sslStatus).to.include({ isValid: false });

    expect(name.incident).to.include({ incidentType: 'Dns', severity: 'warning' });
    expect(name.incident.context.dns[0]).to.deep.include({ region: 'northeurope', before: null });
    expect(name.incident.context.dns[0].after.records).to.deep.equal({ A: ['192.0.2.7'] });

    expect(slow.incident).to.include({ incidentType: 'Latency', severity: 'warning' });
    expect(slow.incident.context.latency).to.include({ thresholdMs: 1, percentile: 95, windowChecks: 1 });
    expect(slow.incident.context.latency.value).to.be.above(1);
    for (const { monitor } of [certificate, name, slow]) expect(monitor.healthStatus).to.equal('degraded');
  });
});
