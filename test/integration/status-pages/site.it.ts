import { expect } from 'chai';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

/** A page that is older is never sent, also where the next one takes long to build. */
const NEVER_SENT_AGAIN_MS = 31_000;

let slugs = 0;

describe('the site of a status page', () => {
  const app = appForSuite();
  let world: World;
  let slug: string;
  let pageId: string;

  async function publish(page: object = {}, systems = 2): Promise<void> {
    world = await makeWorld(app, 'Pro');
    slug = `site-${++slugs}`;
    const shown = [];
    for (let index = 0; index < systems; index++)
      shown.push({ name: `System <${index}>`, monitorId: (await seedMonitor(world)).id });
    const groups = [{ name: 'Public & "sites"', systems: shown }];
    const body = { name: 'Acme <b>', slug, description: 'How we are doing.', isPublished: true, groups, ...page };
    pageId = (await create(world.api, '/api/v1/status-page', body)).id;
  }
  const get = (path = '', headers: Record<string, string> = {}) =>
    fetch(`${app.baseUrl}/status/${slug}${path}`, { headers: { accept: 'text/html', ...headers } });

  it('is complete without scripts, escapes all text, and loads nothing from other sites', async () => {
    await publish();
    const post = { title: 'Slow <i>', body: 'We **look**. <script>alert(1)</script>' };
    const { id } = await create(world.api, `/api/v1/status-page/${pageId}/incidents`, post);
    const answer = await get();
    const text = await answer.text();
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(text)
      .to.include('Acme &lt;b&gt;')
      .and.include('System &lt;1&gt;')
      .and.include('Public &amp; &quot;sites&quot;');
    expect(text)
      .to.include('Slow &lt;i&gt;')
      .and.include('<strong>look</strong>')
      .and.include(`/status/${slug}/posts/${id}`);
    expect(text.match(/<script/g), 'its own script, and no other').to.have.length(1);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).to.include("default-src 'none'").and.include("script-src 'sha256-").and.not.include('unsafe');
    expect(policy).not.to.include('img-src');
    const page = await (await get(`/posts/${id}`)).text();
    expect(page).to.include('<strong>look</strong>').and.not.include('<script');
    expect((await get('/posts/none')).status).to.equal(404);
  });

  it('leads from other spellings of its address to the one that it has, and from none where there is no page', async () => {
    await publish();
    const post = { title: 'Slow', body: 'We look.' };
    const { id } = await create(world.api, `/api/v1/status-page/${pageId}/incidents`, post);
    const at = async (path: string, method = 'GET') => {
      const { status, headers } = await fetch(`${app.baseUrl}${path}`, { method, redirect: 'manual' });
      const [caching, tag] = [headers.get('cache-control'), headers.get('etag')];
      return { status, to: headers.get('location'), ...(status === 308 && { caching, tag }) };
    };
    const loud = slug.toUpperCase();
    for (const rest of ['', `/posts/${id}`, '/feed.atom', '/maintenance.ics', '/badge.svg']) {
      const to = `/status/${slug}${rest}`;
      const moved = { status: 308, to, caching: 'no-cache', tag: null };
      for (const path of [`/status/${loud}${rest}`, `${to}/`, `/status/${loud}${rest}/`, to.replace('site', '%73ite')])
        expect(await at(path), path).to.deep.equal(moved);
      expect(await at(`${to}/`, 'HEAD')).to.deep.equal(moved);
      expect(await at(to), to).to.deep.equal({ status: 200, to: null });
      expect((await at(`${to}//`)).status).to.equal(404);
    }
    expect(await (await fetch(`${app.baseUrl}/status/${loud}/`)).text(), 'what is kept').to.not.include(loud);
    await world.api('PUT', `/api/v1/status-page/${pageId}`, { isPublished: false });
    for (const path of [`/status/${loud}`, `/status/${slug}/`, '/status/Nobodys', '/status/nobodys/', '/Status/x'])
      expect(await at(path), path).to.deep.equal({ status: 404, to: null });
    expect((await at(`/status/${slug}/`, 'POST')).status).to.equal(405);
  });

  it('shows code in a post line by line as it was written', async () => {
    await publish();
    const yaml = 'checks:\n    - name: shop\n\n      every: 30s';
    const blank = `${'\n'.repeat(19_900)}end`;
    const fence = (code: string) => `\`\`\`\n${code}\n\`\`\``;
    const { id } = await create(world.api, `/api/v1/status-page/${pageId}/incidents`, {
      title: 'Slow',
      body: fence(yaml),
    });
    const updates = 20;
    await app.sql(
      `INSERT INTO status_page_post_update (id, workspace_id, post_id, status, body, created_by, created)
       SELECT gen_random_uuid(), workspace_id, id, status, $2, created_by, created FROM status_page_post, generate_series(1, $3)
       WHERE id = $1`,
      [id, fence(blank), updates],
    );
    app.clock.advance(NEVER_SENT_AGAIN_MS);
    const page = await (await get(`/posts/${id}`)).text();
    expect(page).to.include(`<pre><code>${yaml}\n</code></pre>`);
    expect(page.split(`<pre><code>${blank}\n</code></pre>`)).to.have.length(updates + 1);
    expect(await (await get()).text(), 'on the status page').to.include(`<pre><code>${yaml}\n</code></pre>`);
  });

  it('carries the newest texts of its posts up to a bound, and links to the posts where older ones are left out', async () => {
    await publish();
    const path = `/api/v1/status-page/${pageId}/incidents`;
    const { id: older } = await create(world.api, path, { title: 'Older', body: 'x'.repeat(20_000) });
    app.clock.advance(1_000);
    const { id: newer } = await create(world.api, path, { title: 'Newer', body: 'short' });
    const addUpdates = (postId: string, count: number, minutesAgo: number) =>
      app.sql(
        `INSERT INTO status_page_post_update (id, workspace_id, post_id, status, body, created_by, created)
         SELECT gen_random_uuid(), workspace_id, id, status, rpad($2 || number || ' ', 20000, 'y'), created_by,
           created - make_interval(mins => $3 + number)
         FROM status_page_post, generate_series(1, $4::int) AS number WHERE id = $1`,
        [postId, 'update ', minutesAgo, count],
      );
    await addUpdates(newer, 20, 0);
    await addUpdates(older, 40, 100);
    interface Shown {
      id: string;
      body: string;
      updates: { body: string }[];
    }
    const shownPosts = async (): Promise<Shown[]> => {
      app.clock.advance(NEVER_SENT_AGAIN_MS);
      const { body } = await app.anonymous('GET', `/api/v1/public/status-page/${slug}`);
      return (body as { activePosts: Shown[] }).activePosts;
    };
    // 26 texts of 20,000 bytes fit into 512 KiB.
    expect((await shownPosts()).map(({ updates }) => updates.length)).to.deep.equal([20, 6]);
    expect((await get()).ok && (await (await get()).text()).match(/Read all of it/g), 'both').to.have.length(2);
    expect(await (await get('/feed.atom', { accept: '*/*' })).text()).to.include(`/posts/${older}&quot;&gt;Read all`);
    const whole = await (await get(`/posts/${older}`)).text();
    expect([...whole.matchAll(/update (\d+) /g)].map(([, number]) => Number(number))).to.deep.equal(
      Array.from({ length: 26 }, (_, index) => index + 1),
    );
    expect(whole).to.include('Older updates are not shown.').and.include('x'.repeat(20_000));
    expect(await (await get(`/posts/${newer}`)).text()).not.to.include('Older updates');

    // 104 texts of 20,000 bytes fit into 2 MiB, of which members see the newest.
    await addUpdates(newer, 80, 20);
    interface Listed extends Shown {
      moreUpdates: boolean;
    }
    const listed = (await world.api('GET', path)).body as Listed[];
    expect(listed.map((post) => [post.updates.length, post.moreUpdates])).to.deep.equal([
      [100, false],
      [4, true],
    ]);
    const read = (await world.api('GET', `${path}/${older}`)).body as Listed;
    expect([read.updates.length, read.moreUpdates]).to.deep.equal([40, false]);

    await app.sql('DELETE FROM status_page_post_update WHERE post_id = ANY ($1)', [[older, newer]]);
    await app.sql(
      `INSERT INTO status_page_post (id, workspace_id, page_id, title, body, kind, status, system_ids, created_by, created, last_modified)
       SELECT gen_random_uuid(), workspace_id, page_id, title, repeat('z', 20000), kind, status, system_ids, created_by,
         created + interval '1 hour', last_modified
       FROM status_page_post, generate_series(1, 26) WHERE id = $1`,
      [older],
    );
    const posts = await shownPosts();
    expect(posts.slice(0, 26).every(({ body }) => body.length === 20_000)).to.equal(true);
    expect(posts.slice(26).map(({ body }) => body)).to.deep.equal(['short', `${'x'.repeat(2_000)} …`]);
    expect(await (await get('/feed.atom', { accept: '*/*' })).text()).to.include(`/posts/${older}&quot;&gt;Read all`);
    expect(await (await get(`/posts/${older}`)).text()).to.include('x'.repeat(20_000));
  });

  it('is shown to its workspace before it is published, in frames of the console alone, without scripts', async () => {
    await publish({ isPublished: false });
    expect((await get()).status).to.equal(404);
    const path = `/api/v1/workspaces/${world.workspaceId}/status-page/${pageId}/preview`;
    const own = await app.token(world.owner.sub);
    const headers = { authorization: `Bearer ${own}`, accept: 'text/html' };
    const answer = await fetch(app.baseUrl + path, { headers });
    const text = await answer.text();
    expect(answer.status, text).to.equal(200);
    expect(text).to.include('Acme &lt;b&gt;').and.include('System &lt;1&gt;').and.not.include('<script');
    expect(answer.headers.get('content-security-policy'))
      .to.match(/^default-src 'none'; style-src 'sha256-\S+'; .*frame-ancestors 'self'/)
      .and.not.include('script-src');
    expect(answer.headers.get('x-frame-options')).to.equal('SAMEORIGIN');
    await world.api('PUT', `/api/v1/status-page/${pageId}`, { name: 'Acme, renamed' });
    expect(await (await fetch(app.baseUrl + path, { headers })).text(), 'a change is shown at once').to.include(
      'Acme, renamed',
    );
    const foreign = await makeWorld(app, 'Pro');
    const theirs = await app.token(foreign.owner.sub);
    for (const [from, token] of [
      [foreign.workspaceId, own],
      [foreign.workspaceId, theirs],
      [world.workspaceId, theirs],
    ]) {
      const refused = await fetch(`${app.baseUrl}/api/v1/workspaces/${from}/status-page/${pageId}/preview`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(refused.status).to.equal(404);
    }
  });

  it('is summed up for its workspace: status, confirmed subscribers and open posts, of its own pages alone', async () => {
    await publish();
    const other = world;
    const otherId = pageId;
    await publish();
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, { title: 'Slow', body: 'We look.' });
    const over = { title: 'Over', body: 'It is over.', status: 'resolved' };
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, over);
    for (const email of ['one@example.com', 'two@example.com'])
      await world.api('POST', `/api/v1/public/status-page/${slug}/subscribers`, { email });
    await app.sql(`UPDATE status_page_subscriber SET confirmed_at = now(), confirm_hash = NULL, confirm_until = NULL
      WHERE page_id = '${pageId}' AND email = 'one@example.com'`);
    const shown = (await world.api('GET', `/api/v1/status-page/${pageId}`)).body as {
      groups: { name: string; systems: { monitorId: string; name: string }[] }[];
    };
    const page = { statusPageId: pageId, overallStatus: 'unknown', subscribers: 1, openPosts: 1 };
    expect((await world.api('GET', '/api/v1/status-page-summaries')).body).to.deep.equal([page]);
    const systems = shown.groups[0]!.systems.map(({ name, monitorId }) => ({
      name,
      monitorId,
      overrideStatus: 'majorOutage',
    }));
    await world.api('PUT', `/api/v1/status-page/${pageId}`, { groups: [{ name: 'All', systems }] });
    expect((await world.api('GET', '/api/v1/status-page-summaries')).body).to.deep.equal([
      { ...page, overallStatus: 'majorOutage' },
    ]);
    expect((await other.api('GET', '/api/v1/status-page-summaries')).body).to.deep.equal([
      { statusPageId: otherId, overallStatus: 'unknown', subscribers: 0, openPosts: 0 },
    ]);
  });

  it('is small: under 30 KB with twenty systems, and a fraction of that packed', async () => {
    await publish({}, 20);
    const plain = await get('', { 'accept-encoding': 'identity' });
    expect((await plain.arrayBuffer()).byteLength).to.be.lessThan(30 * 1024);
    const packed = await get('', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).to.equal('gzip');
    expect(packed.headers.get('vary')).to.include('Accept-Encoding');
    const refused = await get('', { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers.get('content-encoding')).to.equal(null);
  });

  it('is as small with twenty service groups, each with its days', async () => {
    world = await makeWorld(app, 'Pro');
    slug = `site-${++slugs}`;
    const systems = [];
    for (let index = 0; index < 20; index++) {
      const group = await create(world.api, '/api/v1/service-group', { name: `Service ${index}` });
      await seedMonitor(world, { serviceGroupId: group.id });
      systems.push({ name: `Service number ${index}`, serviceGroupId: group.id });
    }
    await app.sql(`UPDATE monitor SET created = created - interval '100 days'`);
    const groups = [{ name: 'All', systems }];
    await create(world.api, '/api/v1/status-page', { name: 'Acme', slug, isPublished: true, groups });
    const text = await (await get('', { 'accept-encoding': 'identity' })).text();
    expect(text.match(/Last 90 days: no failures, no data on 90 days/g)).to.have.length(20);
    expect(Buffer.byteLength(text)).to.be.lessThan(30 * 1024);
  });

  it('is not sent again to who has it', async () => {
    await publish();
    const etag = (await get()).headers.get('etag')!;
    expect((await get('', { 'if-none-match': etag })).status).to.equal(304);
  });

  it('shows its banner from where the operator put it, and lets pictures come from there only', async () => {
    await publish({
      banner: { imageUrl: 'https://pictures.example/a.png', linkUrl: 'https://acme.example/', altText: 'Acme "x"' },
    });
    const answer = await get();
    expect(answer.headers.get('content-security-policy')).to.include('img-src https://pictures.example');
    expect(await answer.text()).to.include('alt="Acme &quot;x&quot;"');
  });

  it('never lets the host of a banner add to its policy, also where it was stored before hosts were checked', async () => {
    await publish();
    const policy = (await get()).headers.get('content-security-policy');
    for (const host of ['evil.example;script-src', 'evil.example,default-src', "evil.example'unsafe-inline'", '*'])
      for (const scheme of ['https', 'javascript']) {
        const banner = { imageUrl: `${scheme}://${host}/a.png`, linkUrl: null, altText: 'Evil' };
        await app.sql('UPDATE status_page SET banner = $2 WHERE id = $1', [pageId, JSON.stringify(banner)]);
        app.clock.advance(NEVER_SENT_AGAIN_MS);
        const answer = await get();
        expect(answer.headers.get('content-security-policy'), host).to.equal(policy);
        expect(await answer.text(), host).not.to.include('Evil');
      }
  });

  it('answers 404 for unknown pages, as a document or as data', async () => {
    await publish({ isPublished: false });
    const page = await get();
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
    expect(await page.text()).to.include('There is no status page at this address.');
    const data = await app.anonymous('GET', `/status/${slug}`, undefined, { accept: 'application/json' });
    expect([data.status, data.body.error]).to.deep.equal([404, 'not_found']);
    for (const path of ['/feed.atom', '/badge.svg', '/posts/x'])
      expect((await get(path, { accept: '*/*' })).status, path).to.equal(404);
  });

  it('has a feed of posts and outages that readers take', async () => {
    await publish();
    const empty = await get('/feed.atom', { accept: '*/*' });
    app.clock.advance(NEVER_SENT_AGAIN_MS);
    const etag = empty.headers.get('etag')!;
    expect(
      (await get('/feed.atom', { accept: '*/*', 'if-none-match': etag })).status,
      'nothing in it, nothing new',
    ).to.equal(304);
    const [system] = (
      await create<{ groups: { systems: { monitorId: string }[] }[] }>(
        world.api,
        `/api/v1/status-page/${pageId}`,
        undefined,
        'GET',
      )
    ).groups[0]!.systems;
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, { title: 'Slow & <steady>', body: 'a\u000bb' });
    await seedIncident(world, system!.monitorId);
    app.clock.advance(NEVER_SENT_AGAIN_MS);
    const answer = await get('/feed.atom', { accept: 'application/atom+xml' });
    expect(answer.headers.get('content-type')).to.equal('application/atom+xml; charset=utf-8');
    const text = await answer.text();
    expect(text).to.include('<title>Slow &amp; &lt;steady&gt; (investigating)</title>');
    expect(text).to.include('System &lt;0&gt;: outage from');
    expect(text).not.to.include('\u000b');
    expect(text.match(/<entry>/g)).to.have.length(2);
  });

  it('has a feed in which each outage keeps an id of its own, which is not that of its incident', async () => {
    await publish({}, 0);
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const monitors = [
      await seedMonitor(world, { serviceGroupId }),
      await seedMonitor(world, { serviceGroupId, monitorTypes: ['Latency'] }),
    ];
    const groups = [{ name: 'Sites', systems: [{ name: 'Shop', serviceGroupId }] }];
    const update = (body: object) => create(world.api, `/api/v1/status-page/${pageId}`, body, 'PUT');
    await update({ groups });
    const incidentIds: string[] = [];
    for (const { id } of monitors) incidentIds.push(await seedIncident(world, id));
    const read = async () => {
      app.clock.advance(NEVER_SENT_AGAIN_MS);
      const text = await (await get('/feed.atom', { accept: '*/*' })).text();
      for (const id of incidentIds) expect(text).not.to.include(id);
      return [...text.matchAll(/<entry><id>([^<]+)<\/id>/g)].map(([, id]) => id!).toSorted();
    };
    const ids = await read();
    expect(new Set(ids).size).to.equal(2);
    slug = `site-${++slugs}`;
    await update({ slug, groups: [{ name: 'Sites', systems: [{ name: 'The shop', serviceGroupId }] }] });
    expect(await read()).to.deep.equal(ids);
    const { body } = await app.anonymous('GET', `/api/v1/public/status-page/${slug}`);
    expect(body.history).to.have.length(2);
    expect(body).not.to.have.any.keys('outageIds', 'shortenedPosts');
    for (const id of [...incidentIds, ...ids]) expect(JSON.stringify(body)).not.to.include(id.replace('urn:uuid:', ''));
  });

  it('shows that nothing is on it yet where it has no systems, and claims no status of them', async () => {
    await publish({ groups: [{ name: 'Services', systems: [] }] });
    const document = await (await get()).text();
    expect(document)
      .to.include('<h2>No systems are shown yet</h2>')
      .and.to.include('Acme &lt;b&gt;: No systems are shown yet');
    expect(/<main[^]*<\/main>/.exec(document)![0]).not.to.match(/unknown|operational/i);
    expect(await (await get('/badge.svg', { accept: 'image/*' })).text()).to.include('status: nothing shown yet');
    const { body } = await app.api('GET', `/api/v1/public/status-page/${slug}`);
    expect(body).to.include({ isEmpty: true, overallStatus: 'unknown' });
    expect(await (await get('/feed.atom')).text()).not.to.include('nown');
  });

  it('has a badge for other pages', async () => {
    await publish();
    const answer = await get('/badge.svg', { accept: 'image/*' });
    expect(answer.headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
    expect(await answer.text()).to.include('aria-label="status: unknown"');
  });

  it('takes its own form, and answers who sent it with a page', async () => {
    await publish();
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${app.baseUrl}/api/v1/public/status-page/${slug}/subscribers`, {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': type },
        body,
      });
    const asked = await send('email=ann%2Bnews%40example.com');
    expect([asked.status, (await asked.text()).includes('Look into your mailbox')]).to.deep.equal([202, true]);
    const refused = await send('email=nobody');
    expect([refused.status, (await refused.text()).includes('must be an email address')]).to.deep.equal([400, true]);
    expect((await send('email=a%40b.example&admin=1')).status).to.equal(400);
    expect((await send('email=a%40b.example', 'text/plain')).status).to.equal(415);
    expect((await send('__proto__=x&constructor=y')).status).to.equal(400);
  });
});
