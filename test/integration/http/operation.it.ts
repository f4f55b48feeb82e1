import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { answerHealthOnly, answerWhileStarting } from '@watchpost/control-plane/platform/http/health-listener';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import { createMetricsServer } from '@watchpost/control-plane/platform/http/metrics-server';
import { sampleRoutes, startSampleService, type SampleService } from './sample-service.js';
import { databaseForSuite } from '../../support/suite.js';

describe('operating the HTTP server', () => {
  const database = databaseForSuite();
  let service: SampleService;
  beforeEach(async () => {
    service = await startSampleService(database.database);
  });
  afterEach(() => service?.close());

  it('reports the state of the service', async () => {
    const healthy = await service.call('GET', '/health', { token: null });
    expect(healthy.status).to.equal(200);
    expect(healthy.json).to.deep.equal({ status: 'ok', version: '1.2.3', checks: { database: { status: 'ok' } } });
    expect((await service.call('GET', '/health/ready', { token: null })).status).to.equal(200);
    expect((await service.call('GET', '/health/live', { token: null })).json).to.deep.equal({
      status: 'ok',
      version: '1.2.3',
    });
  });

  it('names the contacts for vulnerabilities as RFC 9116 has it, and is not found without any', async () => {
    const { status, text, headers } = await service.call('GET', '/.well-known/security.txt', { token: null });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const fields = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2));
    expect(fields.map(([name]) => name)).to.deep.equal(['Contact', 'Contact', 'Expires', 'Canonical']);
    expect(fields[0]![1]).to.equal('mailto:security@watch.example');
    expect(Date.parse(fields[2]![1]!) - service.clock.now()).to.equal(30 * 86_400_000);
    const silent = await startSampleService(database.database, { config: { securityContacts: [] } });
    expect((await silent.call('GET', '/.well-known/security.txt', { token: null })).status).to.equal(404);
    await silent.close();
  });

  it('answers 503 where a dependency is down, or does not answer', async () => {
    service.health = {
      status: 'unavailable',
      checks: { database: { status: 'unavailable', message: 'It cannot be reached.' } },
    };
    const sick = await service.call('GET', '/health', { token: null });
    expect([sick.status, sick.json['status']]).to.deep.equal([503, 'unavailable']);
    const failing = await startSampleService(database.database, {
      health: { check: () => Promise.reject(new Error('internals')) },
    });
    const failed = await failing.call('GET', '/health/ready', { token: null });
    expect([failed.status, failed.text.includes('internals')]).to.deep.equal([503, false]);
    await failing.close();
  });

  it('reports the health of a process that starts, and of one without the role "api"', async () => {
    let status: 'ok' | 'unavailable' = 'unavailable';
    let answer = answerWhileStarting('1.2.3');
    const listener = await listenHttp((request, response) => answer(request, response), { host: '127.0.0.1', port: 0 });
    const statuses = () =>
      Promise.all(
        ['/health/live?x=1', '/health/ready', '/health', '/api/v1/user'].map(
          async (path) => (await fetch(`http://127.0.0.1:${listener.port}${path}`)).status,
        ),
      );
    expect(await statuses(), 'it starts').to.deep.equal([200, 503, 503, 503]);
    answer = answerHealthOnly('1.2.3', async () => ({ status, checks: {} }));
    expect(await statuses(), 'its database is down').to.deep.equal([200, 503, 503, 404]);
    status = 'ok';
    answer = answerHealthOnly('1.2.3', async () => ({ status, checks: {} }));
    expect(await statuses(), 'it works').to.deep.equal([200, 200, 200, 404]);
    await listener.close(1_000);
  });

  it('finishes what runs when it is closed, takes nothing new, and closes idle connections', async () => {
    const agent = new Agent({ keepAlive: true });
    const idle = httpRequest(`${service.url}/health/live`, { agent });
    idle.end();
    const [idleAnswer] = (await once(idle, 'response')) as [IncomingMessage];
    idleAnswer.resume();
    await once(idleAnswer, 'end');
    const running = service.call('POST', '/api/v1/held');
    while (service.held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = service.close();
    const refused = connect(service.listener.port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNREFUSED');
    service.held[0]!();
    const answer = await running;
    expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
    await closed;
    agent.destroy();
  });

  it('cuts off what does not end by the deadline of closing', async () => {
    const running = service.call('POST', '/api/v1/held').catch((error: unknown) => error);
    while (service.held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await service.listener.close(50);
    expect(await running).to.be.instanceOf(Error);
  });

  it('refuses to start on routes that are not declared soundly, naming every fault', async () => {
    const [list, one] = sampleRoutes();
    const unsound = [
      list!,
      { ...list!, query: one!.params! },
      { ...one!, operationId: 'x', path: '/api/v1/x/{other}', scopes: ['monitor.paint'] },
    ];
    const error = await startSampleService(database.database, { routes: unsound }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message)
      .to.match(/declared twice: listNotes/)
      .and.match(/a list needs/)
      .and.match(/other has no schema/)
      .and.match(/no scope monitor.paint/);
  });

  it('does not wait for callers who dribble', async () => {
    const slowSenders = { headersMs: 1_000, requestMs: 1_500, checkedEveryMs: 100 };
    const listener = await listenHttp((request, response) => void request.resume().once('end', () => response.end()), {
      host: '127.0.0.1',
      port: 0,
      slowSenders,
    });
    for (const start of [
      'GET / HTTP/1.1\r\nHost: x\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc',
    ]) {
      const socket = connect(listener.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).write(start);
      await once(socket, 'close');
      expect(answer).to.match(/^HTTP\/1.1 408 /);
    }
    await listener.close(100);
  });

  it('holds no answer for a caller who does not read it', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024);
    const listener = await listenHttp((_request, response) => response.end(body), {
      host: '127.0.0.1',
      port: 0,
      stalledMs: 100,
    });
    const cut = new Promise((resolve) => listener.server.once('connection', (peer) => peer.once('close', resolve)));
    const socket = connect(listener.port, '127.0.0.1').pause();
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await cut;
    socket.destroy();
    await listener.close(100);
  });

  it('serves metrics on a port of their own', async () => {
    const registry = new Registry();
    const server = createMetricsServer(registry).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([metrics.status, metrics.headers.get('content-type')]).to.deep.equal([200, registry.contentType]);
    await metrics.text();
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).to.equal(404);
    server.closeAllConnections();
    server.close();
  });
});
