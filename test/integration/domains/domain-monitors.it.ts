import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type RdapServer, registration, sends, startRdapServer } from '../../support/rdap-server.js';
import { linkTo } from '../incidents/seed-evidence.js';
import { makeWorld, type World } from '../../support/seed.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('A monitor of type Domain', () => {
  let app: TestApp;
  let rdap: RdapServer;
  let world: World;
  let other: World;
  before(async () => {
    rdap = await startRdapServer(['test', 'com', 'uk']);
    app = await startTestApp({
      env: { DOMAIN_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
    });
    world = await makeWorld(app);
    other = await makeWorld(app);
  });
  after(async () => {
    await app?.stop();
    await rdap?.close();
  });

  const run = async () => {
    await app.plane.jobs.find(({ name }) => name === 'query_domains')!.run();
    await app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
  };
  const watch = async (url: string, domain: object = {}, by = world): Promise<string> => {
    const { status, body } = await by.api('POST', '/api/v1/monitor', { url, monitorTypes: ['Domain'], domain });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.id as string;
  };
  const statusOf = async (id: string, by = world) => (await by.api('GET', `/api/v1/monitor/${id}/domain-status`)).body;
  const healthOf = async (id: string) => (await world.api('GET', `/api/v1/monitor/${id}`)).body.healthStatus;
  const incidentsOf = async (id: string) =>
    (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body as {
      incidentType: string;
      failureReason: string;
    }[];
  const inDays = (days: number) => new Date(app.clock.now() + days * DAY_MS).toISOString();

  it('names its registered domain, and asks once for all monitors of it', async () => {
    rdap.answers.set('shop.test', registration('shop.test', { expires: inDays(300) }));
    const urls = ['https://a.b.shop.test/cart?x=1', 'SHOP.test', 'www.shop.test'];
    const ids = [];
    for (const url of urls) ids.push(await watch(url));
    const foreign = await watch('shop.test', {}, other);
    expect((await world.api('GET', `/api/v1/monitor/${ids[0]}`)).body).to.deep.include({
      url: 'shop.test',
      healthStatus: null,
      domain: { expiryThresholdDays: [30, 14, 7, 1], incidentDays: 7 },
    });
    expect(await statusOf(ids[0]!)).to.deep.include({ domain: 'shop.test', state: null, checkedAt: null });
    await run();
    await run();
    expect(rdap.asked.filter((name) => name === 'shop.test')).to.have.length(1);
    expect(await statusOf(ids[1]!)).to.deep.equal({
      monitorId: ids[1],
      domain: 'shop.test',
      state: 'ok',
      expiresAt: inDays(300),
      registrar: 'Example Registrar',
      statuses: ['active'],
      nameServers: ['ns1.example.net'],
      source: `${rdap.baseUrl}/rdap/domain/shop.test`,
      checkedAt: new Date(app.clock.now()).toISOString(),
    });
    expect((await statusOf(foreign, other)).state).to.equal('ok');
    expect(await healthOf(ids[2]!)).to.equal('available');
    expect((await other.api('GET', `/api/v1/monitor/${ids[0]}/domain-status`)).status).to.equal(404);
    app.clock.advance(12 * HOUR_MS - 60_000);
    await run();
    expect(rdap.asked.filter((name) => name === 'shop.test')).to.have.length(1);
    app.clock.advance(60_000);
    await run();
    expect(rdap.asked.filter((name) => name === 'shop.test')).to.have.length(2);
  });

  it('is refused where nobody can register the domain, and beside other types', async () => {
    for (const url of [
      'co.uk',
      'co.uk.',
      'https://com/',
      'xn--p1ai',
      'b\u00fc cher.test',
      '192.0.2.1',
      'localhost',
      'tcp://shop.test:1',
    ]) {
      const { status, body } = await world.api('POST', '/api/v1/monitor', { url, monitorTypes: ['Domain'] });
      expect([status, body.details?.[0]?.path], url).to.deep.equal([400, 'url']);
    }
    const body = {
      url: 'https://shop.test/',
      monitorTypes: ['Domain', 'HttpAvailability'],
      domain: { incidentDays: -1 },
    };
    const both = await world.api('POST', '/api/v1/monitor', body);
    expect(both.status).to.equal(400);
    expect(both.body.details.map(({ path }: { path: string }) => path)).to.include.members([
      'monitorTypes',
      'domain.incidentDays',
    ]);
  });

  it('is degraded with an incident from its days on, and fine once it is renewed', async () => {
    rdap.answers.set('late.test', registration('late.test', { expires: [inDays(2), 'no date', inDays(6.5)] }));
    const id = await watch('late.test.');
    await run();
    expect((await statusOf(id)).state).to.equal('expiring');
    expect(await healthOf(id)).to.equal('degraded');
    const [incident] = await incidentsOf(id);
    expect(incident).to.include({ incidentType: 'Domain' });
    expect(incident!.failureReason).to.match(/^The domain expires on .*2026\.$/);
    const [sent] = await app.sql<{ days: number }>(
      "SELECT (memory #>> '{domainNotice,thresholdDays}')::integer AS days FROM monitor_state JOIN monitor ON key = monitor_key WHERE id = $1",
      [id],
    );
    expect(sent).to.deep.equal({ days: 7 });
    rdap.answers.set('late.test', registration('late.test', { expires: inDays(371) }));
    app.clock.advance(12 * HOUR_MS);
    await run();
    expect(await healthOf(id)).to.equal('available');
    expect((await incidentsOf(id))[0]).to.include({ isClosed: true });
  });

  it('is shown in the evidence, its document and the diagnosis of its incident', async () => {
    const given = {
      expires: inDays(3),
      registrar: '<b>Names</b> Ltd',
      nameservers: ['ns1.example.net', 'ns2.example.net'],
    };
    rdap.answers.set('shown.test', registration('shown.test', given));
    const id = await watch('shown.test');
    await run();
    const [incident] = (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body as { id: string }[];
    const { body: evidence } = await world.api('GET', `/api/v1/incident/${incident!.id}/evidence`);
    expect(evidence.domain).to.deep.equal({
      domain: 'shown.test',
      state: 'expiring',
      expiresAt: inDays(3),
      registrar: '<b>Names</b> Ltd',
      statuses: ['active'],
      nameServers: ['ns1.example.net', 'ns2.example.net'],
      source: `${rdap.baseUrl}/rdap/domain/shown.test`,
    });
    const { body: diagnosis } = await world.api('GET', `/api/v1/incident/${incident!.id}/diagnosis`);
    expect(diagnosis.verdict.cause).to.equal('domain_expiring');
    expect(JSON.stringify(diagnosis.firstEvidence)).to.contain('Names').and.contain('shown.test');
    expect(diagnosis.missing).to.deep.equal([]);
    const page = await (await fetch(await linkTo(app, incident!.id))).text();
    expect(page).to.contain('What the registry answered').and.contain('&lt;b&gt;Names&lt;/b&gt; Ltd');
    expect(page).to.contain('ns1.example.net, ns2.example.net').and.contain('has a problem with its domain');
  });

  for (const status of ['client hold', 'server hold', 'redemption period', 'pending delete', 'clientHold']) {
    it(`is held by its status ${status}`, async () => {
      const name = `${status.replace(' ', '-').toLowerCase()}${status.length}.test`;
      rdap.answers.set(name, registration(name, { expires: inDays(200), status: ['active', status, 7] }));
      const id = await watch(name);
      await run();
      expect((await statusOf(id)).state).to.equal('held');
      expect((await incidentsOf(id))[0]!.failureReason).to.equal(
        `The registry holds the domain: ${status.toLowerCase()}.`,
      );
    });
  }

  it('is not found only by a second reading six hours later', async () => {
    rdap.answers.set('vanished.test', sends(404, ''));
    const vanished = await watch('vanished.test');
    const id = await watch('gone.test');
    await run();
    for (const one of [vanished, id]) expect((await statusOf(one)).state).to.equal('notFound');
    expect([await healthOf(id), (await incidentsOf(id)).length]).to.deep.equal([null, 0]);
    app.clock.advance(6 * HOUR_MS);
    await run();
    expect(await healthOf(id)).to.equal('degraded');
    expect((await incidentsOf(id))[0]!.failureReason).to.contain('not registered');
    expect(rdap.asked.filter((name) => name === 'gone.test')).to.have.length(2);
  });

  it('takes over an expiry that moves back by a second reading', async () => {
    rdap.answers.set('back.test', registration('back.test', { expires: inDays(300) }));
    const id = await watch('back.test');
    await run();
    const known = (await statusOf(id)).expiresAt;
    rdap.answers.set('back.test', registration('back.test', { expires: inDays(3) }));
    app.clock.advance(12 * HOUR_MS);
    await run();
    expect(await statusOf(id)).to.include({ state: 'ok', expiresAt: known });
    app.clock.advance(6 * HOUR_MS);
    await run();
    expect((await statusOf(id)).state).to.equal('expiring');
  });

  const circle = () => sends(302, '', { location: `${rdap.baseUrl}/rdap/domain/circle.test` });
  const NO_ANSWERS: Record<string, () => ReturnType<typeof sends>> = {
    'a 500': () => sends(500, '{}'),
    'a 503 with a page': () => sends(503, '<html></html>'),
    'a 404 with a page': () => sends(404, '<html><title>404 Not Found</title></html>'),
    'a 404 of no error': () => sends(404, '"not found"'),
    'a 400': () => sends(400, '{"errorCode":400}'),
    'a 403': () => sends(403, ''),
    'a page': () => sends(200, '<!doctype html><title>Parked</title>'),
    'an empty answer': () => sends(200, ''),
    'other JSON': () => sends(200, '{"hello":"world"}'),
    'a list': () => sends(200, '[]'),
    null: () => sends(200, 'null'),
    'a cut answer': () => sends(200, '{"objectClassName":"domain","ldhName":"x'),
    'another class': () => sends(200, '{"objectClassName":"entity","ldhName":"bad.test"}'),
    'another domain': () => registration('elsewhere.test'),
    'a domain without a name': () => sends(200, '{"objectClassName":"domain"}'),
    'a redirect in a circle': circle,
    'a redirect without a place': () => sends(302, ''),
    'a redirect to another scheme': () => sends(302, '', { location: 'file:///etc/passwd' }),
    'a redirect into a refused network': () => sends(302, '', { location: 'http://10.0.0.1/domain/x' }),
    'an oversized answer': () =>
      sends(200, JSON.stringify({ objectClassName: 'domain', padding: 'x'.repeat(700_000) })),
    'deep JSON': () => sends(200, '{"objectClassName":"domain","ldhName":' + '['.repeat(500_000)),
    'deep JSON in what is not read': () =>
      sends(200, `{"objectClassName":"domain","ldhName":"x.test","notices":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
    'a compressed answer that nobody asked for': () => (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(50_000_000, '{')));
    },
    'gigantic headers': () => sends(200, '{}', { 'x-padding': 'x'.repeat(200_000) }),
    'a cut connection': () => (request) => request.socket.destroy(),
    'a broken body': () => (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{');
      response.destroy();
    },
  };
  it('is unreachable, and neither healthy nor at fault, by what is no answer', async () => {
    rdap.answers.set('circle.test', circle());
    const ids = new Map<string, string>();
    for (const [index, [what, answer]] of Object.entries(NO_ANSWERS).entries()) {
      rdap.answers.set(`bad${index}.test`, answer());
      ids.set(what, await watch(`bad${index}.test`));
    }
    await run();
    for (const [what, id] of ids) {
      expect((await statusOf(id)).state, what).to.equal('unreachable');
      expect([await healthOf(id), (await incidentsOf(id)).length], what).to.deep.equal([null, 0]);
    }
  });

  const UNREADABLE = [
    'soon',
    '',
    '2026-99-99T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2027-01-01',
    '2027-01-01T00:00:00',
    'Fri, 01 Jan 2027 00:00:00 GMT',
    '+012027-01-01T00:00:00Z',
    '2027-01-01T00:00:00Z\u0000',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00Z',
  ];
  it('is not offered where the registry names no date or has no RDAP', async () => {
    rdap.answers.set('undated.test', registration('undated.test', { expires: UNREADABLE }));
    const names = ['undated.test', 'shop.example'];
    const ids = [];
    for (const name of names) ids.push(await watch(name));
    await run();
    for (const id of ids) {
      expect((await statusOf(id)).state).to.equal('notOffered');
      expect([await healthOf(id), (await incidentsOf(id)).length]).to.deep.equal([null, 0]);
    }
  });

  it('asks in ASCII for a domain in other letters', async () => {
    rdap.answers.set('xn--bcher-kva.test', registration('xn--bcher-kva.test', { expires: inDays(90) }));
    const id = await watch('https://www.B\u00fccher.test/');
    await run();
    expect(await statusOf(id)).to.include({ domain: 'xn--bcher-kva.test', state: 'ok' });
  });

  it('lets a registry alone that asks for it', async () => {
    rdap.answers.set('busy.com', sends(429, '', { 'retry-after': '3600' }));
    await watch('busy.com');
    await run();
    rdap.answers.set('calm.com', registration('calm.com'));
    const id = await watch('calm.com');
    await run();
    expect(rdap.asked).to.not.include('calm.com');
    app.clock.advance(HOUR_MS);
    await run();
    expect((await statusOf(id)).state).to.equal('ok');
  });

  it('waits for no more than a turn of an owner with many domains', async () => {
    for (let index = 0; index < 70; index++) {
      const name = `many${index}.test`;
      rdap.answers.set(name, registration(name));
      await watch(name);
    }
    rdap.answers.set('zz-one.test', registration('zz-one.test'));
    const id = await watch('zz-one.test', {}, other);
    await run();
    expect((await statusOf(id, other)).state).to.equal('ok');
    expect(rdap.asked.filter((name) => name.startsWith('many'))).to.have.length.below(70);
  });
});
