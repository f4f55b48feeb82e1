import { expect } from 'chai';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { databaseForSuite } from '../../support/suite.js';
import { sampleRoutes, startSampleService, type SampleService } from './sample-service.js';

const NOTES = '/api/v1/notes';

describe('errors, limits and what is seen from outside', () => {
  const database = databaseForSuite();
  const services: SampleService[] = [];
  afterEach(() => Promise.all(services.splice(0).map((service) => service.close())));

  const start = async (overrides: Parameters<typeof startSampleService>[1] = {}) => {
    const service = await startSampleService(database.database, overrides);
    services.push(service);
    return service;
  };

  it('let no internals out, and log them under the id that the caller has', async () => {
    const service = await start();
    const answer = await service.call('POST', NOTES, {
      json: { name: 'broken' },
      headers: { 'x-request-id': 'my-request.1' },
    });
    expect([answer.status, answer.json.error, answer.json.requestId]).to.deep.equal([
      500,
      'internal_error',
      'my-request.1',
    ]);
    expect(answer.text).to.not.include('insides');
    expect(service.logLines.some((line) => line.includes('my-request.1') && line.includes('insides'))).to.equal(true);
  });

  it('name the time of the next try where the database is out of reach', async () => {
    const service = await start();
    const answer = await service.call('POST', NOTES, { json: { name: 'no database' } });
    expect([answer.status, answer.json.error, answer.headers.get('retry-after')]).to.deep.equal([
      503,
      'unavailable',
      '5',
    ]);
  });

  it('replace a request id that is not well-formed', async () => {
    const service = await start();
    const answer = await service.call('GET', NOTES, { headers: { 'x-request-id': 'no spaces please' } });
    expect(answer.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('cut off what takes too long', async () => {
    const service = await start({ deadlineMs: 50 });
    const answer = await service.call('POST', '/api/v1/held');
    expect([answer.status, answer.json.error]).to.deep.equal([503, 'unavailable']);
  });

  it('give a route more time where it declares a longer deadline', async () => {
    const state = { runs: 0, held: [] as (() => void)[] };
    const routes = sampleRoutes(state).map((route) =>
      route.path === '/api/v1/held' ? { ...route, deadlineMs: 60_000 } : route,
    );
    const service = await start({ deadlineMs: 50, routes });
    const answer = service.call('POST', '/api/v1/held');
    await eventually('the request', () => state.held[0], PATIENCE_MS, 5);
    await new Promise((resolve) => setTimeout(resolve, 100));
    state.held[0]!();
    expect((await answer).status).to.equal(200);
  });

  it('hold each principal to its rate, and report what is left', async () => {
    const service = await start({ config: { rateLimitPerMinute: 3 } });
    const first = await service.call('GET', NOTES);
    expect(first.headers.get('ratelimit-policy')).to.equal('"default";q=3;w=60, "owner";q=30;w=60');
    expect(first.headers.get('ratelimit')).to.match(/^"default";r=2;t=\d+, "owner";r=29;t=\d+$/);
    await service.call('GET', NOTES);
    await service.call('GET', NOTES, { token: 'alice-read' });
    const over = await service.call('GET', NOTES);
    expect([over.status, over.json.error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(over.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await service.call('GET', NOTES, { token: 'bob-viewer' })).status).to.equal(200);
    expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
  });

  it('hold an address to a number of refused tokens, and let others go on', async () => {
    const service = await start();
    const guess = (from: string, token: string) =>
      service.call('GET', NOTES, { token, headers: { 'x-forwarded-for': from } });
    for (let index = 0; index < 300; index++) await guess('2001:db8::1', 'forged');
    expect((await guess('2001:db8::2', 'forged')).status).to.equal(429);
    expect((await guess('2001:db8::2', 'alice-owner')).status, 'who shares it and has a token').to.equal(200);
    expect((await guess('2001:db8:1::1', 'alice-owner')).status).to.equal(200);
  });

  it('trust X-Forwarded-For from trusted proxies only', async () => {
    const trusting = await start();
    const address = async (service: SampleService, forwarded: string) =>
      (await service.call('GET', '/api/v1/public/address', { token: null, headers: { 'x-forwarded-for': forwarded } }))
        .json['address'];
    expect(await address(trusting, '203.0.113.9')).to.equal('203.0.113.9');
    expect(await address(trusting, '10.9.9.9, 203.0.113.9, 127.0.0.3')).to.equal('203.0.113.9');
    const wary = await start({ config: { trustProxyCidrs: [] } });
    expect(await address(wary, '203.0.113.9')).to.equal('127.0.0.1');
  });

  it('open the interface to pages of the given origins only', async () => {
    const service = await start();
    const preflight = (origin: string) =>
      service.call('OPTIONS', NOTES, { token: null, headers: { origin, 'access-control-request-method': 'POST' } });
    const allowed = await preflight('https://console.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([
      204,
      'https://console.example',
    ]);
    expect(allowed.headers.get('access-control-allow-headers')).to.include('Idempotency-Key');
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).to.equal(null);
    const refused = await service.call('GET', NOTES, { token: null, headers: { origin: 'https://console.example' } });
    expect(refused.headers.get('access-control-allow-origin'), 'also on errors').to.equal('https://console.example');
    expect(refused.headers.get('vary')).to.include('Origin');
  });

  it('send security headers with everything', async () => {
    const service = await start();
    for (const path of [NOTES, '/nowhere', '/swagger']) {
      const { headers } = await service.call('GET', path);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(headers.get('strict-transport-security')).to.include('max-age');
    }
  });

  it('count by route template, never by raw path, and log no query', async () => {
    const service = await start();
    await service.call('GET', '/api/v1/notes/11111111-1111-4111-8111-111111111111?token=hush');
    await service.call('GET', '/wp-admin.php');
    const metrics = await service.registry.metrics();
    expect(metrics).to.include('watchpost_http_requests_total{method="GET",route="/api/v1/notes/{id}",status="400"} 1');
    expect(metrics).to.include('route="unmatched",status="404"} 1');
    expect(metrics).to.not.include('1111');
    expect(metrics).to.not.include('wp-admin');
    const log = service.logLines.join('');
    expect(log).to.include('/wp-admin.php').and.not.include('hush').and.not.include('alice-owner');
  });

  it('mount what else there is before the routes, with the same id, headers and errors', async () => {
    const service = await start({
      extra: [
        (ctx, next) => {
          if (ctx.path === '/oauth/token') {
            ctx.respond = false;
            ctx.res.writeHead(200).end('from the provider');
            return undefined;
          }
          if (ctx.path === '/oauth/broken') throw new Error('provider internals');
          return next();
        },
      ],
    });
    const token = await service.call('POST', '/oauth/token', { token: null });
    expect([token.status, token.text]).to.deep.equal([200, 'from the provider']);
    expect(token.headers.get('x-request-id')).to.be.a('string');
    const broken = await service.call('GET', '/oauth/broken');
    expect([broken.status, broken.json.error]).to.deep.equal([500, 'internal_error']);
  });
});
