import { expect } from 'chai';
import { Registry } from 'prom-client';
import type { DnsDetail, Outcome, SslDetail } from '@watchpost/shared/outcome';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { packText } from '@watchpost/control-plane/capabilities/status-pages/pack-text';
import { PageBuilds, PublicPages } from '@watchpost/control-plane/capabilities/status-pages/index';
import { startTestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { answer, certificate, down } from '../verdicts/detail-seed.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP, type TestDeps } from '../results/seed.js';

const PRIVATE_HOST = 'internal.shop.example';

interface Configured {
  groups: { name: string; systems: { id: string }[] }[];
}

let slugs = 0;

describe('a public status page', () => {
  const app = appForSuite();
  let world: World;
  let results: TestDeps;
  let slug: string;
  let pageId: string;
  let monitorId: string;
  let memberId: string;

  before(async () => {
    results = { ...resultsDeps(app.db), clock: app.clock };
  });
  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    slug = `acme-${++slugs}`;
    monitorId = (await seedMonitor(world, { url: `https://${PRIVATE_HOST}/health`, name: 'Secret name' })).id;
    const serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Secret group' })).id;
    memberId = (await seedMonitor(world, { url: `https://${PRIVATE_HOST}/pay`, serviceGroupId })).id;
    const page = await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug,
      description: 'How we are doing.',
      isPublished: true,
      banner: { imageUrl: 'https://acme.example/banner.png' },
      groups: [
        {
          name: 'Sites',
          systems: [
            { name: 'Shop', monitorId },
            { name: 'Payments', serviceGroupId },
          ],
        },
      ],
    });
    pageId = page.id;
  });

  const read = () => app.anonymous('GET', `/api/v1/public/status-page/${slug}`);
  /** The page of these seconds. On a busy machine the former one is sent while the next one is built. */
  const body = () =>
    eventually('the current page', async () => {
      const answer = await read();
      expect(answer.status).to.equal(200);
      return Date.parse(answer.body.updatedAt) > app.clock.now() - 5_000 ? answer.body : undefined;
    });
  const systems = async () => (await body()).groups[0].systems;
  /** A check of the monitor that was due so long after noon. */
  async function check(id: string, afterMs: number, outcome: Outcome): Promise<void> {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    app.clock.set(Math.max(app.clock.now(), NOON + afterMs + 1_000));
    await ingestBatch(results, agentIn('northeurope'), [resultOf(key, NOON + afterMs, outcome)]);
  }
  async function checkDetail(id: string, minute: number, detail: SslDetail | DnsDetail, outcome = UP): Promise<void> {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    app.clock.set(Math.max(app.clock.now(), NOON + minute * MINUTE_MS + 1_000));
    const result = { ...resultOf(key, NOON + minute * MINUTE_MS, outcome, detail.kind), detail };
    await ingestBatch(results, agentIn('northeurope'), [result]);
  }
  const later = (ms: number) => app.clock.advance(ms);

  it('is not found until it is published, nor under another address', async () => {
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: false }, 'PUT');
    expect((await read()).status).to.equal(404);
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: true }, 'PUT');
    expect((await read()).status).to.equal(200);
    for (const other of ['nobody', 'x', 'ACME-1', '%00', '..%2f', 'a'.repeat(500), '%F0%9F%98%80']) {
      expect((await app.anonymous('GET', `/api/v1/public/status-page/${other}`)).status, other).to.equal(404);
    }
    await create(world.api, `/api/v1/status-page/${pageId}`, undefined, 'DELETE');
    expect((await read()).status).to.equal(404);
  });

  it('shows the state of each system and of all together', async () => {
    expect((await systems()).map(({ status }: { status: string }) => status)).to.deep.equal(['unknown', 'unknown']);
    await check(monitorId, MINUTE_MS, UP);
    await check(memberId, MINUTE_MS, UP);
    later(5_000);
    expect(await body()).to.deep.include({
      overallStatus: 'operational',
      name: 'Acme',
      description: 'How we are doing.',
    });
    await check(monitorId, 2 * MINUTE_MS, DOWN);
    await check(monitorId, 3 * MINUTE_MS, DOWN);
    later(5_000);
    const page = await body();
    expect(page.overallStatus).to.equal('partialOutage');
    expect(page.groups[0].systems.map(({ status }: { status: string }) => status)).to.deep.equal([
      'majorOutage',
      'operational',
    ]);
    const [shop] = page.groups[0].systems;
    expect(shop.timeline.map(({ status }: { status: string }) => status)).to.deep.equal([
      'unknown',
      'available',
      'unavailable',
    ]);
    expect(shop.timeline[0].start).to.equal(new Date(app.clock.now() - DAY_MS).toISOString());
    const created = await app.value<Date>('SELECT created FROM monitor WHERE id = $1', [monitorId]);
    expect(shop.watchedSince).to.equal(created.toISOString());
    expect(await (await fetch(`${app.baseUrl}/status/${slug}`)).text()).to.include('Watched since 12:01 UTC');
    expect(shop.timeline.at(-1).end).to.equal(page.updatedAt);
  });

  it('shows a major outage for a group of HTTP, DNS and certificate monitors whose site is down', async () => {
    const serviceGroupId = (await create(world.api, '/api/v1/service-group', { name: 'Whole' })).id;
    const member = async (type: string) =>
      (await seedMonitor(world, { url: `https://${PRIVATE_HOST}/`, monitorTypes: [type], serviceGroupId })).id;
    const [http, ssl, dns] = [await member('HttpAvailability'), await member('SslCertificate'), await member('Dns')];
    const groups = [{ name: 'Sites', systems: [{ name: 'Whole', serviceGroupId }] }];
    await create(world.api, `/api/v1/status-page/${pageId}`, { groups }, 'PUT');
    const certificates = [certificate(60), certificate(60, { isValid: false, hostnameMatches: false })];
    const see = async (minute: number, outcome: Outcome, certificateDetail = certificates[0]!) => {
      await check(http, minute * MINUTE_MS, outcome);
      await checkDetail(ssl, minute, certificateDetail);
      await checkDetail(dns, minute, answer({ A: ['192.0.2.1'] }));
      later(5_000);
      return (await systems())[0].status;
    };
    expect(await see(1, UP)).to.equal('operational');
    await see(2, DOWN);
    expect(await see(3, DOWN)).to.equal('majorOutage');
    expect(await see(4, UP)).to.equal('operational');
    const mismatch = down('certificate_invalid', 'The certificate is for another host.');
    await check(http, 5 * MINUTE_MS, UP);
    await checkDetail(ssl, 5, certificates[1]!, mismatch);
    await checkDetail(ssl, 6, certificates[1]!, mismatch);
    await check(http, 6 * MINUTE_MS, UP);
    later(5_000);
    expect((await systems())[0].status, 'a certificate alone adds at most `degraded`').to.equal('degraded');
  });

  it('is unknown where nobody has looked for long, also where nobody has noticed that', async () => {
    await check(monitorId, MINUTE_MS, UP);
    const inStep = { ...DOWN, message: 'Step “Backstage”: The connection was refused.' } as Outcome;
    await check(memberId, MINUTE_MS, inStep);
    await check(memberId, 2 * MINUTE_MS, inStep);
    later(5_000);
    expect((await body()).overallStatus).to.equal('partialOutage');
    const isDown = async () => (await world.api('GET', '/api/v1/monitor?status=unavailable')).body.length;
    const ofGroup = async () => {
      const [group] = (await world.api('GET', '/api/v1/service-group')).body;
      return group.monitors[0].healthStatus;
    };
    expect([await isDown(), await ofGroup()]).to.deep.equal([1, 'unavailable']);
    // No sweep: as where every worker is gone.
    later(10 * MINUTE_MS);
    expect((await systems()).map(({ status }: { status: string }) => status)).to.deep.equal(['unknown', 'unknown']);
    expect([await isDown(), await ofGroup()]).to.deep.equal([0, null]);
  });

  it('is right within five seconds of a result, and at once after a change of its own', async () => {
    await check(monitorId, MINUTE_MS, UP);
    await body();
    await check(monitorId, 2 * MINUTE_MS, DOWN);
    await check(monitorId, 3 * MINUTE_MS, DOWN);
    later(5_000);
    expect((await systems())[0].status).to.equal('majorOutage');
    const { groups } = await create<Configured>(world.api, `/api/v1/status-page/${pageId}`, undefined, 'GET');
    Object.assign(groups[0]!.systems[0]!, { overrideStatus: 'maintenance', overrideMessage: 'Moving house.' });
    await create(world.api, `/api/v1/status-page/${pageId}`, { groups }, 'PUT');
    expect((await systems())[0]).to.deep.include({ status: 'maintenance', message: 'Moving house.' });
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, { title: 'Moving', body: 'We *move*.' });
    const [post] = (await body()).activePosts;
    expect(post).to.deep.include({ title: 'Moving', body: 'We *move*.', status: 'investigating' });
    await create(world.api, `/api/v1/status-page/${pageId}/incidents/${post.id}`, { status: 'resolved' }, 'PATCH');
    const now = await body();
    expect(now.activePosts).to.deep.equal([]);
    expect(now.history[0]).to.deep.include({ type: 'post' });
  });

  it('is put together once for all who ask at the same time, and again after a few seconds', async () => {
    let reads = 0;
    const db = new Proxy(app.db, {
      get(target, name: keyof Database) {
        if (name === 'read') reads++;
        const value: unknown = target[name];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const pages = new PublicPages({
      db,
      clock: app.clock,
      builds: new PageBuilds(app.db, new Registry()),
      retentionDays: 35,
    });
    let made = 0;
    const send = (address = slug) =>
      pages.send(address, 'json', (view, work) => {
        made++;
        return packText(work, () => JSON.stringify(view), 'application/json', '');
      });
    const all = await Promise.all(Array.from({ length: 50 }, () => send()));
    expect([new Set(all).size, reads, made]).to.deep.equal([1, 1, 1]);
    later(31_000);
    await Promise.all(Array.from({ length: 50 }, () => send()));
    expect([reads, made]).to.deep.equal([2, 2]);
    const unknown = await Promise.allSettled(Array.from({ length: 50 }, () => send('nobody')));
    expect(unknown.every(({ status }) => status === 'rejected')).to.equal(true);
    expect([reads, made]).to.deep.equal([3, 2]);
  });

  it('shows each system as its monitor is reported, to the millisecond, whatever was read before', async () => {
    const timelineOf = (given: { start: string; end: string; status: string }[]) =>
      given.map(({ start, end, status }) => `${start} ${end} ${status}`);
    const compare = async (what: string) => {
      const end = new Date(app.clock.now()).toISOString();
      const start = new Date(app.clock.now() - DAY_MS).toISOString();
      const path = `/api/v1/monitor/${monitorId}/availability?startDate=${start}&endDate=${end}`;
      const [page, report] = [await body(), (await world.api('GET', path)).body];
      expect(timelineOf(page.groups[0].systems[0].timeline), what).to.deep.equal(timelineOf(report.timeline));
      const [day] = page.timelines;
      const sum = report.healthyChecks + report.unhealthyChecks;
      expect(sum, what).to.be.greaterThan(0);
      if (report.unhealthyChecks === 0) expect(day.uptimePercentage, what).to.equal(100);
      else expect(day.uptimePercentage, what).to.be.closeTo(report.uptimePercentage, 100 / sum);
    };
    let minute = 0;
    for (const [steps, outcome, pause] of [
      [4, UP, 1],
      [3, DOWN, 1],
      [12, UP, 2],
      [1, DOWN, 1],
      [5, UP, 1],
      [2, UP, 7],
      [6, DOWN, 1],
    ] as const) {
      for (let step = 0; step < steps; step++) {
        await check(monitorId, (minute += pause) * MINUTE_MS, outcome);
        later(5_000);
        await compare(`minute ${minute}`);
      }
    }
    // Late, in the middle of what was read already: shown when the day is read again.
    await check(monitorId, (minute - 30) * MINUTE_MS + 30_000, DOWN);
    later(4 * MINUTE_MS);
    await compare('late');
  });

  it('shows one that changes all day in steps, no outage lost', async () => {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    const flapping = [];
    for (let minute = -1439; minute < 0; minute++)
      if (minute < -700 || minute > -600)
        flapping.push(resultOf(key, NOON + minute * MINUTE_MS, minute % 2 ? UP : DOWN));
    for (let from = 0; from < flapping.length; from += 500)
      await ingestBatch(results, agentIn('northeurope'), flapping.slice(from, from + 500));
    const [{ timeline }] = await systems();
    expect(timeline.length).to.be.lessThan(150);
    const statusAt = (minute: number) =>
      timeline.find(({ end }: { end: string }) => Date.parse(end) > NOON + minute * MINUTE_MS).status;
    expect([-1000, -650, -100].map(statusAt)).to.deep.equal(['unavailable', 'unknown', 'unavailable']);
    const steps = timeline.slice(1).filter(({ end }: { end: string }) => Date.parse(end) < NOON - 10 * MINUTE_MS);
    for (const { start } of steps) expect(Date.parse(start) % (10 * MINUTE_MS), start).to.equal(0);
  });

  it('is not sent again to who has it already', async () => {
    const etag = (await read()).headers.get('etag')!;
    const path = `/api/v1/public/status-page/${slug}`;
    expect((await app.anonymous('GET', path, undefined, { 'if-none-match': etag })).status).to.equal(304);
  });

  it('is packed for who takes that: its samples are many, and much alike', async () => {
    const get = (encoding: string) =>
      fetch(`${app.baseUrl}/api/v1/public/status-page/${slug}`, { headers: { 'accept-encoding': encoding } });
    const packed = await get('gzip');
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).to.deep.equal([
      'gzip',
      'Accept-Encoding',
    ]);
    expect(Number(packed.headers.get('content-length'))).to.be.lessThan(10_000);
    const plain = await get('identity');
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(await packed.json()).to.deep.equal(await plain.json());
  });

  it('contains nothing private: no workspace, monitor, address, step or reason', async () => {
    await seedIncident(world, monitorId);
    await check(monitorId, MINUTE_MS, DOWN);
    await check(memberId, MINUTE_MS, DOWN);
    await check(memberId, 2 * MINUTE_MS, DOWN);
    const { groups } = await create<Configured>(world.api, `/api/v1/status-page/${pageId}`, undefined, 'GET');
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, { title: 'Slow', body: 'We look.' });
    later(5_000);
    const answer = await read();
    expect(answer.body.history.map(({ type }: { type: string }) => type)).to.include('outage');
    const text = JSON.stringify(answer.body);
    const secrets = [PRIVATE_HOST, '203.0.113.7', 'refused', 'Backstage', 'Secret', 'shop.example', world.owner.email];
    for (const secret of secrets) expect(text, secret).to.not.contain(secret);
    const rows = await app.sql<{ id: string }>(
      `SELECT id FROM workspace UNION SELECT id FROM user_account UNION SELECT id FROM monitor
       UNION SELECT id FROM service_group UNION SELECT id FROM incident UNION SELECT id FROM status_page`,
    );
    for (const { id } of rows) expect(text).to.not.contain(id);
    const ids = groups[0]!.systems.map(({ id }) => id);
    expect(answer.body.groups[0].systems.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
    expect(answer.body.banner.imageUrl).to.equal('https://acme.example/banner.png');
    expect(answer.headers.get('set-cookie')).to.equal(null);
  });

  it('hides its history where it is to, and the banner where the plan has none', async () => {
    await create(world.api, `/api/v1/status-page/${pageId}`, { showIncidentHistory: false }, 'PUT');
    expect((await body()).history).to.equal(null);
    expect((await body()).banner).to.not.equal(null);
    await app.setPlan('Starter', {}, world.owner);
    later(5_000);
    expect((await body()).banner).to.equal(null);
  });

  it('goes back as far as the plan does: a day, a week, a month', async () => {
    const windowsOf = async () => (await body()).timelines.map(({ window }: { window: string }) => window);
    const dayBefore = { [memberId]: 2, [monitorId]: 20 };
    for (const [id, days] of Object.entries(dayBefore)) {
      await check(id, -days * DAY_MS, UP);
      await check(id, -days * DAY_MS + MINUTE_MS, UP);
      await check(id, -days * DAY_MS + 2 * MINUTE_MS, UP);
      await check(id, -days * DAY_MS + 3 * MINUTE_MS, DOWN);
      await check(id, 0, UP);
    }
    later(5_000);
    expect(await windowsOf()).to.deep.equal(['24h', '7d', '30d']);
    const page = await body();
    const [day, week, month] = page.timelines;
    expect(day.perDay.at(-1)).to.deep.equal({ date: '2026-11-21', uptimePercentage: 100 });
    expect(uptimeOf(week, '2026-11-19')).to.equal(75);
    expect(uptimeOf(week, '2026-11-18')).to.equal(null);
    expect(uptimeOf(month, '2026-11-01')).to.equal(75);
    expect([day.sampleInterval, week.sampleInterval, month.sampleInterval]).to.deep.equal(['PT15M', 'PT2H', 'PT6H']);
    expect(week.samples.filter(({ status }: { status: string }) => status === 'partial')).to.have.length(1);
    const [shop, payments] = page.groups[0].systems;
    expect(shop.timelines).to.equal(null);
    expect(uptimeOf(payments.timelines[2], '2026-11-19')).to.equal(75);
    expect(uptimeOf(payments.timelines[2], '2026-11-01')).to.equal(null);
    const days = [
      { start: '2026-08-24', states: `${'-'.repeat(69)}p${'n'.repeat(19)}a`, uptimePercentage: 80 },
      { start: '2026-08-24', states: `${'-'.repeat(87)}pna`, uptimePercentage: 80 },
    ];
    expect([shop.days, payments.days], 'a monitor and a group alike').to.deep.equal(days);
    const html = await (await fetch(`${app.baseUrl}/status/${slug}`)).text();
    expect(html).to.include('Since 1 Nov 2026: failures on 1 of 2 days').and.include('Since 19 Nov 2026: failures');
    for (const [plan, windows] of [
      ['Growth', ['24h', '7d']],
      ['Starter', ['24h']],
    ] as const) {
      await app.setPlan(plan, {}, world.owner);
      later(5_000);
      expect(await windowsOf()).to.deep.equal(windows);
      expect((await systems())[1].timelines).to.have.length(windows.length);
      expect((await systems())[0].days, 'of every plan').to.deep.equal(days[0]);
    }
  });
});

describe('visitors', () => {
  it('who make too many requests get the time of the next one', async () => {
    const app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    try {
      await create(app.api, '/api/v1/status-page', { name: 'Acme', slug: 'acme', isPublished: true });
      const read = () => app.anonymous('GET', '/api/v1/public/status-page/acme');
      for (let visit = 0; visit < 3; visit++) expect((await read()).status).to.equal(200);
      const refused = await read();
      expect([refused.status, refused.body.error]).to.deep.equal([429, 'rate_limited']);
      expect(refused.headers.get('retry-after')).to.equal('60');
      app.clock.advance(60_000);
      expect((await read()).status).to.equal(200);
    } finally {
      await app.stop();
    }
  });
});

function uptimeOf(timeline: { perDay: { date: string; uptimePercentage: number | null }[] }, date: string) {
  return timeline.perDay.find((day) => day.date === date)!.uptimePercentage;
}
