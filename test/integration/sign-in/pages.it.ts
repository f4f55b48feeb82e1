import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BuiltConsole, readBuiltConsole } from '@watchpost/control-plane/capabilities/sign-in/index';
import type { FirstDocument } from '@watchpost/control-plane/capabilities/sign-in/first-document-schemas';
import { startTestApp, type TestApp } from '../../support/app.js';
import { create } from '../../support/seed.js';
import { MAIN, STYLE, writeBuild } from '../../support/console-build.js';
import { openEvents } from '../events/event-client.js';
import { ConsoleBrowser } from './console-browser.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('Pages of the console', () => {
  let app: TestApp;
  let folder: string;
  let built: BuiltConsole;
  let browser: ConsoleBrowser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-console-'));
    await writeBuild(folder);
    built = await readBuiltConsole(folder);
    app = await startTestApp({ env: { OIDC_CONSOLE_CLIENT_ID: 'console' }, builtConsole: built });
  });
  after(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    browser = new ConsoleBrowser(app.baseUrl);
  });

  /** Unlike fetch, neither normalizes the path nor decompresses the answer. */
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(app.baseUrl);
      const sent = request({ hostname, port, path, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.once('error', reject).end();
    });

  const firstIn = (page: string) =>
    JSON.parse(/<script type="application\/json" id="first">(.*?)<\/script>/s.exec(page)![1]!) as FirstDocument;

  it('contain what the first screen shows, as REST answers it', async () => {
    await browser.signIn(app, app.owner.sub);
    const { workspaceId } = app.owner;
    const monitor = { name: 'Shop', url: 'https://shop.example/' };
    expect((await app.api('POST', '/api/v1/monitor', monitor)).status).to.equal(201);
    for (const path of ['/console', `/console/w/${workspaceId}`, `/console/w/${workspaceId.toUpperCase()}/`]) {
      const page = await browser.send(path);
      expect(page.status, path).to.equal(200);
      const first = firstIn(page.text);
      const { at: _at, ...overview } = (await app.api('GET', '/api/v1/overview')).body as Record<string, unknown>;
      expect(first.overview, path).to.deep.include(overview);
      const list = await app.api('GET', '/api/v1/monitor?sort=health&pageSize=50');
      expect(first.monitors!.monitors).to.deep.equal(list.body);
      expect(first.monitors!.total).to.equal(1);
      const charts = await app.api('GET', `/api/v1/monitor-charts?monitorId=${first.monitors!.monitors[0]!.id}`);
      expect(first.monitors!.charts).to.deep.equal(charts.body);
      expect(first).to.deep.include({
        workspaceId,
        user: { id: app.owner.userId, name: 'The owner', email: app.owner.email },
        serverTime: new Date(app.clock.now()).toISOString(),
      });
      expect(first.workspaces.map(({ id, role, plan }) => ({ id, role, plan }))).to.deep.equal([
        { id: workspaceId, role: 'Owner', plan: 'Enterprise' },
      ]);
    }
    const grouped = firstIn((await browser.send(`/console/w/${workspaceId}?by=team`)).text).groups!;
    const groups = await app.api('GET', '/api/v1/overview/groups?by=team&pageSize=12');
    expect(grouped).to.deep.equal({ by: 'team', items: groups.body, total: 1 });
    const ungrouped = firstIn((await browser.send(`/console/w/${workspaceId}?by=No+key`)).text);
    expect([ungrouped.groups, ungrouped.overview!.counts.total]).to.deep.equal([null, 1]);
    const other = firstIn((await browser.send(`/console/w/${workspaceId}/monitors?tag=a`)).text);
    expect([other.overview, other.monitors, other.workspaceId]).to.deep.equal([null, null, workspaceId]);
  });

  it('name the event from which the stream brings what changed since', async () => {
    await browser.signIn(app, app.owner.sub);
    const before = await create<{ id: string }>(app.api, '/api/v1/monitor', { url: 'https://before.example/' });
    const { eventId, monitors } = firstIn((await browser.send('/console')).text);
    expect(monitors!.monitors.map(({ id }) => id)).to.include(before.id);
    const after = await create<{ id: string }>(app.api, '/api/v1/monitor', { url: 'https://after.example/' });
    const stream = await openEvents(app.baseUrl, { token: await app.token(app.owner.sub), lastId: eventId });
    try {
      await stream.received('the later monitor', ({ data }) => data.id === after.id);
      expect(stream.of(before.id)).to.deep.equal([]);
    } finally {
      stream.cut();
    }
  });

  it('run files of the build only, and cannot be framed or kept', async () => {
    await browser.signIn(app, app.owner.sub);
    const { headers, text } = await browser.send('/console');
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).to.equal('DENY');
    expect(headers.get('cache-control')).to.equal('no-store');
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!.trim());
    expect(scripts).to.deep.equal([
      'type="module" src="/console/files/main-ABC.js"',
      'type="application/json" id="first"',
    ]);
    expect(text).not.to.match(/<style|\sstyle=|\son\w+=/);
    expect(text).not.to.include(browser.session!).and.not.include('eyJ');
  });

  it('contain names of people as text, whatever they are', async () => {
    const hostile = '</script><script>alert(1)</script><!--';
    await browser.signIn(app, 'hal');
    await app.sql('UPDATE user_account SET name = $1 WHERE subject = $2', [hostile, 'hal']);
    const { text } = await browser.send('/console');
    expect(text).not.to.include('<script>alert');
    expect(firstIn(text).user.name).to.equal(hostile);
  });

  it('are not found for a workspace of others, one that does not exist, and an address that is none', async () => {
    await browser.signIn(app, 'ann');
    for (const path of [
      `/console/w/${app.owner.workspaceId}`,
      `/console/w/${app.owner.workspaceId}/monitors`,
      '/console/w/00000000-0000-4000-8000-000000000000',
      '/console/w/x',
      '/console/elsewhere',
    ]) {
      const page = await browser.send(path);
      expect(page.status, path).to.equal(404);
      expect(page.text).not.to.include('id="first"').and.not.include('The owner');
    }
  });

  it('are compressed for browsers that take it', async () => {
    await browser.signIn(app, app.owner.sub);
    const answer = await raw('/console', { cookie: browser.cookieHeader, 'accept-encoding': 'gzip, br' });
    expect(answer.headers['content-encoding']).to.equal('gzip');
    expect(firstIn(gunzipSync(answer.body).toString()).user.id).to.equal(app.owner.userId);
    const head = await raw('/console', { cookie: browser.cookieHeader }, 'HEAD');
    expect([head.status, head.body.length]).to.deep.equal([200, 0]);
    expect((await raw('/console', { cookie: browser.cookieHeader }, 'POST')).status).to.equal(405);
  });

  it('load files that are kept for good, in the encoding that the browser takes', async () => {
    const path = '/console/files/main-ABC.js';
    const plain = await raw(path);
    expect(plain.body.toString()).to.equal(MAIN);
    expect(plain.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    const packed = await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(packed.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(packed.body).toString()).to.equal(MAIN);
    expect(packed.headers['etag']).not.to.equal(plain.headers['etag']);
    const zipped = await raw(path, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.body).toString()).to.equal(MAIN);
    const known = await raw(path, { 'if-none-match': String(plain.headers['etag']) });
    expect([known.status, known.body.length]).to.deep.equal([304, 0]);
    const head = await raw(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body.length]).to.deep.equal([200, `${MAIN.length}`, 0]);
    const style = await raw('/console/files/style-DEF.css', { 'accept-encoding': 'br' });
    expect([style.headers['content-encoding'], style.body.toString()]).to.deep.equal([undefined, STYLE]);
  });

  it('load no file that is not of the build', async () => {
    for (const name of [
      '',
      'manifest.json',
      'main-ABC.js.br',
      'main-ABC.js.map',
      '../manifest.json',
      '..%2fmanifest.json',
      '../../../../../../etc/passwd',
      'constructor',
      '%00',
    ]) {
      const { status } = await raw(`/console/files/${name}`);
      expect(status, name).to.be.oneOf([400, 404]);
    }
  });

  it('are where the bare address leads browsers', async () => {
    const answer = await browser.send('/', { headers: HTML });
    expect([answer.status, answer.location]).to.deep.equal([302, '/console']);
    const list = await browser.send('/');
    expect([list.status, list.text.includes('/swagger')]).to.deep.equal([200, true]);
    const signedOut = await browser.send('/console', { headers: HTML });
    for (const link of ['/swagger', '/swagger/v1/swagger.json', '/.well-known/mcp.json', '/health'])
      expect(signedOut.text).to.include(`href="${link}"`);
  });

  it('are limited per user, each by itself', async () => {
    await browser.signIn(app, 'pat');
    const { workspaceId } = await app.user('pat');
    const statuses = new Set<number>();
    for (let count = 0; count <= 120; count++)
      statuses.add((await browser.send(`/console/w/${workspaceId}/monitors`)).status);
    expect([...statuses]).to.deep.equal([200, 429]);
    const other = new ConsoleBrowser(app.baseUrl);
    await other.signIn(app, 'quinn');
    expect((await other.send('/console')).status).to.equal(200);
  });

  it('take an invitation, after a sign-in where there was none', async () => {
    const { body } = await app.api('POST', `/api/v1/workspaces/${app.owner.workspaceId}/invitations`, {
      email: 'guest@example.test',
      role: 'Viewer',
    });
    const link = new URL((body as { link: string }).link);
    const token = link.searchParams.get('token')!;
    const page = await browser.send(link.href, { headers: HTML });
    expect(page.status).to.equal(200);
    const signInUrl = `${app.baseUrl}/console/sign-in?returnTo=%2Fconsole%2Finvitations%2F${token}`;
    expect(page.text)
      .to.include(`action="${app.baseUrl}/console/sign-in"`)
      .and.match(new RegExp(`name="returnTo"\\s+value="/console/invitations/${token}"`))
      .and.match(/<details>[^]*curl -X POST/);
    const back = await browser.signIn(app, 'guest', signInUrl);
    expect(back.location).to.equal(`${app.baseUrl}/console/invitations/${token}`);
    expect((await browser.send(back.location!)).status).to.equal(200);
    const again = await browser.send(link.href, { headers: HTML });
    expect([again.status, again.location]).to.deep.equal([303, `/console/invitations/${token}`]);
    expect((await app.anonymous('GET', link.pathname + link.search)).status).to.equal(200);
  });
});

