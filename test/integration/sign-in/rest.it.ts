import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { composeIdentity } from '@watchpost/control-plane/app/compose-identity';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { consoleCookies } from '@watchpost/control-plane/capabilities/sign-in/index';
import { setSuspension } from '@watchpost/control-plane/capabilities/users/suspend-user';
import { listenHttp } from '@watchpost/control-plane/platform/http/http-server';
import { ConsoleBrowser, OWN_PAGE, type Answered, type Sending } from './console-browser.js';
import { appForSuite } from '../../support/suite.js';

/** Requests that a browser sends for a page that is not ours, or that look like those. */
const FOREIGN: readonly Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'cross-site', origin: 'BASE' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'BASE.evil.example' },
  { referer: 'BASE/console' },
];

describe('REST by the cookie of a session', () => {
  const app = appForSuite({
    env: { OIDC_CONSOLE_CLIENT_ID: 'console', CORS_ORIGINS: 'https://app.example' },
  });
  let browser: ConsoleBrowser;

  beforeEach(() => {
    browser = new ConsoleBrowser(app.baseUrl);
  });

  const json = (method: string, body: unknown): Sending => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const codeOf = ({ text }: Answered) => (JSON.parse(text) as { error?: string }).error;

  it('is the user with every scope, and the role in the workspace limits what it may do', async () => {
    await browser.signIn(app, 'ann');
    const ann = await app.user('ann');
    const user = JSON.parse((await browser.rest('/api/v1/user')).text) as { id: string };
    expect(user.id).to.equal(ann.userId);
    const team = json('POST', { name: 'Night watch' });
    expect((await browser.rest('/api/v1/teams', team)).status).to.equal(201);
    const viewer = await app.member('Viewer');
    await browser.signIn(app, viewer.sub);
    const headers = { ...team.headers, 'x-workspace-id': app.owner.workspaceId };
    const refused = await browser.rest('/api/v1/teams', { ...team, headers });
    expect([refused.status, codeOf(refused)]).to.deep.equal([403, 'insufficient_workspace_role']);
  });

  it('is taken where the browser names our origin instead of its relation to us', async () => {
    await browser.signIn(app, 'ann');
    const answer = await browser.send('/api/v1/user', { headers: { origin: app.baseUrl } });
    expect(answer.status).to.equal(200);
  });

  it('is refused from pages of other sites, with every method, and changes nothing', async () => {
    await browser.signIn(app, 'ann');
    const team = json('POST', { name: 'Planted' });
    const calls: [string, Sending][] = [
      ['/api/v1/user', {}],
      ['/api/v1/user', { method: 'HEAD' }],
      ['/api/v1/teams', team],
      ['/api/v1/teams', { ...team, headers: { 'content-type': 'text/plain' } }],
      ['/api/v1/user/preferences', json('PATCH', { planted: true })],
      [`/api/v1/user/${(await app.user('ann')).userId}`, json('PUT', { name: 'Planted' })],
      ['/api/v1/user/sessions', { method: 'DELETE' }],
    ];
    for (const foreign of FOREIGN) {
      const headers = Object.fromEntries(
        Object.entries(foreign).map(([name, value]) => [name, value.replace('BASE', app.baseUrl)]),
      );
      for (const [path, sending] of calls) {
        const what = `${sending.method ?? 'GET'} ${path} ${JSON.stringify(headers)}`;
        const answer = await browser.send(path, { ...sending, headers: { ...sending.headers, ...headers } });
        expect(answer.status, what).to.equal(401);
        if (sending.method !== 'HEAD') expect(codeOf(answer), what).to.equal('missing_token');
        expect(answer.headers.has('access-control-allow-credentials')).to.equal(false);
      }
    }
    const preferences = await browser.rest('/api/v1/user/preferences');
    expect(preferences.text).to.equal('{}');
    expect((await browser.rest('/api/v1/teams')).text).not.to.include('Planted');
  });

  it('lets no other origin send credentials, not even one that may call with tokens', async () => {
    await browser.signIn(app, 'ann');
    const asked = await browser.send('/api/v1/user', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    });
    expect(asked.headers.get('access-control-allow-origin')).to.equal('https://app.example');
    expect(asked.headers.has('access-control-allow-credentials')).to.equal(false);
    const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.send('/api/v1/user', { headers })).status).to.equal(401);
  });

  it('gives way to a token, and does not help a wrong one', async () => {
    await browser.signIn(app, 'ann');
    const ben = await browser.rest('/api/v1/user', { headers: { authorization: `Bearer ${await app.token('ben')}` } });
    expect(ben.text).to.include('ben@example.test');
    const wrong = await browser.rest('/api/v1/user', { headers: { authorization: 'Bearer wrong' } });
    expect([wrong.status, codeOf(wrong)]).to.deep.equal([401, 'invalid_token']);
  });

  it('is not taken by MCP', async () => {
    await browser.signIn(app, 'ann');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_monitors', arguments: {} } };
    const answer = await browser.rest('/mcp', {
      ...json('POST', call),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    expect(answer.status).to.equal(401);
  });

  it('is refused after the sign-out, as is a made-up one', async () => {
    await browser.signIn(app, 'ann');
    const stolen = browser.cookieHeader;
    await browser.rest('/console/sign-out', { method: 'POST' });
    const made = `watchpost_session=${'A'.repeat(43)}`;
    for (const cookie of [stolen, made, 'watchpost_session=', 'watchpost_session=x', `watchpost_session="';--"`]) {
      const answer = await browser.rest('/api/v1/user', { headers: { cookie } });
      expect(answer.status, cookie).to.equal(401);
    }
  });

  it('is recorded as `console` in the audit log', async () => {
    await browser.signIn(app, 'una');
    expect((await browser.rest('/api/v1/teams', json('POST', { name: 'Audited' }))).status).to.equal(201);
    const [entry] = await app.sql<{ via: string; actor_type: string }>(
      `SELECT via, actor_type FROM audit_entry WHERE action = 'team.created' AND target_name = 'Audited'`,
    );
    expect(entry).to.deep.equal({ via: 'console', actor_type: 'user' });
  });

  it('lists the sessions of the user, and ends one or all of them', async () => {
    const [phone, other] = [new ConsoleBrowser(app.baseUrl), new ConsoleBrowser(app.baseUrl)];
    await phone.signIn(app, 'kim');
    await browser.signIn(app, 'kim');
    await other.signIn(app, 'lou');
    type Listed = { id: string; isCurrent: boolean }[];
    const listed = JSON.parse((await browser.rest('/api/v1/user/sessions')).text) as Listed;
    expect(listed.map(({ isCurrent }) => isCurrent)).to.have.members([false, true]);
    const [foreign] = JSON.parse((await other.rest('/api/v1/user/sessions')).text) as Listed;
    const end = (id: string) => browser.rest(`/api/v1/user/sessions/${id}`, { method: 'DELETE' });
    expect((await end(foreign!.id)).status, 'of another user').to.equal(404);
    expect((await end(listed.find(({ isCurrent }) => !isCurrent)!.id)).status).to.equal(204);
    expect((await phone.rest('/api/v1/user')).status).to.equal(401);
    expect((await browser.rest('/api/v1/user/sessions', { method: 'DELETE' })).status).to.equal(204);
    expect((await browser.rest('/api/v1/user')).status).to.equal(401);
    expect((await other.rest('/api/v1/user')).status).to.equal(200);
  });

  it('ends with the user', async () => {
    await browser.signIn(app, 'leo');
    const { userId } = await app.user('leo');
    expect((await browser.rest(`/api/v1/user/${userId}`, { method: 'DELETE' })).status).to.equal(204);
    const answer = await browser.rest('/api/v1/user');
    expect([answer.status, codeOf(answer)]).to.deep.equal([401, 'invalid_token']);
  });

  it('is refused while the account is suspended, and so is a sign-in', async () => {
    await browser.signIn(app, 'mia');
    expect((await browser.rest('/api/v1/user')).status).to.equal(200);
    const suspension = { ...app, suspensionListeners: [] };
    await setSuspension(suspension, 'mia@example.test', true);
    app.clock.advance(2_000);
    const answer = await browser.rest('/api/v1/user');
    expect([answer.status, codeOf(answer)]).to.deep.equal([403, 'member_suspended']);
    const again = await new ConsoleBrowser(app.baseUrl).signIn(app, 'mia');
    expect(again.status).to.equal(403);
    expect(again.headers.getSetCookie().filter((line) => line.startsWith('watchpost_session='))).to.deep.equal([]);
    await setSuspension(suspension, 'mia@example.test', false);
    app.clock.advance(2_000);
    expect((await browser.rest('/api/v1/user')).status).to.equal(200);
  });

  it('holds on every process, and its end holds there at once', async () => {
    let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
    const listener = await listenHttp((request, response) => handler(request, response), {
      host: '127.0.0.1',
      port: 0,
    });
    const { config, db, clock, secretBox, baseUrl } = app;
    const registry = new Registry();
    const platform = { config, db, clock, secretBox, baseUrl, logger: pino({ level: 'silent' }), registry };
    const plane = composeControlPlane(platform);
    const identity = await composeIdentity(platform);
    handler = createServiceApp({ platform, plane, identity, baseUrl, servesAgents: false }).callback();
    const second = new ConsoleBrowser(`http://127.0.0.1:${listener.port}`);

    const callback = new URL(await browser.begin());
    for (const [name, value] of browser.cookies) second.cookies.set(name, value);
    const signedIn = await second.send(callback.pathname + callback.search);
    expect(signedIn.status, 'one process begins the sign-in, the other ends it').to.equal(303);
    browser.cookies.set('watchpost_session', second.session!);
    expect((await browser.rest('/api/v1/user')).status).to.equal(200);
    const left = async (headers: Record<string, string>) => {
      const answer = await second.send('/api/v1/user', { headers });
      expect(answer.status).to.equal(200);
      return Number(/;r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]);
    };
    const byToken = await left({ authorization: `Bearer ${await app.token(app.issuer.person.sub)}` });
    expect(await left(OWN_PAGE), 'tokens and sessions of a user count together').to.equal(byToken - 1);
    const metrics = await registry.metrics();
    expect(metrics).to.include('watchpost_console_sign_ins_total{outcome="signed_in"} 1');
    expect(metrics).to.match(/^watchpost_console_sessions [1-9]/m);
    await browser.rest('/console/sign-out', { method: 'POST' });
    expect((await second.rest('/api/v1/user')).status).to.equal(401);

    await listener.close(1_000);
    await plane.fleet.stop();
    await identity.stop();
  });

  it('has a cookie for its host and https only, where Watchpost is reached by https', () => {
    const { session, write } = consoleCookies('https://watchpost.example');
    expect(write(session, 'x', 60)).to.equal(
      '__Host-watchpost_session=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    );
  });
});
