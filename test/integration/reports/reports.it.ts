import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, DOWN, resultOf, resultsDeps, UP } from '../results/seed.js';

/** Half past noon on the 22nd of November 2026, in UTC. */
const NOW = Date.UTC(2026, 10, 22, 12, 30);
const MIDNIGHT = Date.UTC(2026, 10, 22);
const iso = (ms: number) => new Date(ms).toISOString();

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

describe('performance reports', () => {
  const app = appForSuite();
  let world: World;
  let monitorId: string;
  let key: number;

  beforeEach(async () => {
    app.clock.set(MIDNIGHT - 3 * DAY_MS);
    world = await makeWorld(app, 'Pro');
    const seeded = { name: 'Shop <1>', enabledRegions: ['eastus2'], numberOfChecksBeforeAlert: 1 };
    monitorId = (await seedMonitor(world, seeded)).id;
    [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId])) as [
      { key: number },
    ];
    app.clock.set(NOW);
  });

  const path = () => `/api/v1/monitor/${monitorId}/report/generate`;
  const generate = async (body: object = {}) => {
    const answer = await world.api('POST', path(), body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };
  /** Every five minutes of a day, from both regions; down in eastus2 for an hour. */
  async function seedDay(startMs: number, totalUs = 100_000): Promise<void> {
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    for (const region of ['northeurope', 'eastus2'] as const) {
      const batch = Array.from({ length: 288 }, (_, index) => {
        const atMs = startMs + index * 5 * MINUTE_MS;
        const isDown = region === 'eastus2' && index >= 120 && index < 132;
        return { ...resultOf(key, atMs, isDown ? DOWN : UP), totalUs, freshMs: 10 * MINUTE_MS };
      });
      await ingestBatch(deps, agentIn(region), batch);
    }
  }

  it('contain the figures by region and in total, beside the preceding period', async () => {
    await seedDay(MIDNIGHT - 2 * DAY_MS, 80_000);
    await seedDay(MIDNIGHT - DAY_MS, 120_000);
    const incidentId = await seedIncident(world, monitorId);
    await app.sql('UPDATE incident SET started = $2, ended = $3 WHERE id = $1', [
      incidentId,
      new Date(MIDNIGHT - 14 * HOUR_MS),
      new Date(MIDNIGHT - 13 * HOUR_MS),
    ]);
    const report = await generate({ startDate: iso(MIDNIGHT - DAY_MS), endDate: iso(MIDNIGHT) });
    expect(report.availability).to.deep.include({
      totalChecks: 576,
      healthyChecks: 564,
      unhealthyChecks: 12,
      uptimePercentage: 97.9167,
    });
    expect(report.availability.timeline.map(({ status }: { status: string }) => status)).to.deep.equal([
      'available',
      'partial',
      'available',
    ]);
    expect(report.latency.average).to.be.closeTo(120, 1.2);
    expect(
      report.regions.map(({ region, uptimePercentage }: { region: string; uptimePercentage: number }) => [
        region,
        uptimePercentage,
      ]),
    ).to.deep.equal([
      ['northeurope', 100],
      ['eastus2', 95.8333],
    ]);
    expect(report.regions[0].series.length).to.be.within(24, 200);
    expect(report.incidents).to.deep.include({ total: 1, meanTimeToRecovery: 'PT1H', totalTimeToRecovery: 'PT1H' });
    expect(report.incidents.items[0]).to.deep.include({ id: incidentId, ended: iso(MIDNIGHT - 13 * HOUR_MS) });
    expect(report.comparison).to.deep.include({
      periodStart: iso(MIDNIGHT - 2 * DAY_MS),
      periodEnd: iso(MIDNIGHT - DAY_MS),
      totalChecks: 576,
      incidents: 0,
      meanTimeToRecovery: null,
    });
    expect(report.comparison.average).to.be.closeTo(80, 0.8);
  });

  it('state that there are no checks yet', async () => {
    const report = await generate();
    expect(report.periodEnd).to.equal(iso(NOW));
    expect(report.availability).to.deep.include({ totalChecks: 0, uptimePercentage: null });
    expect(report.availability.timeline).to.deep.equal([
      { start: iso(NOW - DAY_MS), end: iso(NOW), status: 'unknown' },
    ]);
    expect(
      report.regions.map(({ awaitingFirstChecks }: { awaitingFirstChecks: boolean }) => awaitingFirstChecks),
    ).to.deep.equal([true, true]);
    const page = await world.api<string>('POST', path(), { format: 'html' });
    expect(page.body).to.include('awaiting its first checks').and.include('so there is no latency');
  });

  it('begin where a young monitor is watched, and count its checks in short sentences', async () => {
    app.clock.set(NOW - 30 * MINUTE_MS);
    const { id } = await seedMonitor(world, { numberOfChecksBeforeAlert: 1 });
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    app.clock.set(NOW);
    const page = async () =>
      (await world.api<string>('POST', `/api/v1/monitor/${id}/report/generate`, { format: 'html' })).body;
    const check = (minutesAgo: number, outcome: typeof UP) =>
      ingestBatch({ ...resultsDeps(app.db), clock: app.clock }, agentIn('northeurope'), [
        { ...resultOf(key, NOW - minutesAgo * MINUTE_MS, outcome), freshMs: 10 * MINUTE_MS },
      ]);
    await check(25, DOWN);
    expect(await page()).to.include('0.00 % uptime: the only check failed.');
    await check(20, UP);
    expect(await page()).to.include('50.00 % uptime: 1 of 2 checks was healthy, and 1 failed.');
    await check(15, UP);
    const whole = await page();
    expect(whole).to.include('66.66 % uptime: 2 of 3 checks were healthy, and 1 failed.');
    expect(whole).to.match(/Watched since \d+ Nov 2026, \d\d:\d\d UTC\. Down for 5 min/);
  });

  it('do not show a region as awaited that reported before the period, or was inconclusive in all of it', async () => {
    await seedDay(MIDNIGHT - DAY_MS);
    const body = { startDate: iso(MIDNIGHT - 3 * DAY_MS), endDate: iso(MIDNIGHT - 2 * DAY_MS) };
    const { regions } = (await world.api('POST', path(), body)).body;
    expect(
      regions.map(({ totalChecks, awaitingFirstChecks }: { totalChecks: number; awaitingFirstChecks: boolean }) => [
        totalChecks,
        awaitingFirstChecks,
      ]),
    ).to.deep.equal([
      [0, false],
      [0, false],
    ]);
    const page = await world.api<string>('POST', path(), { ...body, format: 'html' });
    expect(page.body).to.not.include('awaiting its first checks');
  });

  it('are a self-contained page for who wants one: nothing runs, nothing loads, everything is escaped', async () => {
    await seedDay(MIDNIGHT - DAY_MS);
    const body = { startDate: iso(MIDNIGHT - DAY_MS), endDate: iso(MIDNIGHT) };
    const page = await world.api<string>('POST', path(), { ...body, format: 'html' });
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.include("default-src 'none'").and.not.include('script');
    expect(page.body)
      .to.include('Shop &lt;1&gt;')
      .and.not.include('Shop <1>')
      .and.not.include('<script')
      .and.not.match(/(?:src|href)=/);
    expect(page.body).to.include('aria-label="Average latency by region over time: North Europe, Ireland');
    const accepted = await world.api<string>('POST', path(), body, { accept: 'text/html' });
    expect(accepted.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const chosen = await world.api(
      'POST',
      path(),
      { ...body, format: 'json' },
      { accept: 'text/html, application/json' },
    );
    expect(chosen.body.monitorId).to.equal(monitorId);
  });

  it('have an address, which pages of the console alone may frame', async () => {
    await seedDay(MIDNIGHT - DAY_MS);
    const period = `startDate=${iso(MIDNIGHT - DAY_MS)}&endDate=${iso(MIDNIGHT)}`;
    const address = `/api/v1/workspaces/${world.workspaceId}/monitor/${monitorId}/report`;
    const page = await world.api<string>('GET', `${address}?${period}`, undefined, { accept: 'text/html' });
    expect(page.body).to.include('Shop &lt;1&gt;').and.include('97.91 %');
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'self'").and.not.include('script');
    expect(page.headers.get('x-frame-options')).to.equal('SAMEORIGIN');
    const turned = `startDate=${iso(MIDNIGHT)}&endDate=${iso(MIDNIGHT - DAY_MS)}`;
    expect((await world.api('GET', `${address}?${turned}`)).status).to.equal(400);
    const other = await makeWorld(app);
    expect((await other.api('GET', address)).status).to.equal(404);
    expect((await other.api('GET', address.replace(world.workspaceId, other.workspaceId))).status).to.equal(404);
  });

  it('cover as long a period as availability does, whose start is moved to a whole hour once', async () => {
    const query = { startDate: iso(NOW - 400 * DAY_MS), endDate: iso(NOW) };
    const report = await generate(query);
    expect(report.periodStart).to.equal(iso(NOW - 400 * DAY_MS - 30 * MINUTE_MS));
    expect(report.periodEnd).to.equal(iso(NOW));
    expect(Date.parse(report.comparison.periodStart)).to.be.at.most(NOW - 800 * DAY_MS);
    const longer = await world.api('POST', path(), { ...query, startDate: iso(NOW - 400 * DAY_MS - 1) });
    expect([longer.status, longer.body.details?.[0].path]).to.deep.equal([400, 'startDate']);
  });

  it('refuse a period that cannot be, and a monitor that is not there', async () => {
    const refused = await world.api('POST', path(), { startDate: iso(NOW), endDate: iso(NOW - DAY_MS), format: 'pdf' });
    expect(refused.status).to.equal(400);
    expect(refused.body.details.map(({ path: at }: { path: string }) => at)).to.include.members(['format']);
    expect((await world.api('POST', path(), { startDate: iso(NOW + DAY_MS) })).status).to.equal(400);
    const other = await makeWorld(app);
    expect((await other.api('POST', path(), {})).status).to.equal(404);
  });

  describe('that are scheduled', () => {
    const schedules = async (query = '') =>
      (await world.api<Record<string, unknown>[]>('GET', `/api/v1/report-schedules${query}`)).body;

    it('are listed by monitor: what is sent next, and to whom', async () => {
      const { id: lonely } = await seedMonitor(world, { name: 'Blog 100%', reporting: { weeklyReport: true } });
      await create(world.api, `/api/v1/monitor/${monitorId}`, { reporting: { dailyReport: true } }, 'PUT');
      const recipients = ['bob@example.com', 'ann@example.com'];
      const group = await create(world.api, '/api/v1/action-groups/email', { name: 'Readers', recipients });
      await world.api('POST', `/api/v1/action-groups/${group.id}/monitors/${monitorId}`);
      const { id: silent } = await seedMonitor(world, { name: 'Without' });
      const none = { daily: null, weekly: null, monthly: null };
      const toOwner = { recipients: [world.owner.email], recipientCount: 1, isToOwner: true };
      const [blog, shop, without] = [
        {
          monitorId: lonely,
          monitorName: 'Blog 100%',
          next: { ...none, weekly: '2026-11-23T06:00:00.000Z' },
          ...toOwner,
        },
        {
          monitorId,
          monitorName: 'Shop <1>',
          next: { ...none, daily: '2026-11-23T06:00:00.000Z' },
          recipients: ['ann@example.com', 'bob@example.com'],
          recipientCount: 2,
          isToOwner: false,
        },
        { monitorId: silent, monitorName: 'Without', next: none, ...toOwner },
      ];
      app.clock.set(Date.UTC(2026, 10, 22, 12));
      expect(await schedules()).to.deep.equal([blog, shop, without]);
      expect(await schedules('?scheduled=true')).to.deep.equal([blog, shop]);
      expect(await schedules('?search=100%25')).to.deep.equal([blog]);
      expect(await schedules('?pageSize=1&page=3')).to.deep.equal([without]);
      const other = await makeWorld(app);
      expect((await other.api('GET', '/api/v1/report-schedules')).body).to.deep.equal([]);
    });
  });

  describe('that go out by themselves', () => {
    const send = () => app.plane.jobs.find(({ name }) => name === 'send_due_reports')!.run();
    async function mails(): Promise<Mail[]> {
      const rows = await app.sql<{ content: Mail }>(
        'SELECT content FROM outgoing_mail WHERE workspace_id = $1 ORDER BY recipient',
        [world.workspaceId],
      );
      return rows.map(({ content }) => content);
    }
    const report = (which: object, id = monitorId) =>
      create(world.api, `/api/v1/monitor/${id}`, { reporting: which }, 'PUT');
    async function attachGroup(recipients: string[], ...monitorIds: string[]): Promise<void> {
      const { id } = await create(world.api, '/api/v1/action-groups/email', { name: 'Readers', recipients });
      for (const of of monitorIds) await world.api('POST', `/api/v1/action-groups/${id}/monitors/${of}`);
    }

    it('come once, in the morning of the workspace, for the day before', async () => {
      await seedDay(MIDNIGHT - DAY_MS - HOUR_MS);
      await create(
        world.api,
        `/api/v1/workspaces/${world.workspaceId}`,
        { settings: { timezone: 'Europe/Berlin' } },
        'PATCH',
      );
      await report({ dailyReport: true });
      await attachGroup(['ann@example.com', 'bob@example.com'], monitorId);
      app.clock.set(MIDNIGHT + 4 * HOUR_MS + 59 * MINUTE_MS);
      await send();
      expect(await mails()).to.deep.equal([]);
      app.clock.set(MIDNIGHT + 5 * HOUR_MS);
      await Promise.all([send(), send()]);
      await send();
      const sent = await mails();
      expect(sent.map(({ to, subject }) => [to, subject])).to.deep.equal([
        ['ann@example.com', 'Daily report: Acme'],
        ['bob@example.com', 'Daily report: Acme'],
      ]);
      expect(sent[0]!.text)
        .to.include('uptime 97.91 %')
        .and.include('21 Nov 2026, 00:00 CET to 22 Nov 2026, 00:00 CET');
      expect(sent[0]!.html).to.include('Shop &lt;1&gt;').and.include('<svg');
      app.clock.set(MIDNIGHT + 29 * HOUR_MS);
      await send();
      expect(await mails()).to.have.length(4);
    });

    it('go to each recipient of a monitor’s groups in one mail, and to the owner where no group has recipients', async () => {
      const other = (await seedMonitor(world, { name: 'Blog' })).id;
      const lonely = (await seedMonitor(world, { name: 'Lonely' })).id;
      for (const id of [monitorId, other, lonely]) await report({ weeklyReport: true }, id);
      await attachGroup(['ann@example.com'], monitorId, other);
      await attachGroup(['bob@example.com'], other);
      app.clock.set(Date.UTC(2026, 10, 23, 6));
      await send();
      const sent = new Map((await mails()).map((mail) => [mail.to, mail.text]));
      expect([...sent.keys()].toSorted()).to.deep.equal(
        ['ann@example.com', 'bob@example.com', world.owner.email].toSorted(),
      );
      expect(sent.get('ann@example.com')).to.include('Shop <1>').and.include('Blog').and.not.include('Lonely');
      expect(sent.get('bob@example.com')).to.include('Blog').and.not.include('Shop');
      expect(sent.get(world.owner.email)).to.include('Lonely').and.not.include('Blog');
    });

    it('leave no reader out, however many monitors others hear of, and are sent once to an address in two spellings', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 51; index++)
        ids.push((await seedMonitor(world, { name: `A ${String(index).padStart(2, '0')}` })).id);
      const last = (await seedMonitor(world, { name: 'Z last' })).id;
      await app.sql(
        `UPDATE monitor SET reporting = '{"dailyReport": true, "weeklyReport": false, "monthlyReport": false}'
         WHERE id = ANY ($1)`,
        [[...ids, last]],
      );
      await attachGroup(['zoe@example.com'], last);
      await attachGroup(['Zoe@Example.com'], last);
      app.clock.set(MIDNIGHT + 6 * HOUR_MS);
      await send();
      const sent = new Map((await mails()).map((mail) => [mail.to.toLowerCase(), mail.text]));
      expect(await mails()).to.have.length(2);
      expect(sent.get('zoe@example.com')).to.include('Z last').and.not.include('more monitors than one mail');
      const toOwner = sent.get(world.owner.email.toLowerCase());
      expect(toOwner).to.include('A 49').and.include('more monitors than one mail').and.not.include('A 50');
    });

    it('reach the readers of every monitor of a large workspace', async () => {
      const last = (await seedMonitor(world, { name: 'Z last' })).id;
      await report({ dailyReport: true }, last);
      await app.sql(
        `INSERT INTO monitor (id, workspace_id, owner_id, name, url, site, monitor_types, monitoring_status, check_interval_ms,
           check_timeout_ms, checks_before_alert, checks_before_recovery, reporting, settings, created,
           last_modified, checks_changed)
         SELECT gen_random_uuid(), workspace_id, owner_id, 'A ' || lpad(number::text, 4, '0'), url, site, monitor_types,
           monitoring_status, check_interval_ms, check_timeout_ms, checks_before_alert, checks_before_recovery, reporting, settings, created, last_modified, checks_changed
         FROM monitor, generate_series(0, 2000) AS number WHERE id = $1`,
        [last],
      );
      await attachGroup(['zoe@example.com'], last);
      app.clock.set(MIDNIGHT + 6 * HOUR_MS);
      await send();
      const sent = new Map((await mails()).map((mail) => [mail.to, mail.text]));
      expect([...sent.keys()]).to.have.members(['zoe@example.com', world.owner.email]);
      expect(sent.get('zoe@example.com')).to.include('Z last').and.not.include('more monitors than one mail');
      expect(sent.get(world.owner.email)).to.include('A 0049').and.not.include('A 0050');
      await app.sql('DELETE FROM monitor WHERE workspace_id = $1', [world.workspaceId]);
    });

    it('reach other workspaces also where the zone of one is not known', async () => {
      await report({ dailyReport: true });
      const other = await makeWorld(app, 'Pro');
      const { id } = await seedMonitor(other);
      await create(other.api, `/api/v1/monitor/${id}`, { reporting: { dailyReport: true } }, 'PUT');
      await app.sql(`UPDATE workspace SET timezone = 'Mars/Base' WHERE id = $1`, [world.workspaceId]);
      app.clock.set(MIDNIGHT + 6 * HOUR_MS);
      await send();
      await app.sql(`UPDATE workspace SET timezone = 'UTC' WHERE id = $1`, [world.workspaceId]);
      const rows = await app.sql('SELECT FROM outgoing_mail WHERE workspace_id = $1', [other.workspaceId]);
      expect(rows).to.have.length(1);
    });

    it('are sent once each after a downtime of days, the latest of each kind, and none is missing before or after', async () => {
      await report({ dailyReport: true, weeklyReport: true, monthlyReport: true });
      const sent = async () =>
        (await mails()).map(({ subject }) => subject.split(' ')[0]!).toSorted((a, b) => a.localeCompare(b));
      // Thursday, 1 October: the daily and the monthly report; the weekly one is from Monday.
      app.clock.set(Date.UTC(2026, 9, 1, 6));
      await send();
      expect(await sent()).to.deep.equal(['Daily', 'Monthly']);
      app.clock.set(Date.UTC(2026, 9, 5, 6));
      await send();
      expect(await sent()).to.deep.equal(['Daily', 'Daily', 'Monthly', 'Weekly']);
      // Off from then on, over a Monday and the first of a month, for longer than any report may be late at first.
      await app.sql('DELETE FROM outgoing_mail WHERE workspace_id = $1', [world.workspaceId]);
      app.clock.set(Date.UTC(2026, 10, 13, 3));
      for (let run = 0; run < 3; run++) {
        await Promise.all([send(), send()]);
        app.clock.advance(10 * MINUTE_MS);
      }
      expect(await sent()).to.deep.equal(['Daily', 'Monthly', 'Weekly']);
      const starts = await app.sql<{ kind: string; starts: string }>(
        `SELECT kind, starts::text AS starts FROM report_sent WHERE workspace_id = $1 AND sent > '2026-11-01' ORDER BY kind`,
        [world.workspaceId],
      );
      expect(starts).to.deep.equal([
        { kind: 'daily', starts: '2026-11-11' },
        { kind: 'monthly', starts: '2026-10-01' },
        { kind: 'weekly', starts: '2026-11-02' },
      ]);
      app.clock.set(Date.UTC(2026, 10, 13, 6));
      await send();
      expect(await sent()).to.deep.equal(['Daily', 'Daily', 'Monthly', 'Weekly']);
    });

    it('are not sent for what nobody asked to have reported, nor days later', async () => {
      await report({ dailyReport: false });
      app.clock.set(MIDNIGHT + 6 * HOUR_MS);
      await send();
      expect(await mails()).to.deep.equal([]);
      await report({ monthlyReport: true });
      await send();
      expect(await mails(), 'the month began three weeks ago').to.deep.equal([]);
    });
  });
});