describe('A console that was not built', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-console-'));
  });
  after(() => rm(folder, { recursive: true }));

  const faultOf = async () => readBuiltConsole(folder).catch((error: unknown) => (error as Error).message);

  it('is reported with what to do', async () => {
    expect(await faultOf())
      .to.include('The console is not built')
      .and.include('build.mjs');
  });

  it('is refused where its manifest names files that are not there, or that are none of its own', async () => {
    for (const manifest of [
      { entry: 'other.js' },
      { preload: ['other.js'] },
      { files: { 'main-ABC.js': {}, 'style-DEF.css': {}, 'gone.js': {} } },
      { files: { '../secret.js': {} } },
      { files: { 'main-ABC.js': {}, 'style-DEF.css': {}, 'run.exe': {} } },
    ]) {
      await writeBuild(folder, manifest);
      expect(await faultOf(), JSON.stringify(manifest)).to.be.a('string');
    }
  });

  it('is explained on its pages, while everything else is served', async () => {
    const app = await startTestApp({ env: { OIDC_CONSOLE_CLIENT_ID: 'console' } });
    const browser = new ConsoleBrowser(app.baseUrl);
    await browser.signIn(app, 'ann');
    const page = await browser.send('/console');
    expect([page.status, page.text.includes('was not built')]).to.deep.equal([503, true]);
    expect((await browser.send('/console/files/main.js')).status).to.equal(503);
    expect((await browser.rest('/api/v1/user')).status).to.equal(200);
    await app.stop();
  });
});
