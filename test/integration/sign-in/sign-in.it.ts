import { expect } from 'chai';
import { startTestApp } from '../../support/app.js';
import { CONSOLE_CLIENT_SECRET } from '../../support/issuer.js';
import { appForSuite } from '../../support/suite.js';
import { ConsoleBrowser, OWN_PAGE } from './console-browser.js';

const CLIENT = { OIDC_CONSOLE_CLIENT_ID: 'console' };

describe('Signing in to the console', () => {
  const app = appForSuite({ env: CLIENT });
  let browser: ConsoleBrowser;

  beforeEach(() => {
    browser = new ConsoleBrowser(app.baseUrl);
    app.issuer.person = { sub: 'ann' };
  });

  const sessionsOf = (sub: string) =>
    app.sql<{ id: string }>(
      'SELECT s.id FROM console_session s JOIN user_account u ON u.id = s.user_id WHERE u.subject = $1',
      [sub],
    );

  it('is offered to signed-out visitors by one button, on a page that runs no script and cannot be framed', async () => {
    const page = await browser.send('/console/w/1/monitors?tag=a');
    expect(page.status).to.equal(200);
    expect(page.text).to.include(
      `href="${app.baseUrl}/console/sign-in?returnTo=%2Fconsole%2Fw%2F1%2Fmonitors%3Ftag%3Da"`,
    );
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).not.to.include('unsafe-inline').and.not.include('script-src');
    expect(page.text).not.to.match(/<script|\son\w+=|\sstyle=/);
    expect(page.headers.get('x-frame-options')).to.equal('DENY');
    expect((await browser.send('/console/picture.svg')).headers.get('content-type')).to.equal('image/svg+xml');
  });

  it('requests a code with PKCE, state, nonce and the audience of the API', async () => {
    const { status, location } = await browser.send('/console/sign-in');
    expect(status).to.equal(303);
    const asked = new URL(location!);
    expect(asked.origin + asked.pathname).to.equal(`${app.issuer.issuer}/authorize`);
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(asked.searchParams);
    for (const random of [state, nonce, code_challenge]) expect(random).to.match(/^[\w-]{43}$/);
    expect(rest).to.deep.equal({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: `${app.baseUrl}/console/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      audience: app.issuer.audience,
    });
  });

  it('begins a session of the user that API tokens of the same person belong to, and returns to the page', async () => {
    const answer = await browser.signIn(app, 'ann', '/console/sign-in?returnTo=/console/w/1/monitors');
    expect([answer.status, answer.location]).to.deep.equal([303, `${app.baseUrl}/console/w/1/monitors`]);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('watchpost_session='));
    expect(cookie).to.match(/^watchpost_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect((await browser.rest('/api/v1/user')).text).to.include('The ann');
    const { body } = await app.as('ann')<{ id: string; email: string }>('GET', '/api/v1/user');
    expect(body.email).to.equal('ann@example.test');
    const [row] = await app.sql('SELECT user_id, token_hash, id_token FROM console_session WHERE user_id = $1', [
      body.id,
    ]);
    expect(row!['user_id']).to.equal(body.id);
    for (const stored of ['token_hash', 'id_token'])
      expect((row![stored] as Buffer).toString('latin1')).not.to.include(browser.session!);
    expect((row!['id_token'] as Buffer).toString('latin1')).not.to.include('eyJ');
  });

  it('takes the subject of the access token where the provider has another one for each client', async () => {
    app.issuer.person = { sub: 'pairwise-for-console', accessSub: 'pairwise-for-api' };
    await browser.send(await browser.begin());
    expect(await sessionsOf('pairwise-for-api')).to.have.length(1);
    expect(await sessionsOf('pairwise-for-console')).to.have.length(0);
  });

  it('takes the subject of the ID token where the provider issues opaque access tokens', async () => {
    app.issuer.person = { sub: 'opaque', opaque: true };
    await browser.send(await browser.begin());
    expect(await sessionsOf('opaque')).to.have.length(1);
  });

  it('gives a new session at each sign-in, and never takes one that the browser brought along', async () => {
    const planted = 'A'.repeat(43);
    browser.cookies.set('watchpost_session', planted);
    await browser.signIn(app, 'fay');
    const first = browser.session;
    expect(first).not.to.equal(planted);
    await browser.signIn(app, 'fay');
    expect(browser.session).not.to.equal(first);
    expect(await sessionsOf('fay'), 'the former session of this browser has ended').to.have.length(1);
  });

  it('is refused where another browser began it, and leaves the one under way alone', async () => {
    const attacker = new ConsoleBrowser(app.baseUrl);
    const callback = await attacker.begin();
    const without = await browser.send(callback);
    expect([without.status, browser.session]).to.deep.equal([400, undefined]);
    expect(without.text).to.include('started in another browser');
    const own = await browser.begin();
    const crossed = await browser.send(callback);
    expect([crossed.status, browser.session]).to.deep.equal([400, undefined]);
    expect((await browser.send(own)).status).to.equal(303);
  });

  it('is refused with a changed state, the issuer of another provider, or without a code', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'x'),
      (url: URL) => url.searchParams.delete('state'),
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
      (url: URL) => url.searchParams.delete('iss'),
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => url.searchParams.set('code', 'made-up'),
    ]) {
      const callback = new URL(await browser.begin());
      change(callback);
      const { status, text } = await browser.send(callback.href);
      expect([status, browser.session], callback.search).to.deep.equal([400, undefined]);
      expect(text).to.include('You are not signed in');
    }
  });

  it('takes a code once', async () => {
    const jar = new ConsoleBrowser(app.baseUrl);
    const callback = await browser.begin();
    for (const [name, value] of browser.cookies) jar.cookies.set(name, value);
    expect((await browser.send(callback)).status).to.equal(303);
    expect((await browser.send(callback)).status, 'the browser has no sign-in under way').to.equal(400);
    const replayed = await jar.send(callback);
    expect([replayed.status, jar.session], 'with the stolen cookie of the sign-in').to.deep.equal([400, undefined]);
  });

  it('is refused with an ID token of another nonce, client, issuer or time', async () => {
    const hourAgo = Math.floor(app.clock.now() / 1000) - 3_600;
    for (const idClaims of [
      { nonce: 'other' },
      { nonce: undefined },
      { aud: 'another-client' },
      { aud: ['console', 'another-client'] },
      { azp: 'another-client' },
      { iss: 'https://evil.example' },
      { exp: hourAgo },
      { sub: undefined },
      { iat: undefined },
    ]) {
      app.issuer.person = { sub: 'ann', idClaims };
      const { status } = await browser.send(await browser.begin());
      expect([status, browser.session], JSON.stringify(idClaims)).to.deep.equal([400, undefined]);
    }
  });

  it('expires after ten minutes', async () => {
    const callback = await browser.begin();
    app.clock.advance(600_000);
    expect((await browser.send(callback)).status).to.equal(400);
  });

  it('that the person cancels leads back to the button', async () => {
    app.issuer.person = { sub: 'ann', error: 'access_denied' };
    const { status, text } = await browser.send(await browser.begin());
    expect(status).to.equal(400);
    expect(text).to.include('You cancelled the sign-in.').and.include('/console/sign-in"');
  });

  it('returns to pages of the console only', async () => {
    const evil = [
      '//evil.example',
      '\\\\evil.example',
      '/\\evil.example',
      'https://evil.example/console',
      '/console//evil.example',
      '/console/..//evil.example',
      '/console/%2e%2e/api/v1/user',
      '/console\\..\\..\\evil.example',
      '/console@evil.example',
      '/consoleevil',
      '/console/\tx',
      '%2F%2Fevil.example',
      'javascript:alert(1)',
      '/console/sign-out',
      '/console/callback?code=x',
      `/console/${'x'.repeat(3_000)}`,
    ];
    for (const wanted of evil) {
      const answer = await browser.signIn(app, 'ann', `/console/sign-in?returnTo=${encodeURIComponent(wanted)}`);
      expect(answer.location, wanted).to.equal(`${app.baseUrl}/console`);
    }
  });

  it('ends with sign-out here and leads on to the provider with the ID token as a hint', async () => {
    await browser.signIn(app, 'sue');
    const stolen = new ConsoleBrowser(app.baseUrl);
    stolen.cookies.set('watchpost_session', browser.session!);
    const answer = await browser.send('/console/sign-out', { method: 'POST', headers: OWN_PAGE });
    expect(answer.status).to.equal(200);
    const location = /content="0; url=([^"]+)"/.exec(answer.text)![1]!.replaceAll('&amp;', '&');
    const asked = new URL(location);
    expect(asked.origin + asked.pathname).to.equal(`${app.issuer.issuer}/logout`);
    expect(asked.searchParams.get('post_logout_redirect_uri')).to.equal(`${app.baseUrl}/console`);
    expect(asked.searchParams.get('id_token_hint')).to.match(/^eyJ/);
    expect(browser.session).to.equal(undefined);
    expect((await stolen.send('/console')).text, 'the cookie is worth nothing').to.include('Sign in');
  });

  it('ends everywhere with `everywhere`, for this user only', async () => {
    const [phone, other] = [new ConsoleBrowser(app.baseUrl), new ConsoleBrowser(app.baseUrl)];
    await browser.signIn(app, 'tom');
    await phone.signIn(app, 'tom');
    await other.signIn(app, 'uma');
    const answer = await browser.send('/console/sign-out', {
      method: 'POST',
      headers: { ...OWN_PAGE, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'everywhere=1',
    });
    expect((JSON.parse(answer.text) as { location: string }).location).to.include('/logout?');
    expect([await sessionsOf('tom'), await sessionsOf('uma')].map((rows) => rows.length)).to.deep.equal([0, 1]);
  });

  it('is ended by pages of the console only', async () => {
    await browser.signIn(app, 'vic');
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, { origin: 'null' }, {}]) {
      const refused = await browser.send('/console/sign-out', { method: 'POST', headers });
      expect(refused.status, JSON.stringify(headers)).to.equal(401);
    }
    expect((await browser.send('/console/sign-out')).status).to.equal(405);
    expect(await sessionsOf('vic')).to.have.length(1);
  });

  it('keeps the fifty sessions of a user that were used last', async () => {
    const first = new ConsoleBrowser(app.baseUrl);
    await first.signIn(app, 'wes');
    app.clock.advance(60_000);
    for (let count = 0; count < 50; count++) await new ConsoleBrowser(app.baseUrl).signIn(app, 'wes');
    expect(await sessionsOf('wes')).to.have.length(50);
    expect((await first.send('/console')).text).to.include('Sign in');
  });

  it('is not prolonged by streams, nor by requests that an event or a timer caused', async () => {
    const person = new ConsoleBrowser(app.baseUrl);
    for (const one of [person, browser]) await one.signIn(app, 'ida');
    const background = { headers: { 'x-watchpost-background': '1' } };
    for (let hours = 1; hours < 12; hours++) {
      app.clock.advance(3_600_000);
      expect((await browser.rest('/api/v1/overview', background)).status, `${hours} h`).to.equal(200);
      expect((await browser.rest('/api/v1/events', { method: 'HEAD' })).status, `${hours} h`).to.equal(200);
    }
    expect((await person.rest('/api/v1/user')).status).to.equal(200);
    app.clock.advance(3_600_000);
    expect((await browser.rest('/api/v1/overview', background)).status).to.equal(401);
    expect((await browser.rest('/api/v1/user')).status).to.equal(401);
    expect((await person.rest('/api/v1/user', background)).status, 'of a person who did something').to.equal(200);
  });

  it('ends after 12 idle hours, and after 30 days however much it is used', async () => {
    const idle = new ConsoleBrowser(app.baseUrl);
    await idle.signIn(app, 'zoe');
    await browser.signIn(app, 'zoe');
    const isSignedIn = async (of: ConsoleBrowser) => (await of.rest('/api/v1/user')).status === 200;
    for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
      app.clock.advance(11 * 3_600_000);
      expect(await isSignedIn(browser), `${hours} h`).to.equal(true);
    }
    expect(await isSignedIn(idle)).to.equal(false);
    app.clock.advance(11 * 3_600_000);
    expect(await isSignedIn(browser), 'after 30 days').to.equal(false);
    await app.plane.consoleSessions.purge();
    expect(await sessionsOf('zoe')).to.have.length(0);
  });
});

describe('A console whose provider issued a client secret', () => {
  it('authenticates with it', async () => {
    const app = await startTestApp({
      env: { OIDC_CONSOLE_CLIENT_ID: 'console-with-secret', OIDC_CONSOLE_CLIENT_SECRET: CONSOLE_CLIENT_SECRET },
    });
    const browser = new ConsoleBrowser(app.baseUrl);
    expect((await browser.signIn(app, 'ann')).status).to.equal(303);
    app.issuer.broken = true;
    expect((await browser.send(`/console/callback?state=x`)).status).to.equal(400);
    await app.stop();
  });
});

describe('A console that is not registered at the provider', () => {
  it('names what the operator has to set', async () => {
    const app = await startTestApp();
    const browser = new ConsoleBrowser(app.baseUrl);
    for (const path of ['/console', '/console/sign-in', '/console/callback?code=1']) {
      const { text, location } = await browser.send(path);
      expect(location).to.equal(null);
      expect(text).to.include('OIDC_CONSOLE_CLIENT_ID').and.include(`${app.baseUrl}/console/callback`);
    }
    await app.stop();
  });
});
