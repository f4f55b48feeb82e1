import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { HAS_MAINTENANCE_NEWS } from '@watchpost/control-plane/capabilities/status-pages/index';
import type { Json } from '../../support/product.js';
import { readMail } from '../../support/read-mail.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { NOON } from '../results/seed.js';

const PATH = '/api/v1/maintenance-windows';
const local = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe('Subscribers of a status page hear of maintenance', () => {
  let app: TestApp;
  let server: MailServer;
  let world: World;
  let pageId: string;

  before(async () => {
    server = await startMailServer();
    const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Watchpost <status@watch.example>' };
    app = await startTestApp({ env });
  });
  after(async () => {
    await app?.stop();
    await server?.stop();
  });
  beforeEach(async () => {
    // The windows of another test must not come due in this one.
    await app.sql('DELETE FROM maintenance_window');
    app.clock.set(NOON);
    server.mails.length = 0;
    world = await makeWorld(app, 'Pro');
    const { id: monitorId } = await seedMonitor(world, { tags: ['web'] });
    const groups = [{ name: 'Sites', systems: [{ name: 'Shop', monitorId }] }];
    const page = { name: 'Acme', slug: `acme-${world.workspaceId}`, isPublished: true, groups };
    ({ id: pageId } = await create(world.api, '/api/v1/status-page', page));
    for (const who of ['ann', 'bob'])
      await app.sql(
        `INSERT INTO status_page_subscriber (id, workspace_id, page_id, email, email_key, asked_since, asked, created, confirmed_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $3, $4, 1, $4, $4)`,
        [world.workspaceId, pageId, `${who}@example.com`, new Date(NOON)],
      );
  });

  const plan = (body: object = {}): Promise<Json> =>
    create(world.api, PATH, {
      name: 'Deploy',
      description: 'New <shelves>.',
      startsAt: local(NOON + 2 * DAY_MS),
      timezone: 'UTC',
      duration: 'PT1H',
      scope: { tags: ['web'] },
      statusPageIds: [pageId],
      notifySubscribers: true,
      ...body,
    });
  const change = (id: string, body: object): Promise<Json> => create(world.api, `${PATH}/${id}`, body, 'PUT');
  const run = async (name: string) => app.plane.periodicTasks.find((task) => task.name === name)!.run();
  /** Three processes do what is due, and all mail is sent. */
  async function pass(): Promise<void> {
    await run('follow_maintenance');
    await Promise.all(Array.from({ length: 3 }, () => run('notify_subscribers_of_maintenance')));
    await Promise.all(Array.from({ length: 3 }, () => run('notify_subscribers_of_posts')));
    await app.plane.delivery.runDue();
  }
  /** What the mail server has received since the last call: each subject, where both subscribers got it once. */
  async function heard(): Promise<string[]> {
    await pass();
    await pass();
    const all = server.mails.splice(0).map(({ to, headers }) => `${to.join()} ${headers['subject']}`);
    const ofAnn = all.filter((line) => line.startsWith('ann@')).map((line) => line.slice(line.indexOf(' ') + 1));
    expect(all, 'both hear the same').to.have.members(
      ofAnn.flatMap((subject) => [`ann@example.com ${subject}`, `bob@example.com ${subject}`]),
    );
    return ofAnn;
  }
  const heardAt = (ms: number) => {
    app.clock.set(ms);
    return heard();
  };

  it('24 hours before each occurrence and at its end, each once', async () => {
    await plan({ recurrence: 'FREQ=WEEKLY;COUNT=2' });
    for (let week = 0; week < 2; week++) {
      const startMs = NOON + 2 * DAY_MS + week * 7 * DAY_MS;
      expect(await heardAt(startMs - DAY_MS - 1_000)).to.deep.equal([]);
      app.clock.set(startMs - DAY_MS);
      await pass();
      const { text } = readMail(server.mails[0]!);
      expect(text)
        .to.include('Shop')
        .and.include('New <shelves>.')
        .and.match(/12:00 UTC to \d+ Nov 2026, 13:00 UTC \(1 h\)/);
      expect(await heard()).to.deep.equal(['[Acme] Planned maintenance: Deploy']);
      for (const ms of [startMs, startMs + HOUR_MS - 1]) expect(await heardAt(ms)).to.deep.equal([]);
      expect(await heardAt(startMs + HOUR_MS)).to.deep.equal(['[Acme] Maintenance over: Deploy']);
      expect(await heardAt(startMs + 2 * HOUR_MS)).to.deep.equal([]);
    }
  });

  it('at once where the 24 hours have begun, or it runs already, and at its end when it is ended early', async () => {
    await plan({ startsAt: local(NOON + HOUR_MS) });
    expect(await heard()).to.deep.equal(['[Acme] Planned maintenance: Deploy']);
    const { id } = await plan({ startsAt: 'now', name: 'Repair' });
    expect(await heard()).to.deep.equal(['[Acme] Maintenance: Repair']);
    app.clock.advance(5 * MINUTE_MS);
    await create(world.api, `${PATH}/${id}/end`);
    expect(await heard()).to.deep.equal(['[Acme] Maintenance over: Repair']);
  });

  it('when announced maintenance is moved, resized, skipped or deleted, and of no other change', async () => {
    const { id } = await plan({ startsAt: local(NOON + 20 * HOUR_MS) });
    expect(await heard()).to.deep.equal(['[Acme] Planned maintenance: Deploy']);
    await change(id, { description: 'Other words.', name: 'Deploys' });
    expect(await heard()).to.deep.equal([]);
    await change(id, { startsAt: local(NOON + 22 * HOUR_MS) });
    await pass();
    expect(readMail(server.mails[0]!).text)
      .to.include('does not take place from 22 Nov 2026, 08:00 UTC to')
      .and.include('The new time: from 22 Nov 2026, 10:00 UTC to 22 Nov 2026, 11:00');
    expect(await heard()).to.deep.equal(['[Acme] Maintenance moved: Deploys']);
    await change(id, { duration: 'PT2H' });
    expect(await heard()).to.deep.equal(['[Acme] Maintenance changed: Deploys']);
    await change(id, { startsAt: local(NOON + 5 * DAY_MS) });
    expect(await heard()).to.deep.equal(['[Acme] Maintenance moved: Deploys']);
    expect(await heardAt(NOON + 4 * DAY_MS), 'a day before the new time').to.deep.equal([
      '[Acme] Planned maintenance: Deploys',
    ]);
    expect((await world.api('DELETE', `${PATH}/${id}`)).status).to.equal(204);
    expect(await heard()).to.deep.equal(['[Acme] Maintenance cancelled: Deploys']);
    const daily = await plan({ startsAt: local(NOON + 4 * DAY_MS + HOUR_MS), recurrence: 'FREQ=DAILY' });
    expect(await heard()).to.deep.equal(['[Acme] Planned maintenance: Deploy']);
    await create(world.api, `${PATH}/${daily.id}/skip-next`);
    expect(await heard()).to.deep.equal(['[Acme] Maintenance cancelled: Deploy']);
    expect(await heardAt(NOON + 4 * DAY_MS + 3 * HOUR_MS)).to.deep.equal(['[Acme] Planned maintenance: Deploy']);
  });

  it('not at all where it names no page, was never announced, is past, or the page is not published', async () => {
    await plan({ notifySubscribers: false, startsAt: 'now' });
    await plan({ statusPageIds: [], startsAt: 'now' });
    await plan({ startsAt: local(NOON - DAY_MS) });
    const early = await plan();
    await change(early.id, { startsAt: local(NOON + 3 * DAY_MS) });
    expect((await world.api('DELETE', `${PATH}/${early.id}`)).status).to.equal(204);
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: false }, 'PUT');
    await plan({ startsAt: 'now' });
    expect(await heard()).to.deep.equal([]);
  });

  it('in turns with those of other owners, whose notices are newer', async () => {
    for (let window = 0; window < 25; window++)
      await plan({ name: `Deploy ${window}`, startsAt: local(NOON + HOUR_MS) });
    await run('notify_subscribers_of_maintenance');
    const own = pageId;
    const other = await makeWorld(app, 'Pro');
    const page = { name: 'Other', slug: `other-${other.workspaceId}`, isPublished: true, groups: [] };
    const { id } = await create(other.api, '/api/v1/status-page', page);
    await app.sql(
      `INSERT INTO status_page_subscriber SELECT (jsonb_populate_record(known, jsonb_build_object('id', gen_random_uuid(),
         'page_id', $2::uuid, 'workspace_id', $3::uuid))).* FROM status_page_subscriber known WHERE page_id = $1`,
      [own, id, other.workspaceId],
    );
    app.clock.advance(1_000);
    await create(other.api, `/api/v1/status-page/${id}/incidents`, { title: 'Slow', body: 'We look.' });
    await run('notify_subscribers_of_posts');
    const open = () => app.sql<{ subject: string }>('SELECT subject FROM status_page_notice WHERE NOT done');
    const left = (await open()).map(({ subject }) => subject);
    expect(left, 'a run writes 20 batches, of 26').to.have.length(6);
    expect(left).not.to.include('[Other] Investigating: Slow');
    await run('notify_subscribers_of_posts');
    expect(await open()).to.deep.equal([]);
    // Not to be received in another test.
    await app.sql('DELETE FROM outgoing_mail');
  });

  it('once, though mails were written and the process ended before they were sent', async () => {
    await plan({ startsAt: local(NOON + HOUR_MS) });
    await run('notify_subscribers_of_maintenance');
    await run('notify_subscribers_of_maintenance');
    expect(server.mails).to.deep.equal([]);
    const due = async () =>
      (await app.sql(`SELECT 1 WHERE ${HAS_MAINTENANCE_NEWS}`, [new Date(app.clock.now())])).length;
    expect(await due()).to.equal(0);
    app.clock.advance(HOUR_MS + HOUR_MS);
    expect(await due()).to.equal(1);
    expect(await heard()).to.have.members(['[Acme] Planned maintenance: Deploy', '[Acme] Maintenance over: Deploy']);
    expect(await due()).to.equal(0);
  });

  it('and nothing of it stays for long', async () => {
    await plan({ startsAt: 'now' });
    await heardAt(NOON + HOUR_MS);
    app.clock.advance(31 * DAY_MS);
    await app.plane.jobs.find(({ name }) => name === 'purge_unconfirmed_subscribers')!.run();
    const rows = await app.sql(
      `SELECT window_id AS id FROM status_page_notified_maintenance WHERE page_id = $1
       UNION ALL SELECT id FROM status_page_notice WHERE page_id = $1`,
      [pageId],
    );
    expect(rows).to.deep.equal([]);
  });
});
