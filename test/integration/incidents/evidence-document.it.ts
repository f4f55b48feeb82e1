import { expect } from 'chai';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp } from '../../support/app.js';
import { create, makeWorld, nobodysId, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { change } from '../../support/seed-alerts.js';
import { appForSuite } from '../../support/suite.js';
import { answer, certificate, down } from '../verdicts/detail-seed.js';
import { NOON, resultOf, UP } from '../results/seed.js';
import { EVIDENCE, file, linkTo, seedDay, seedOutage, seedWatched } from './seed-evidence.js';

const AS_PAGE = { headers: { accept: 'text/html' } };

describe('the evidence document of an incident', () => {
  const app = appForSuite();
  let world: World;

  before(async () => {
    app.clock.set(NOON - 25 * 60 * MINUTE_MS);
    await app.plane.partitions.makeAhead();
  });
  beforeEach(async () => {
    app.clock.set(NOON - 25 * 60 * MINUTE_MS);
    world = await makeWorld(app, 'Enterprise');
    app.clock.set(NOON);
  });

  const look = (url: string, init: RequestInit = AS_PAGE) => fetch(url, { redirect: 'error', ...init });
  /** The visible text, on one line. */
  async function read(incidentId: string): Promise<string> {
    const page = await look(await linkTo(app, incidentId));
    expect(page.status).to.equal(200);
    return wordsOf(await page.text());
  }
  const wordsOf = (html: string) =>
    html
      .replace(/<style>[^]*?<\/style>/, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  const someIncident = async () => {
    const { id } = await seedMonitor(world);
    return { monitorId: id, incidentId: await seedIncident(world, id) };
  };

  it('shows the problem, its start and state, the verdict of each region, and the evidence', async () => {
    const watched = await seedWatched(world);
    await seedDay(world, watched);
    const text = await read(await seedOutage(world, watched));
    for (const part of [
      'Shop is partly down',
      'status 503 Service Unavailable',
      'Open, not acknowledged',
      'Monitor Shop, https://shop.example/checkout',
      'Since 21 Nov 2026, 12:00 UTC',
      'For 3 min',
      'northeurope OK',
      'eastus2 Down',
      'southeastasia Down',
      'Virginia, United States, 12:00:01',
      'First byte 218 ms',
      'Connected to 203.0.113.7:443',
      'server nginx/1.27',
      '&lt;h1&gt;Out of order&lt;/h1&gt;',
      'Second opinion',
      'Arizona, United States, 12:00:02 : Failed there too',
      'The 24 hours around it',
      'The average of successful checks, up to',
      '12:00:02 The incident opened.',
      'It fails from Virginia, United States.',
    ])
      expect(text, part).to.include(part);
  });

  it('shows the way to the address beside the last good one, without private addresses', async () => {
    const incidentId = await seedOutage(world, await seedWatched(world));
    const text = await read(incidentId);
    for (const part of [
      'The way to 203.0.114.7:443 ends after 3 hops, at 8.8.4.4: nothing beyond it answered.',
      'beside the last good one of 02:00:05',
      '1 a private address 0.5 ms a private address 0.5 ms',
      '2 no answer',
      '3 &lt;b&gt;core&lt;/b&gt;.example 8.8.4.4 9.3 ms',
    ])
      expect(text, part).to.include(part);
    expect(text).to.not.match(/10\.20\.30|gate\.internal/);
  });

  it('shows the end, the duration and the person who closed it', async () => {
    const watched = await seedWatched(world);
    const incidentId = await seedOutage(world, watched);
    const ann = await world.member('Responder');
    await ann.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    expect(await read(incidentId)).to.include(`Open, acknowledged by The ${ann.sub} on 21 Nov 2026, 12:03 UTC`);
    app.clock.set(NOON + 5 * MINUTE_MS + 2_000);
    for (const region of ['eastus2', 'southeastasia'] as const)
      await file(app, region, [resultOf(watched.key, NOON + 5 * MINUTE_MS)]);
    const text = await read(incidentId);
    expect(text).to.include('Shop was partly down').and.to.include('Over, closed because it recovered');
    expect(text)
      .to.include('Lasted 5 min')
      .and.to.include('It recovered.')
      .and.to.include('It was closed because it recovered.');
    expect(text, 'the verdict of that time')
      .to.include('Virginia, United States eastus2 Down until 12:05:02 4 of 5 checks failed.')
      .and.to.include('northeurope Was OK');
    const other = await someIncident();
    await ann.api('PATCH', `/api/v1/incident/${other.incidentId}`, { status: 'Resolved' });
    expect(await read(other.incidentId)).to.include(`Over, closed by The ${ann.sub}`);
  });

  it('never shows a region without fresh results as fine', async () => {
    const watched = await seedWatched(world);
    const incidentId = await seedOutage(world, watched);
    app.clock.advance(20 * MINUTE_MS);
    const text = await read(incidentId);
    expect(text).to.include('northeurope Unknown It has not reported since.');
    expect(text).to.include('eastus2 Unknown It failed, and has not reported since.');
    expect(text).to.not.include('OK');
  });

  it('shows the certificate that has a problem', async () => {
    const { id, key } = await seedWatched(world, { monitorTypes: ['SslCertificate'], enabledRegions: [] });
    const outcome = down('certificate_expiring', 'The certificate of shop.example expires in 2 days.');
    const seen = certificate(2, { hostnameMatches: false });
    await file(app, 'northeurope', [{ ...resultOf(key, NOON, outcome, 'ssl'), detail: seen }]);
    const text = await read(await theIncident(id));
    for (const part of [
      'Shop has a certificate problem',
      'northeurope Problem',
      'It expires in 2 days',
      'The chain leads to a trusted authority.',
      'It is not valid for this name.',
      'CN=shop.test issued by CN=Test CA',
      'SHA-256 AA:01',
    ])
      expect(text, part).to.include(part);
  });

  it('shows the present and the former DNS answers', async () => {
    const { id, key } = await seedWatched(world, { monitorTypes: ['Dns'], enabledRegions: [] });
    const before = answer({ A: ['192.0.2.1'], MX: ['10 mail.shop.test'] });
    await file(app, 'northeurope', [{ ...resultOf(key, NOON - 5 * MINUTE_MS, UP, 'dns'), detail: before }]);
    const after = answer(
      { A: ['192.0.2.66'], MX: ['10 mail.shop.test'] },
      {
        propagation: {
          consistent: false,
          convergedPercent: 50,
          servers: [
            { server: 'ns1.shop.test (192.0.2.53)', serial: 7, records: null, error: null },
            { server: 'ns2.shop.test (192.0.2.54)', serial: null, records: null, error: 'no answer' },
          ],
        },
      },
    );
    const outcome = down('dns_mismatch', 'The A records of shop.test are not exactly 192.0.2.1; they are 192.0.2.66.');
    await file(app, 'northeurope', [{ ...resultOf(key, NOON, outcome, 'dns'), detail: after }]);
    const text = await read(await theIncident(id));
    for (const part of [
      'Shop has a DNS problem',
      '− A 192.0.2.1',
      '+ A 192.0.2.66',
      'MX 10 mail.shop.test',
      'do not agree',
      'ns1.shop.test (192.0.2.53): serial 7',
      'ns2.shop.test (192.0.2.54): no answer',
    ])
      expect(text, part).to.include(part);
  });

  it('shows the latency and its threshold', async () => {
    const settings = {
      monitorTypes: ['HttpAvailability', 'Latency'],
      enabledRegions: [],
      latency: { thresholdMs: 500, windowChecks: 3 },
    };
    const { id, key } = await seedWatched(world, settings);
    for (const minute of [0, 5, 10]) {
      app.clock.set(NOON + minute * MINUTE_MS + 2_000);
      await file(app, 'northeurope', [{ ...resultOf(key, NOON + minute * MINUTE_MS), totalUs: 1_800_000 }]);
    }
    const text = await read(await theIncident(id));
    expect(text).to.include('Shop is slow').and.to.include('was 1.80 s . The threshold is 500 ms');
    expect(text).to.match(/Ireland 1.80 s too slow/);
  });

  const theIncident = async (monitorId: string) => {
    const [row] = await app.sql<{ id: string }>('SELECT id FROM incident WHERE monitor_id = $1', [monitorId]);
    expect(row, 'an incident').to.be.an('object');
    return row!.id;
  };

  it('contains no credentials, even where the site echoes them', async () => {
    const secret = 'Bearer of-the-shop-1234';
    const watched = await seedWatched(world, {
      url: 'https://shop.example/checkout?api_key=in-the-url',
      http: { headers: { Authorization: secret, 'X-Api-Key': 'key-9f8e7d', 'Private-Token': 'glpat-12345' } },
    });
    const bodyStart = `<pre>you sent ${secret} and key-9f8e7d from https://ann:hunter2@shop.example/, glpat-12345, in-the-url, of-the-shop`;
    const incidentId = await seedOutage(world, watched, { ...EVIDENCE, bodyStart, headers: { 'x-echo': secret } });
    const html = await (await look(await linkTo(app, incidentId))).text();
    expect(html).to.include('you sent Bearer ***');
    for (const given of ['of-the-shop', 'key-9f8e7d', 'hunter2', 'glpat-12345', 'in-the-url'])
      expect(html).to.not.include(given);
  });

  it('contains no addresses of the people who were notified or paged', async () => {
    const group = await create(world.api, '/api/v1/action-groups/email', {
      name: 'Team',
      recipients: ['team@example.test'],
    });
    const { id } = await seedMonitor(world);
    await create(world.api, `/api/v1/action-groups/${group.id}/monitors/${id}`);
    const incidentId = await seedIncident(world, id);
    await app.plane.delivery.runDue();
    await app.sql('UPDATE user_account SET name = email WHERE id = $1', [world.owner.userId]);
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'call +353871234567' });
    const html = await (await look(await linkTo(app, incidentId))).text();
    expect(wordsOf(html)).to.include('Notified by email.').and.to.include('A member of the workspace acknowledged it.');
    expect(html.replace(/<style>[^]*?<\/style>/, '')).to.not.match(/@|353871234567/);
  });

  it('is read-only, not cached, not indexed, and loads no other resource', async () => {
    const { incidentId } = await someIncident();
    const link = await linkTo(app, incidentId);
    const before = await app.sql('SELECT * FROM incident WHERE id = $1', [incidentId]);
    const page = await look(link);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).to.equal('no-store');
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(page.headers.get('x-robots-tag')).to.match(/noindex/);
    expect(page.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'sha256-\S+'; .*frame-ancestors 'none'/,
    );
    expect(page.headers.get('set-cookie')).to.equal(null);
    const html = await page.text();
    expect(html).to.include('<meta name="robots" content="noindex, nofollow"');
    expect(html).to.not.match(/<(?:script|img|link|iframe|form|a)\b|https?:\/\/(?!shop\.example)/);
    expect(Buffer.byteLength(html)).to.be.below(40_000);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await look(link, { method })).status, method).to.equal(405);
    expect((await look(link, { method: 'HEAD' })).status).to.equal(200);
    expect((await look(`${link}?utm_source=chat`)).status, 'chats append parameters').to.equal(200);
    expect(await app.sql('SELECT * FROM incident WHERE id = $1', [incidentId])).to.deep.equal(before);
  });

  it('is the same 404 for links that are invalid or expired, and for deleted monitors', async () => {
    const { incidentId, monitorId } = await someIncident();
    const link = await linkTo(app, incidentId);
    const nothing = async (url: string) => {
      const page = await look(url);
      expect([page.status, page.headers.get('content-type')], url).to.deep.equal([404, 'text/html; charset=utf-8']);
      return page.text();
    };
    const madeUp = await nothing(await linkTo(app, nobodysId()));
    expect(madeUp).to.include('Nothing here').and.to.include('This link is invalid or has expired');
    const token = link.split('/').at(-1)!;
    for (const other of [
      token.slice(1),
      `${token}A`,
      'x',
      '%F0%9F%98%80',
      token.toLowerCase(),
      token.split('').toReversed().join(''),
    ])
      expect(await nothing(`${app.baseUrl}/incident/${other}`)).to.equal(madeUp);
    expect((await app.anonymous('GET', `/incident/${token.slice(1)}`)).body.error).to.equal('not_found');

    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { status: 'Resolved' });
    app.clock.advance(30 * DAY_MS - 1);
    expect((await look(link)).status).to.equal(200);
    app.clock.advance(1);
    expect(await nothing(link), '30 days after it was closed').to.equal(madeUp);

    app.clock.set(NOON);
    expect((await look(link)).status).to.equal(200);
    await world.api('DELETE', `/api/v1/monitor/${monitorId}`);
    expect(await nothing(link), 'with its monitor').to.equal(madeUp);

    const second = await linkTo(app, (await someIncident()).incidentId);
    expect((await look(second)).status).to.equal(200);
    await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}`);
    expect(await nothing(second), 'with its workspace').to.equal(madeUp);
  });

  it('is available as long as the incident is open', async () => {
    const { incidentId } = await someIncident();
    app.clock.advance(200 * DAY_MS);
    expect(await read(incidentId)).to.include('For 200 d');
    await change(world, incidentId, { kind: 'recover', autoClose: false });
    expect(await read(incidentId)).to.include('Recovered, waiting to be closed');
  });

  it('shows an incident with invalid or older evidence', async () => {
    const { incidentId } = await someIncident();
    for (const context of [
      {},
      { failures: 'none' },
      { failingSince: 'long ago' },
      { failures: [null, { region: 1 }], dns: {}, certificate: [], latency: 7 },
    ]) {
      await app.sql('UPDATE incident SET context = $2 WHERE id = $1', [incidentId, JSON.stringify(context)]);
      expect(await read(incidentId))
        .to.include('Shop is down')
        .and.to.include('refused the connection');
    }
  });

  it('is linked from the document that acknowledges', async () => {
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    const { userId } = await world.member('Responder');
    await create(world.api, `/api/v1/teams/${teamId}/members`, { userId, teamRole: 'member' });
    const plan = { rotation: 'daily', startDate: '2026-11-01', participants: [userId] };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, plan, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    await seedIncident(world, (await seedMonitor(world, { serviceGroupId })).id);
    await app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    const extra = await app.value<{ acknowledgeUrl: string }>(
      `SELECT extra FROM delivery WHERE workspace_id = $1 AND purpose LIKE 'page%'`,
      [world.workspaceId],
    );
    // The message brings the link; the page that acknowledges shows it again.
    await app.plane.delivery.runDue();
    const html = await (await look(extra.acknowledgeUrl)).text();
    const [, path] = /<a href="([^"]+)">See the evidence</.exec(html)!;
    expect(path).to.match(/^\/incident\/[\w-]{43}$/);
    expect((await look(app.baseUrl + path!)).status).to.equal(200);
  });

  it('is limited per address', async () => {
    const small = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    try {
      const there = await makeWorld(small);
      const link = await linkTo(small, await seedIncident(there, (await seedMonitor(there)).id));
      for (let count = 0; count < 3; count++) expect((await look(link)).status).to.equal(200);
      const refused = await look(link);
      expect(refused.status).to.equal(429);
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
    } finally {
      await small.stop();
    }
  });
});
