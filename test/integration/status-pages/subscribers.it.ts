import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { change } from '../../support/seed-alerts.js';
import { appForSuite } from '../../support/suite.js';
import { NOON } from '../results/seed.js';

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
  thread?: string;
}

let slugs = 0;

describe('subscribers of a status page', () => {
  const app = appForSuite();
  let world: World;
  let slug: string;
  let pageId: string;
  let monitorId: string;

  beforeEach(async () => {
    app.clock.set(NOON);
    // The same day each time: what an address was sent in another test does not count in this one.
    await app.sql('DELETE FROM status_page_subscriber');
    world = await makeWorld(app, 'Pro');
    slug = `subscribed-${++slugs}`;
    monitorId = (await seedMonitor(world)).id;
    const groups = [{ name: 'Sites', systems: [{ name: 'Shop', monitorId }] }];
    const page = await create(world.api, '/api/v1/status-page', { name: 'Acme', slug, isPublished: true, groups });
    pageId = page.id;
  });

  const path = () => `/api/v1/public/status-page/${slug}/subscribers`;
  const ask = (email: string) => {
    app.clock.advance(1_000);
    return app.anonymous('POST', path(), { email });
  };
  const follow = (url: string, method = 'GET') => {
    const { pathname, search } = new URL(url);
    return app.anonymous(method, pathname + search);
  };
  const work = async () => {
    for (const { run } of app.plane.periodicTasks.filter(({ name }) => name.startsWith('notify_subscribers')))
      await run();
  };
  /** Mail of this workspace, in the order in which it was handed over. */
  async function mails(): Promise<Mail[]> {
    const rows = await app.sql<{ content: Mail }>(
      'SELECT content FROM outgoing_mail WHERE workspace_id = $1 ORDER BY created, id',
      [world.workspaceId],
    );
    return rows.map(({ content }) => content);
  }
  const linkIn = ({ text }: Mail) => /https?:\/\/\S+token=\S+/.exec(text)![0];
  const isSubscribed = async (email: string) =>
    (
      await app.sql(
        'SELECT FROM status_page_subscriber WHERE page_id = $1 AND email_key = $2 AND confirmed_at IS NOT NULL',
        [pageId, email],
      )
    ).length === 1;
  async function subscribed(email: string): Promise<void> {
    await ask(email);
    const mail = (await mails()).findLast(({ to, subject }) => to === email && subject.startsWith('Confirm'))!;
    expect((await follow(linkIn(mail), 'POST')).status).to.equal(200);
  }
  const post = (body: object) => {
    app.clock.advance(1_000);
    return create(world.api, `/api/v1/status-page/${pageId}/incidents`, body);
  };

  it('hear nothing before they have pressed the button behind the link in the first mail', async () => {
    expect((await ask('ann@example.com')).status).to.equal(202);
    await post({ title: 'Slow', body: 'We look.' });
    await work();
    const sent = await mails();
    expect(sent.map(({ subject }) => subject)).to.deep.equal(['Confirm your subscription to a status page']);
    expect(JSON.stringify(sent), 'a text of the tenant would reach a stranger').to.not.include('Acme');
    expect(await isSubscribed('ann@example.com')).to.equal(false);
    expect((await follow(linkIn(sent[0]!), 'POST')).status).to.equal(200);
    expect(await isSubscribed('ann@example.com')).to.equal(true);
  });

  it('are not confirmed by a mail scanner: GET and HEAD show a page with a button, and its POST confirms', async () => {
    await ask('ann@example.com');
    const link = linkIn((await mails())[0]!);
    for (const method of ['HEAD', 'GET', 'GET']) {
      const answer = await fetch(link, { method, headers: { accept: 'text/html' } });
      expect(answer.status, method).to.equal(200);
      if (method === 'GET') {
        const text = await answer.text();
        expect(text).to.include('<button>Confirm the subscription</button>').and.include('news of Acme');
        const { pathname, search } = new URL(link);
        expect(text).to.include(`<form method="post" action="${pathname}${search}">`);
      }
    }
    expect(await isSubscribed('ann@example.com')).to.equal(false);
    expect((await follow(link)).body.message).to.equal('You asked for news of Acme by email. POST here confirms that.');
    expect((await follow(link, 'POST')).status).to.equal(200);
    expect(await isSubscribed('ann@example.com')).to.equal(true);
    for (const method of ['GET', 'POST']) expect((await follow(link, method)).status, method).to.equal(404);
  });

  it('confirm with a link that works once, for 48 hours, and that a newer one replaces', async () => {
    await ask('ann@example.com');
    await ask('ann@example.com');
    const [first, second] = (await mails()).map(linkIn);
    for (const method of ['GET', 'POST']) expect((await follow(first!, method)).status, method).to.equal(404);
    expect((await follow(second!, 'POST')).status).to.equal(200);
    expect((await follow(second!, 'POST')).status).to.equal(404);
    await ask('bob@example.com');
    const link = linkIn((await mails()).at(-1)!);
    app.clock.advance(48 * HOUR_MS + 1_000);
    for (const method of ['GET', 'POST']) expect((await follow(link, method)).status, method).to.equal(404);
    expect(await isSubscribed('bob@example.com')).to.equal(false);
  });

  it('are not given away: every well-formed address gets the same answer', async () => {
    await subscribed('ann@example.com');
    const answers = await Promise.all(['ann@example.com', 'ANN@example.com', 'new@example.com'].map(ask));
    const [one, ...others] = answers.map(({ status, body }) => JSON.stringify([status, body]));
    for (const other of others) expect(other).to.equal(one);
    const last = (await mails()).filter(({ to }) => to.toLowerCase() === 'ann@example.com').at(-1)!;
    expect(last.subject).to.equal('You subscribe to Acme already');
    for (const email of ['', 'ann', 'ann@example.com\r\nBcc: bob@example.com', 'a@b.example,c@d.example'])
      expect((await ask(email)).status, email).to.equal(400);
    expect(
      (await app.anonymous('POST', '/api/v1/public/status-page/nobody/subscribers', { email: 'a@b.example' })).status,
    ).to.equal(404);
  });

  it('cannot be flooded: three mails a day to an address, however often somebody asks', async () => {
    for (let time = 0; time < 8; time++) expect((await ask('victim@example.com')).status).to.equal(202);
    expect(await mails()).to.have.length(3);
    app.clock.advance(24 * HOUR_MS + 1_000);
    await ask('victim@example.com');
    expect(await mails()).to.have.length(4);
  });

  it('cannot be flooded by way of many pages: ten mails a day to an address', async () => {
    for (let page = 0; page < 5; page++) {
      slug = `flood-${++slugs}`;
      await create(world.api, '/api/v1/status-page', { name: 'Acme', slug, isPublished: true, groups: [] });
      for (let time = 0; time < 4; time++) expect((await ask('poor@example.com')).status).to.equal(202);
    }
    expect(await mails()).to.have.length(10);
    app.clock.advance(24 * HOUR_MS + 1_000);
    await ask('poor@example.com');
    expect(await mails()).to.have.length(11);
  });

  it('hear of each post and of what is added to it, once, however many workers there are', async () => {
    await subscribed('ann@example.com');
    await subscribed('bob@example.com');
    const before = (await mails()).length;
    const { id } = await post({ title: 'Payments are slow', body: 'We *look* <into> it.' });
    await create(world.api, `/api/v1/status-page/${pageId}/incidents/${id}`, { status: 'resolved' }, 'PATCH');
    await create(world.api, `/api/v1/status-page/${pageId}/incidents/${id}`, { title: 'Payments were slow' }, 'PATCH');
    await Promise.all([work(), work(), work()]);
    await work();
    const heard = (await mails()).slice(before);
    expect(heard.map(({ to, subject }) => `${to}: ${subject}`)).to.have.members(
      ['ann', 'bob'].flatMap((who) => [
        `${who}@example.com: [Acme] Investigating: Payments are slow`,
        `${who}@example.com: [Acme] Resolved: Payments are slow`,
      ]),
    );
    const mail = heard.find(({ subject }) => subject.includes('Investigating'))!;
    expect(mail.text).to.include(`/status/${slug}/posts/${id}`);
    expect(mail.html).to.include('<em>look</em> &lt;into&gt; it').and.include(mail.unsubscribeUrl!);
  });

  it('are not mailed about a post that is not to notify them', async () => {
    await subscribed('ann@example.com');
    const before = (await mails()).length;
    await post({ title: 'Slow', body: 'We look.', notify: false });
    await work();
    expect(await mails()).to.have.length(before);
  });

  it('get a link to a post only while visitors can read it, and to the page otherwise, in one thread', async () => {
    await create(world.api, `/api/v1/status-page/${pageId}`, { showIncidentHistory: false }, 'PUT');
    await subscribed('ann@example.com');
    const { id } = await post({ title: 'Slow', body: 'We look.' });
    await work();
    const investigating = (await mails()).at(-1)!;
    app.clock.advance(1_000);
    await create(world.api, `/api/v1/status-page/${pageId}/incidents/${id}`, { status: 'resolved' }, 'PATCH');
    await work();
    const resolved = (await mails()).at(-1)!;
    expect([investigating.subject, resolved.subject]).to.deep.equal([
      '[Acme] Investigating: Slow',
      '[Acme] Resolved: Slow',
    ]);
    expect(investigating.text).to.include(`/status/${slug}/posts/${id}\n`);
    expect(resolved.text).to.include(`/status/${slug}\n`).and.not.include('/posts/');
    expect(resolved.html).not.to.include('/posts/');
    expect([investigating.thread, resolved.thread]).to.deep.equal([id, id]);
  });

  it('hear when a maintenance is to be, of what, and that it was moved', async () => {
    await subscribed('ann@example.com');
    const before = (await mails()).length;
    const page = await world.api('GET', `/api/v1/status-page/${pageId}`);
    const { id } = await post({
      title: 'New database',
      body: 'Nothing works meanwhile.',
      kind: 'maintenance',
      scheduledStart: '2026-11-22T10:00:00Z',
      scheduledEnd: '2026-11-22T12:00:00Z',
      systemIds: [page.body.groups[0].systems[0].id],
    });
    const moved = { scheduledStart: '2026-11-23T10:00:00Z', scheduledEnd: '2026-11-23T12:00:00Z' };
    for (let time = 0; time < 2; time++)
      await create(world.api, `/api/v1/status-page/${pageId}/incidents/${id}`, moved, 'PATCH');
    await work();
    const heard = (await mails()).slice(before);
    expect(heard.map(({ subject }) => subject)).to.deep.equal(Array(2).fill('[Acme] Scheduled: New database'));
    const [first, second] = ['22 Nov', '23 Nov'].map((day) => heard.find(({ text }) => text.includes(day))!);
    expect(first!.text)
      .to.include('Shop\n\nplanned from 22 Nov 2026, 10:00 UTC to 22 Nov 2026, 12:00 UTC')
      .and.include('Nothing works meanwhile.');
    expect(second!.text).to.include('planned from 23 Nov 2026, 10:00 UTC to 23 Nov 2026, 12:00 UTC');
    expect(second!.html).to.include('planned from 23 Nov 2026');
    const site = await (await fetch(`${app.baseUrl}/status/${slug}`)).text();
    expect(site).to.include('<h2>Planned</h2>').and.not.include('What is going on');
    const feed = await (await fetch(`${app.baseUrl}/status/${slug}/feed.atom`)).text();
    expect(feed).to.include('Shop · planned from 23 Nov 2026, 10:00 UTC');
  });

  it('are notified of a post although the mails of another one fail', async () => {
    await subscribed('ann@example.com');
    await post({ title: 'Stuck', body: 'Its mails fail.' });
    await post({ title: 'Fine', body: 'Everybody can.' });
    await app.sql(`CREATE FUNCTION refuse_mail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.content::text LIKE '%Stuck%' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$`);
    await app.sql(
      'CREATE TRIGGER refuse_mail BEFORE INSERT ON outgoing_mail FOR EACH ROW EXECUTE FUNCTION refuse_mail()',
    );
    try {
      expect(await work().then(String, String), 'and the fault is reported').to.include('refused');
      expect((await mails()).at(-1)!.subject).to.equal('[Acme] Investigating: Fine');
    } finally {
      await app.sql('DROP TRIGGER refuse_mail ON outgoing_mail; DROP FUNCTION refuse_mail()');
    }
    await work();
    expect((await mails()).map(({ subject }) => subject)).to.include('[Acme] Investigating: Stuck');
  });

  it('hear nothing of a page that is not published', async () => {
    await subscribed('ann@example.com');
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: false }, 'PUT');
    const before = (await mails()).length;
    await post({ title: 'Slow', body: 'We look.' });
    await work();
    expect(await mails()).to.have.length(before);
  });

  it('hear nothing more of what was announced, once the page is unpublished', async () => {
    await subscribed('ann@example.com');
    const before = (await mails()).length;
    await post({ title: 'Slow', body: 'We look.' });
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: false }, 'PUT');
    await work();
    await create(world.api, `/api/v1/status-page/${pageId}`, { isPublished: true }, 'PUT');
    await work();
    expect(await mails()).to.have.length(before);
  });

  it('leave with one click in a mail program, and by a button in a browser; following the link alone ends nothing', async () => {
    await subscribed('ann@example.com');
    await subscribed('bob@example.com');
    await post({ title: 'Slow', body: 'We look.' });
    await work();
    const linkOf = async (who: string) => (await mails()).findLast(({ to }) => to === who)!.unsubscribeUrl!;
    const [ann, bob] = [await linkOf('ann@example.com'), await linkOf('bob@example.com')];
    await create(world.api, `/api/v1/status-page/${pageId}`, { slug: `${slug}-moved` }, 'PUT');
    expect((await follow(ann)).body.message).to.include('You get news of Acme');
    expect(await isSubscribed('ann@example.com')).to.equal(true);
    const oneClick = await fetch(ann, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(oneClick.status).to.equal(200);
    const page = await fetch(bob, { headers: { accept: 'text/html' } });
    const form = /<form method="post" action="([^"]+)"/.exec(await page.text())![1]!;
    const left = await fetch(app.baseUrl + form, { method: 'POST', headers: { accept: 'text/html' } });
    expect(await left.text()).to.include('no more mail');
    for (const who of ['ann@example.com', 'bob@example.com']) expect(await isSubscribed(who), who).to.equal(false);
    expect((await follow(ann, 'POST')).status).to.equal(200);
  });

  it('cannot be unsubscribed by a link that somebody made up or took from elsewhere', async () => {
    await subscribed('ann@example.com');
    await post({ title: 'Slow', body: 'We look.' });
    await work();
    const url = new URL((await mails()).at(-1)!.unsubscribeUrl!);
    for (const token of ['x', `${url.searchParams.get('token')}A`.slice(1), 'A'.repeat(92)]) {
      const answer = await app.anonymous('POST', `${url.pathname}?token=${encodeURIComponent(token)}`);
      expect(answer.status).to.equal(404);
    }
    const elsewhere = `/api/v1/public/status-page/another/subscribers/unsubscribe${url.search}`;
    expect((await app.anonymous('POST', elsewhere)).status).to.equal(404);
    expect(await isSubscribed('ann@example.com')).to.equal(true);
  });

  describe('where the status page notifies of outages', () => {
    beforeEach(async () => {
      await create(world.api, `/api/v1/status-page/${pageId}`, { notifyIncidents: true }, 'PUT');
      await subscribed('ann@example.com');
    });
    const subjects = async () =>
      (await mails()).map(({ subject }) => subject).filter((subject) => subject.startsWith('[Acme]'));
    const endAll = () =>
      app.sql('UPDATE incident SET ended = $2 WHERE workspace_id = $1', [world.workspaceId, new Date(app.clock.now())]);

    it('hear of an outage once, and when it is over', async () => {
      await seedIncident(world, monitorId);
      await work();
      expect(await subjects(), 'what ends within half a minute is no news').to.deep.equal([]);
      app.clock.advance(MINUTE_MS);
      await Promise.all([work(), work()]);
      await work();
      expect(await subjects()).to.deep.equal(['[Acme] Outage: Shop']);
      const mail = (await mails()).at(-1)!;
      expect(mail.text).to.include('Shop: outage since');
      expect(mail.text).not.to.include('refused');
      app.clock.advance(10 * MINUTE_MS);
      await endAll();
      await work();
      await work();
      expect(await subjects()).to.deep.equal(['[Acme] Outage: Shop', '[Acme] The outage is over']);
    });

    it('hear of an outage that returns before somebody closes its incident, and of its end again', async () => {
      const incidentId = await seedIncident(world, monitorId);
      app.clock.advance(MINUTE_MS);
      await work();
      app.clock.advance(10 * MINUTE_MS);
      await change(world, incidentId, { kind: 'recover', autoClose: false });
      await work();
      app.clock.advance(3 * HOUR_MS);
      await change(world, incidentId, { kind: 'relapse' });
      await work();
      expect((await subjects()).length, 'what ends within half a minute is no news').to.equal(2);
      app.clock.advance(MINUTE_MS);
      await Promise.all([work(), work()]);
      await work();
      expect((await mails()).at(-1)!.text).to.include('Shop: outage since 21 Nov 2026, 15:11 UTC');
      app.clock.advance(MINUTE_MS);
      await change(world, incidentId, { kind: 'recover', autoClose: false });
      await work();
      expect(await subjects()).to.deep.equal([
        '[Acme] Outage: Shop',
        '[Acme] The outage is over',
        '[Acme] Outage: Shop',
        '[Acme] The outage is over',
      ]);
    });

    it('hear that it is over when the site has recovered, not when a person closes the incident of a failing one', async () => {
      const incidentId = await seedIncident(world, monitorId);
      const verdict = (verdict: string) =>
        app.sql(
          `INSERT INTO monitor_state (monitor_key, workspace_id, verdict, verdict_since)
           SELECT key, workspace_id, $2, $3 FROM monitor WHERE id = $1
           ON CONFLICT (monitor_key) DO UPDATE SET verdict = excluded.verdict`,
          [monitorId, verdict, new Date(app.clock.now())],
        );
      await verdict('unavailable');
      app.clock.advance(MINUTE_MS);
      await work();
      await create(world.api, `/api/v1/incident/${incidentId}`, { status: 'Resolved' }, 'PATCH');
      app.clock.advance(10 * MINUTE_MS);
      await work();
      expect(await subjects()).to.deep.equal(['[Acme] Outage: Shop']);
      await verdict('available');
      await work();
      expect(await subjects()).to.deep.equal(['[Acme] Outage: Shop', '[Acme] The outage is over']);
    });

    it('hear that a failing monitor is no longer watched where it is paused or deleted, and not that it recovered', async () => {
      const blog = await seedMonitor(world, { name: 'Blog', url: 'https://blog.example/' });
      const systems = [
        { name: 'Shop', monitorId },
        { name: 'Blog', monitorId: blog.id },
      ];
      await create(world.api, `/api/v1/status-page/${pageId}`, { groups: [{ name: 'Sites', systems }] }, 'PUT');
      const incidentId = await seedIncident(world, monitorId);
      await seedIncident(world, blog.id);
      app.clock.advance(MINUTE_MS);
      await work();
      app.clock.advance(1_000);
      await change(world, incidentId, { kind: 'recover' });
      await create(world.api, `/api/v1/monitor/${blog.id}`, { monitoringStatus: 'paused' }, 'PUT');
      await work();
      const mail = (await mails()).at(-1)!;
      expect(mail.subject).to.equal('[Acme] The outage is no longer watched');
      expect(mail.text)
        .to.include('Some affected systems have recovered as of 21 Nov 2026, 12:01 UTC.')
        .and.include('The others are no longer watched: whether they have recovered is not known.');

      await seedIncident(world, monitorId);
      app.clock.advance(10 * MINUTE_MS);
      await work();
      app.clock.advance(1_000);
      expect((await world.api('DELETE', `/api/v1/monitor/${monitorId}`)).status).to.equal(204);
      await work();
      await work();
      expect((await subjects()).slice(2)).to.deep.equal([
        '[Acme] Outage: Shop',
        '[Acme] The outage is no longer watched',
      ]);
      expect((await mails()).at(-1)!.text).to.include('The affected systems are no longer watched');
    });

    it('are notified with any number of other status pages without news', async () => {
      // of the same workspace, before this one, each with a subscriber and not with what is out
      await app.sql(
        `INSERT INTO status_page SELECT (jsonb_populate_record(page, jsonb_build_object('slug', 'other-' || n || page.slug,
           'id', '00000000-0000-7000-8000-' || left(replace(page.id::text, '-', ''), 8) || lpad(n::text, 4, '0')))).*
         FROM status_page page, generate_series(1, 150) n WHERE id = $1`,
        [pageId],
      );
      await app.sql(
        `INSERT INTO status_page_subscriber SELECT (jsonb_populate_record(known, jsonb_build_object('id', gen_random_uuid(), 'page_id', other.id))).*
         FROM status_page_subscriber known, status_page other WHERE known.page_id = $1 AND other.id <> $1 AND other.workspace_id = known.workspace_id`,
        [pageId],
      );
      await seedIncident(world, monitorId);
      app.clock.advance(MINUTE_MS);
      await work();
      expect(await subjects()).to.deep.equal(['[Acme] Outage: Shop']);
    });

    it('are not notified of outages that ended before the notice or began long before', async () => {
      await seedIncident(world, monitorId);
      app.clock.advance(10_000);
      await endAll();
      app.clock.advance(5 * MINUTE_MS);
      await work();
      expect(await subjects()).to.deep.equal([]);
    });
  });

  it('are forgotten when they never confirm', async () => {
    await ask('ann@example.com');
    app.clock.advance(49 * HOUR_MS);
    await app.plane.jobs.find(({ name }) => name === 'purge_unconfirmed_subscribers')!.run();
    expect(await app.sql('SELECT FROM status_page_subscriber WHERE page_id = $1', [pageId])).to.have.length(0);
  });

  it('are forgotten too where they were sent nothing, because too much was asked for', async () => {
    for (let page = 0; page < 6; page++) {
      slug = `forgotten-${++slugs}`;
      await create(world.api, '/api/v1/status-page', { name: 'Acme', slug, isPublished: true, groups: [] });
      for (let time = 0; time < 3; time++) await ask('asked@example.com');
    }
    const known = () => app.sql("SELECT FROM status_page_subscriber WHERE email_key = 'asked@example.com'");
    expect(await known()).to.have.length(6);
    app.clock.advance(49 * HOUR_MS);
    await app.plane.jobs.find(({ name }) => name === 'purge_unconfirmed_subscribers')!.run();
    expect(await known()).to.have.length(0);
  });
});
