import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import { dnsHistoryEntrySchema, sslResultSchema } from '@watchpost/control-plane/capabilities/verdicts/index';
import { createAuthority } from '../../support/certificates.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { records, startNameServer, type NameServer } from '../../support/name-server.js';
import { startProduct, type Api, type Product } from '../../support/product.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { canPing } from '@watchpost/agent/probes/run-ping';
import { AgentClient } from '../fleet/agent-client.js';

describe('monitors of every type, through the whole product', function () {
  let product: Product;
  let api: Api;
  let site: Target;
  /** Its authority is trusted by nobody. */
  let untrusted: Target;
  let names: NameServer;
  let service: Server;
  const echo = createSocket('udp4');

  before(async () => {
    const authority = await createAuthority();
    site = await startTarget({
      behaviour: answer(),
      tls: await authority.issue({ names: ['shop.test', '127.0.0.1'] }),
    });
    const stranger = await createAuthority('Stranger');
    untrusted = await startTarget({
      behaviour: answer(),
      tls: await stranger.issue({ names: ['shop.test', '127.0.0.1'] }),
    });
    const other = await createAuthority('Other');
    names = await startNameServer({
      behaviour: records([
        { name: 'shop.test', type: 'A', data: '192.0.2.7' },
        { name: 'shop.test', type: 'MX', data: { preference: 10, exchange: 'mx.shop.test' } },
      ]),
    });
    service = createServer((socket) => socket.on('data', () => socket.end('PONG\r\n')).on('error', () => {}));
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    echo.on('message', (message, from) => echo.send(message, from.port, from.address));
    echo.bind(0, '127.0.0.1');
    await once(echo, 'listening');

    product = await startProduct();
    api = product.api;
    expect((await api('GET', '/api/v1/workspaces')).status).to.equal(200);
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    const roots = join(product.dataDir, 'roots.pem');
    writeFileSync(roots, other.rootPem + authority.rootPem);
    const { token } = await product.createAgent('northeurope', 'home');
    product.startAgent({ name: 'home', token, env: { NODE_EXTRA_CA_CERTS: roots } });
  });
  after(async () => {
    echo.close();
    service.close();
    await Promise.all([names.close(), site.close(), untrusted.close()]);
    await product.stop();
  });

  const create = async (body: object): Promise<string> => {
    const { status, body: monitor } = await api('POST', '/api/v1/monitor', { checkInterval: 'PT1M', ...body });
    expect(status, JSON.stringify(monitor)).to.equal(201);
    return monitor.id;
  };
  const checked = (id: string) =>
    eventually(
      `the first result of ${id}`,
      async () => {
        const { body } = await api('GET', `/api/v1/monitor/${id}`);
        return body.latestTestResult ? body : undefined;
      },
      PATIENCE_MS,
      100,
    );
  const portOf = (of: Server) => (of.address() as AddressInfo).port;
  const resolvers = () => [`127.0.0.1:${names.port}`];

  it('ping where the machine of an agent can, and are refused with the reason where none of a region can', async () => {
    const body = { url: '127.0.0.1', monitorTypes: ['Ping'], checkInterval: 'PT1M' };
    await checked(await create({ url: `http://127.0.0.1:${site.port}/`, monitorTypes: ['HttpAvailability'] }));
    if (await canPing('ping')) {
      const { latestTestResult } = await checked(await create(body));
      expect(latestTestResult.ping).to.include({ sent: 5, received: 5 });
      const test = await api('POST', '/api/v1/monitor-test/ping', { url: '127.0.0.1', ping: { count: 2 } });
      expect(test.body).to.deep.include({ outcome: 'up' });
      expect(test.body.ping).to.include({ sent: 2, received: 2 });
    } else {
      const { status, body: refused } = await api('POST', '/api/v1/monitor', body);
      expect(status).to.equal(400);
      expect(refused.details[0].message)
        .to.contain('cannot have Ping in northeurope')
        .and.contain('the program `ping`');
    }
  });

  it('talk to a service by a script, as a monitor and in a test, whose steps are checked', async () => {
    const url = `tcp://127.0.0.1:${portOf(service)}`;
    const tcpUdp = { script: [{ send: 'PING\r\n' }, { expect: '^PO[NM]G' }] };
    const monitor = await checked(await create({ url, monitorTypes: ['TcpUdp'], tcpUdp }));
    expect(monitor.latestTestResult).to.include({ wasAvailable: true });
    expect(monitor.tcpUdp).to.deep.include({ ...tcpUdp, preset: null });
    const test = await api('POST', '/api/v1/monitor-test/tcp', { url, tcpUdp: { preset: 'redis' } });
    expect(test.body).to.deep.include({ outcome: 'down' });
    expect(test.body.failureReason).to.contain('step 2 expects');
    const steps = [{ expect: '(' }, { expectHex: 'f' }, { send: 'a', startTls: true }, {}, { send: 'hex:x' }];
    const refused = await api('POST', '/api/v1/monitor-test/tcp', { url, tcpUdp: { script: steps } });
    expect(refused.status).to.equal(400);
    expect(refused.body.details.map(({ path }: { path: string }) => path)).to.include.members([
      'tcpUdp.script.0.expect',
      'tcpUdp.script.1.expectHex',
      'tcpUdp.script.4.send',
    ]);
    const secured = `tcp://127.0.0.1:${site.port}`;
    const certificate = await api('POST', '/api/v1/monitor-test/ssl', { url: secured, startTls: 'postgres' });
    expect(certificate.body.failureReason).to.match(/step 2 expects|closed the connection|reset the connection/);
    const missing = await api('POST', '/api/v1/monitor-test/ssl', { url });
    expect(missing.body.details).to.deep.equal([
      { path: 'startTls', message: 'is required for the certificate of a tcp:// URL' },
    ]);
  });

  it('are created by REST, checked by an agent within 10 s, and have results', async () => {
    const ids = await Promise.all([
      create({
        url: `https://127.0.0.1:${site.port}/`,
        monitorTypes: ['HttpAvailability', 'SslCertificate'],
      }),
      create({
        url: 'shop.test',
        monitorTypes: ['Dns'],
        dns: {
          recordTypes: ['A'],
          resolvers: resolvers(),
          expectedRecords: { MX: { match: 'exact', values: ['10 mx.shop.test'] } },
        },
      }),
      create({
        url: `tcp://127.0.0.1:${portOf(service)}`,
        monitorTypes: ['TcpUdp'],
        tcpUdp: { send: 'PING\r\n', expect: 'PONG' },
      }),
      create({
        url: `udp://127.0.0.1:${echo.address().port}`,
        monitorTypes: ['TcpUdp'],
        tcpUdp: { send: 'hex:00 ff', expect: 'hex:00ff' },
      }),
    ]);
    const [web, name, tcp, udp] = await Promise.all(ids.map(checked));
    for (const monitor of [web, name, tcp, udp]) {
      expect(monitor.latestTestResult, monitor.url).to.include({ wasAvailable: true, failureReason: null });
      expect(monitor.nextCheck).to.be.a('string');
    }
    expect(names.asked.map(({ question }) => question.type)).to.include.members(['A', 'MX']);

    const ssl = await eventually(
      'the certificate',
      async () => {
        const { body } = await api('GET', `/api/v1/monitor/${ids[0]}/ssl-status`);
        return body.checkedAt === null ? undefined : body;
      },
      PATIENCE_MS,
      100,
    );
    expect(ssl).to.deep.include({
      monitorId: ids[0],
      hostnameMatches: true,
      // The authority is the second one of the agent's NODE_EXTRA_CA_CERTS.
      chainTrusted: true,
      isValid: true,
      region: 'northeurope',
    });
    expect(ssl.subjectAltNames).to.include('shop.test');
    expect(ssl.chain, 'leaf, intermediate and the known root').to.have.length(3);
    const { body: dns } = await api('GET', `/api/v1/monitor/${ids[1]}/dns-history`);
    expect(dns.history[0]).to.deep.include({
      resolver: `127.0.0.1:${names.port}`,
      records: { A: ['192.0.2.7'], MX: ['10 mx.shop.test'] },
      failureReason: null,
    });
  });

  it('answer the assertions of a one-off test, and are degraded by one of severity degraded', async () => {
    const degraded = { source: 'body', comparison: 'contains', target: 'quick', severity: 'degraded' };
    const given = {
      url: `https://127.0.0.1:${site.port}/`,
      http: { assertions: [{ source: 'certificateDays', comparison: 'greaterThan', target: 0 }, degraded] },
    };
    const sentence = 'The body is "ok" instead of containing "quick"';
    const { body: tested } = await api('POST', '/api/v1/monitor-test', given);
    expect(tested).to.include({ wasAvailable: true, failureReason: null });
    expect(tested.assertions).to.have.length(2);
    expect(tested.assertions[0]).to.include({ index: 0, passed: true, message: null });
    expect(tested.assertions[1]).to.deep.equal({
      index: 1,
      passed: false,
      expected: 'containing "quick"',
      actual: '"ok"',
      message: `${sentence}.`,
    });
    const id = await create({ ...given, numberOfChecksBeforeAlert: 1 });
    const monitor = await eventually(
      'the degraded monitor',
      async () => {
        const { body } = await api('GET', `/api/v1/monitor/${id}`);
        return body.healthStatus === 'degraded' ? body : undefined;
      },
      PATIENCE_MS,
      100,
    );
    expect(monitor.latestTestResult).to.include({ wasAvailable: true });
  });

  it('have the sentence of their fault when they are down', async () => {
    const closed = createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const port = portOf(closed);
    closed.close();
    // Servers of other tests take free ports of 127.0.0.1, and may take this one.
    const nobody = `127.0.0.98:${port}`;
    const reasons = await Promise.all(
      [
        { url: `https://127.0.0.1:${untrusted.port}/`, monitorTypes: ['SslCertificate'] },
        { url: 'nobody.test', monitorTypes: ['Dns'], dns: { resolvers: resolvers() } },
        {
          url: 'shop.test',
          monitorTypes: ['Dns'],
          dns: { resolvers: resolvers(), expectedRecords: { A: { match: 'any', values: ['192.0.2.99'] } } },
        },
        { url: `tcp://${nobody}`, monitorTypes: ['TcpUdp'] },
        { url: `udp://${nobody}`, monitorTypes: ['TcpUdp'] },
      ].map(async (body) => (await checked(await create(body))).latestTestResult.failureReason),
    );
    expect(reasons[0]).to.match(
      /^The certificate of 127\.0\.0\.1 is issued by .+, which is not a trusted authority\.$/,
    );
    expect(reasons[1]).to.match(/^The name nobody\.test does not exist according to the resolver .+ \(NXDOMAIN\)\.$/);
    expect(reasons[2]).to.equal('The A records of shop.test do not include 192.0.2.99; they are 192.0.2.7.');
    expect(reasons[3]).to.equal(`The server at ${nobody} refused the connection.`);
    expect(reasons[4]).to.equal(`The machine at ${nobody} reports that the UDP port is closed.`);
  });

  it('are refused in a region whose agents cannot run them, and accepted where no agent is connected', async () => {
    const { token } = await product.createAgent('eastus2', 'old');
    const old = new AgentClient(product.grpcPort, token).connect({ capabilities: ['http', 'dns'] });
    const body = (...enabledRegions: string[]) => ({
      url: `https://127.0.0.1:${site.port}/`,
      monitorTypes: ['HttpAvailability', 'SslCertificate'],
      enabledRegions,
    });
    try {
      const refused = await eventually('the refusal', async () => {
        const { status, body: answered } = await api('POST', '/api/v1/monitor', body('eastus2', 'japaneast'));
        return status === 201 ? undefined : { status, details: answered.details };
      });
      const message =
        'cannot have SslCertificate in eastus2: no agent that is connected there can run it. Upgrade an agent of eastus2, or leave the region out';
      expect(refused).to.deep.equal({ status: 400, details: [{ path: 'enabledRegions', message }] });
      const path = `/api/v1/monitor/${await create(body('japaneast'))}`;
      expect((await api('PUT', path, { enabledRegions: ['eastus2'] })).status).to.equal(400);
      const { status } = await api('PUT', path, { enabledRegions: ['eastus2'], monitorTypes: ['HttpAvailability'] });
      expect(status).to.equal(200);
    } finally {
      old.disconnect();
    }
  });

  it('can be tested once: a gRPC server without the health protocol is no fault of the service', async () => {
    const bare = new GrpcServer();
    try {
      const port = await new Promise<number>((resolve, reject) => {
        bare.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
          error ? reject(error) : resolve(bound),
        );
      });
      const { status, body } = await api('POST', '/api/v1/monitor-test/grpc', { url: `grpc://127.0.0.1:${port}` });
      expect([status, body.outcome, body.wasAvailable]).to.deep.equal([200, 'inconclusive', false]);
      expect(body.failureReason).to.include('Register the service grpc.health.v1.Health');
    } finally {
      bare.forceShutdown();
    }
  });

  it('can be tested once: a server that speaks HTTP, and no WebSocket', async () => {
    const { status, body } = await api('POST', '/api/v1/monitor-test/websocket', {
      url: `ws://127.0.0.1:${portOf(service)}/feed`,
      webSocket: { expect: 'pong' },
    });
    expect([status, body.wasAvailable]).to.deep.equal([200, false]);
    expect(body.failureReason).to.match(/WebSocket/);
  });

  it('can be tested once before they are created: a certificate and a name', async () => {
    const ssl = await api('POST', '/api/v1/monitor-test/ssl', { url: `https://127.0.0.1:${untrusted.port}/x` });
    expect(ssl.status).to.equal(200);
    sslResultSchema.parse(ssl.body);
    expect(ssl.body).to.include({
      isValid: false,
      chainTrusted: false,
      hostnameMatches: true,
      region: 'northeurope',
      ocspStapled: false,
    });
    expect(ssl.body.subjectAltNames).to.include('shop.test');
    expect(ssl.body.failureReason).to.contain('not a trusted authority');
    const refused = await api('POST', '/api/v1/monitor-test/ssl', { url: `https://127.0.0.1:${portOf(service)}/` });
    expect(refused.status).to.equal(200);
    expect(refused.body).to.include({ isValid: null, subject: null });
    expect(refused.body.failureReason).to.contain('does not speak TLS');

    const dns = await api('POST', '/api/v1/monitor-test/dns', {
      hostname: 'Shop.test',
      recordTypes: ['A', 'AAAA'],
      resolvers: resolvers(),
    });
    expect(dns.status, JSON.stringify(dns.body)).to.equal(200);
    dnsHistoryEntrySchema.parse(dns.body);
    expect(dns.body).to.deep.include({
      region: 'northeurope',
      resolver: `127.0.0.1:${names.port}`,
      records: { A: ['192.0.2.7'], AAAA: [] },
      changed: false,
      changes: [],
      failureReason: null,
    });
    expect(dns.body.responseTime).to.be.above(0);
    for (const [path, body] of [
      ['ssl', { url: 'http://127.0.0.1/' }],
      ['ssl', { url: 'https://10.0.0.1/' }],
      ['dns', { hostname: 'https://shop.test' }],
      ['dns', { hostname: '192.0.2.1' }],
      ['dns', { hostname: 'shop.test', resolvers: ['10.0.0.1'] }],
    ] as const)
      expect((await api('POST', `/api/v1/monitor-test/${path}`, body)).status, JSON.stringify(body)).to.equal(400);
  });
});
