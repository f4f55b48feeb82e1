import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import pino from 'pino';
import { ManualClock, systemClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { createSecretBox } from '@watchpost/control-plane/db/secret-box';
import { createEmbeddedProvider } from '@watchpost/control-plane/identity/embedded-provider/embedded-provider';
import { mintDemoToken } from '@watchpost/control-plane/identity/embedded-provider/mint-demo-token';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FormBrowser, type Page } from './form-browser.js';
import { startIdentityService, type IdentityService } from './identity-service.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const REDIRECT = 'http://127.0.0.1:9/callback';

describe('The embedded OpenID provider', () => {
  let test: TestDatabase;
  let service: IdentityService;
  const secretBox = createSecretBox(randomBytes(32));
  const deps = () => ({ db: test.database, clock: systemClock, secretBox });

  before(async () => {
    test = await createTestDatabase();
    service = await startIdentityService(deps());
  });
  after(async () => {
    await service.stop();
    await test.drop();
  });

  function printed(name: string): string {
    const line = service.provider.describe().find((text) => text.startsWith(`${name}: `));
    return line!.slice(name.length + 2);
  }
  async function post(path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) {
    const json = typeof fields === 'string';
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded', ...headers },
      body: json ? fields : new URLSearchParams(fields).toString(),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const register = (metadata: Record<string, unknown>) => post('/oauth/register', JSON.stringify(metadata));
  const mcpClient = {
    client_name: 'An assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  };
  async function clientsInUse(): Promise<string[]> {
    const rows = await test.database.read((tx) =>
      tx.query<{ id: string }>(
        `SELECT id FROM provider_entity WHERE kind = 'Client' AND expires_at > now() + interval '1 day'`,
      ),
    );
    return rows.map(({ id }) => id);
  }
  async function registered(): Promise<string> {
    return (await register(mcpClient)).body['client_id']!;
  }
  /** The status that a caller gets who knows this process by another name. */
  const statusFor = (host: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(service.url + path, { headers: { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      });
      sent.once('error', reject).end();
    });
  const signIn = (page: Page, password = printed('password')): Promise<Page> =>
    page.submit({ email: printed('demo account'), password, action: 'sign-in' });

  /** The authorization request of a public client, and what it needs to redeem the code. */
  async function authorize(clientId: string, extra: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT,
      state: 'the-state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...extra,
    });
    const browser = new FormBrowser(service.url);
    return { browser, verifier, page: await browser.open(`/oauth/authorize?${query.toString()}`) };
  }
  async function codeFor(
    clientId: string,
    extra: Record<string, string> = {},
  ): Promise<{ code: string; verifier: string }> {
    const { page, verifier } = await authorize(clientId, extra);
    const consent = await signIn(page);
    const back = await consent.submit({ action: 'allow' });
    expect(back.url).to.match(/^http:\/\/127\.0\.0\.1:9\/callback\?/);
    expect(back.parameters.get('state')).to.equal('the-state');
    return { code: back.parameters.get('code')!, verifier };
  }
  async function tokensByBrowser(clientId: string, extra: Record<string, string> = {}) {
    const { code, verifier } = await codeFor(clientId, extra);
    return post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    });
  }

  it('describes itself, also as an authorization server, and says where everything is', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { status, body } = await service.get(path, null);
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        issuer: service.url,
        token_endpoint: `${service.url}/oauth/token`,
        code_challenge_methods_supported: ['S256'],
      });
      expect(body['scopes_supported']).to.include.members(['monitor.admin', 'edit:user', 'offline_access']);
      expect(body['grant_types_supported']).to.include.members([
        'authorization_code',
        'refresh_token',
        'client_credentials',
        DEVICE_GRANT,
      ]);
    }
    const { body } = await service.get('/oauth/jwks', null);
    expect((body['keys'] as object[])[0])
      .to.include({ kty: 'EC', alg: 'ES256' })
      .and.not.have.property('d');
  });

  describe('client credentials', () => {
    const credentials = { grant_type: 'client_credentials' };

    it('give the demo machine client a token with every scope, which sees what the demo account sees', async () => {
      const { status, body } = await post(
        '/oauth/token',
        credentials,
        basic(printed('client_id'), printed('client_secret')),
      );
      expect(status).to.equal(200);
      expect(body).to.include({ token_type: 'Bearer', expires_in: 3_600 });
      expect(body['scope']!.split(' ')).to.include.members(['monitor.admin', 'account.read', 'user.read']);
      expect(decodeJwt(body['access_token']!)).to.include({
        sub: 'watchpost-demo',
        client_id: 'watchpost-demo',
        aud: 'watchpost-api',
        iss: service.url,
      });

      const mine = await service.workspaces(body['access_token']!);
      const demo = await service.workspaces(await mintDemoToken(deps()));
      expect(mine.status).to.equal(200);
      expect(demo.body).to.have.length(1);
      expect(mine.body[0]!.id).to.equal(demo.body[0]!.id);
      expect(mine.body.map(({ id, role }) => [id, role])).to.deep.include([demo.body[0]!.id, 'Admin']);
      expect((await service.get('/api/v1/user', body['access_token']!)).body).to.include({
        name: 'Demo machine client',
        email: null,
        plan: 'Starter',
      });
    });

    it('may be in the body, and may ask for less', async () => {
      const { body } = await post('/oauth/token', {
        ...credentials,
        client_id: printed('client_id'),
        client_secret: printed('client_secret'),
        scope: 'user.read',
      });
      expect(body['scope']).to.equal('user.read');
      expect((await service.get('/api/v1/user', body['access_token']!)).status).to.equal(200);
      const refused = await service.get('/api/v1/workspaces', body['access_token']!);
      expect([refused.status, refused.body['error']]).to.deep.equal([403, 'insufficient_scope']);
    });

    it('that are wrong give nothing', async () => {
      expect((await post('/oauth/token', credentials, basic(printed('client_id'), 'wrong'))).body).to.include({
        error: 'invalid_client',
      });
      expect((await post('/oauth/token', { ...credentials, client_id: 'watchpost-cli' })).status).to.equal(400);
    });
  });

  describe('the authorization code with PKCE', () => {
    it('goes through sign-in and consent, without a script, to a token of the demo account', async () => {
      const { status, body } = await tokensByBrowser(await registered());
      expect(status).to.equal(200);
      expect(decodeJwt(body['access_token']!)).to.include({
        email: 'demo@watchpost.example',
        email_verified: true,
        aud: 'watchpost-api',
      });
      const user = await service.get('/api/v1/user', body['access_token']!);
      expect(user.body).to.include({ email: 'demo@watchpost.example', name: 'Demo' });
      const workspaces = await service.workspaces(body['access_token']!);
      expect(workspaces.body[0]).to.include({ role: 'Owner', isPersonal: true, plan: 'Starter' });
      expect(
        (await service.get(`/api/v1/workspaces/${workspaces.body[0]!.id}`, body['access_token']!)).body,
      ).to.deep.equal(workspaces.body[0]);
    });

    it('takes the addresses of the API and of its MCP endpoint as the resource, and no others', async () => {
      const { body } = await tokensByBrowser(await registered(), {
        resource: `${service.url.replace('127.0.0.1', 'localhost')}/mcp`,
        scope: 'openid monitor.read',
      });
      expect(decodeJwt(body['access_token']!)).to.include({ aud: 'watchpost-api', scope: 'monitor.read' });
      expect(body['id_token']).to.be.a('string');
      const { page } = await authorize(await registered(), { resource: 'https://elsewhere.example/' });
      expect(page.parameters.get('error')).to.equal('invalid_target');
    });

    it('needs the verifier', async () => {
      const clientId = await registered();
      for (const verifier of [{}, { code_verifier: 'x'.repeat(43) }]) {
        const code = (await codeFor(clientId)).code;
        const { body } = await post('/oauth/token', {
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: REDIRECT,
          ...verifier,
        });
        expect(body).to.include({ error: 'invalid_grant' });
      }
    });

    it('works once; used again, it takes back what it gave', async () => {
      const clientId = await registered();
      const { code, verifier } = await codeFor(clientId);
      const redeem = () =>
        post('/oauth/token', {
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: REDIRECT,
          code_verifier: verifier,
        });
      const first = await redeem();
      expect(first.status).to.equal(200);
      expect((await redeem()).body).to.include({ error: 'invalid_grant' });
      const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: first.body['refresh_token']! };
      expect((await post('/oauth/token', refresh)).body).to.include({ error: 'invalid_grant' });
    });

    it('is refused without a challenge, and to a client that nobody knows', async () => {
      const { page } = await authorize(await registered(), { code_challenge: '', code_challenge_method: '' });
      expect(page.parameters.get('error')).to.equal('invalid_request');
      const unknown = await authorize('<script>alert(1)</script>');
      expect(unknown.page.status).to.equal(400);
      expect(unknown.page.title).to.include('Error');
      expect(unknown.page.text).to.not.include('<script>');
    });

    it('says so where the password is wrong', async () => {
      const { page } = await authorize(await registered());
      const again = await signIn(page, 'wrong <b>');
      expect([again.status, again.title]).to.deep.equal([401, 'Sign in · Watchpost']);
      expect(again.text).to.include('Email or password is wrong.');
      const stranger = await page.submit({ email: 'nobody@example.com', password: 'x', action: 'sign-in' });
      expect(stranger.text).to.include('Email or password is wrong.');
      expect((await signIn(again)).title).to.include('Allow An assistant?');
    });

    it('ends at the client with access_denied where the user refuses', async () => {
      const { page } = await authorize(await registered());
      expect((await page.submit({ action: 'abort' })).parameters.get('error')).to.equal('access_denied');
      const { page: other } = await authorize(await registered());
      expect((await (await signIn(other)).submit({ action: 'abort' })).parameters.get('error')).to.equal(
        'access_denied',
      );
    });

    it('cannot be driven from another site, nor framed', async () => {
      const { page, browser } = await authorize(await registered());
      expect(page.headers.get('content-security-policy'))
        .to.include("frame-ancestors 'none'")
        .and.not.include('unsafe');
      expect(page.text).to.not.match(/<script|\son\w+=/);
      const style = /<style>([^]*)<\/style>/.exec(page.text)![1]!;
      const hash = createHash('sha256').update(style).digest('base64');
      expect(page.headers.get('content-security-policy')).to.include(`style-src 'sha256-${hash}'`);
      const forged = await page.submit({
        csrf: 'forged',
        email: printed('demo account'),
        password: printed('password'),
        action: 'sign-in',
      });
      expect(forged.status).to.equal(403);
      browser.clearCookies();
      expect((await signIn(page)).status).to.equal(400);
      expect((await page.submit({ action: 'nonsense' })).status).to.equal(400);
    });

    it('shows a name that a client chose as text', async () => {
      const { body } = await register({ ...mcpClient, client_name: '<img src=x onerror=alert(1)>' });
      const { page } = await authorize(body['client_id']!);
      expect(page.text).to.include('&lt;img src=x onerror=alert(1)&gt;').and.not.include('<img');
    });
  });

  describe('a refresh token', () => {
    it('is exchanged for a new one; the old one, used again, ends the sign-in', async () => {
      const clientId = await registered();
      const first = (await tokensByBrowser(clientId)).body;
      const refresh = (token: string) =>
        post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
      const second = await refresh(first['refresh_token']!);
      expect(second.status).to.equal(200);
      expect(second.body['refresh_token']!).to.not.equal(first['refresh_token']);
      expect((await service.get('/api/v1/user', second.body['access_token']!)).status).to.equal(200);
      expect((await refresh(first['refresh_token']!)).body).to.include({ error: 'invalid_grant' });
      expect((await refresh(second.body['refresh_token']!)).body).to.include({ error: 'invalid_grant' });
      expect((await refresh('\0')).body).to.include({ error: 'invalid_grant' });
    });
  });

  describe('the device code', () => {
    const start = () => post('/oauth/device/code', { client_id: printed('device_client_id') });
    const poll = (code: string) =>
      post('/oauth/token', { grant_type: DEVICE_GRANT, client_id: printed('device_client_id'), device_code: code });

    it('waits until a person has entered, compared, signed in and allowed, and then gives a token', async () => {
      const { status, body } = await start();
      expect(status).to.equal(200);
      expect(body['user_code']!).to.match(/^[A-Z]{4}-[A-Z]{4}$/);
      expect(body['verification_uri']!).to.equal(`${service.url}/oauth/device`);
      expect((await poll(body['device_code']!)).body).to.include({ error: 'authorization_pending' });

      const browser = new FormBrowser(service.url);
      const entry = await browser.open(body['verification_uri']!);
      expect(entry.title).to.equal('Connect a device · Watchpost');
      expect(entry.text).to.not.match(/<script|\son\w+=/);
      const compare = await entry.submit({ user_code: body['user_code']!.toLowerCase() });
      expect(compare.text).to.include(body['user_code']!).and.include('Watchpost command line');
      const signInPage = await compare.submit({});
      expect(signInPage.title).to.include('Sign in');
      const consent = await signIn(signInPage);
      expect(consent.title).to.include('Allow Watchpost command line?');
      const done = await consent.submit({ action: 'allow' });
      expect(done.title).to.include('Device connected');

      const tokens = await poll(body['device_code']!);
      expect(tokens.status).to.equal(200);
      expect(tokens.body).to.have.property('refresh_token');
      expect((await service.get('/api/v1/user', tokens.body['access_token']!)).body).to.include({
        email: 'demo@watchpost.example',
      });
      expect((await poll(body['device_code']!)).body).to.include({ error: 'invalid_grant' });
    });

    it('is filled in where its link carries it, and nothing is sent without the person', async () => {
      const { body } = await start();
      const page = await new FormBrowser(service.url).open(body['verification_uri_complete']!);
      expect(page.fields['user_code']).to.equal(body['user_code']!);
      expect(page.text).to.not.match(/<script/);
    });

    it('is refused for good where the person refuses', async () => {
      const { body } = await start();
      const entry = await new FormBrowser(service.url).open(body['verification_uri']!);
      const refused = await (await entry.submit({ user_code: body['user_code']! })).submit({ abort: 'yes' });
      expect(refused.text).to.include('The device was refused.');
      expect((await poll(body['device_code']!)).body).to.include({ error: 'access_denied' });
    });

    it('that does not exist, is empty or is hostile is asked for again', async () => {
      const entry = await new FormBrowser(service.url).open('/oauth/device');
      const wrong = await entry.submit({ user_code: 'BBBB-BBBB' });
      expect(wrong.text).to.include('There is no such code.');
      expect((await wrong.submit({ user_code: '' })).text).to.include('Enter a code.');
      const hostile = await new FormBrowser(service.url).open(
        `/oauth/device?user_code=${encodeURIComponent('"><script>')}`,
      );
      expect(hostile.text).to.not.include('<script');
      expect(
        (
          await (
            await new FormBrowser(service.url).open('/oauth/device')
          ).submit({ xsrf: 'forged', user_code: 'BBBB-BBBB' })
        ).status,
      ).to.equal(400);
    });
  });

  describe('dynamic registration', () => {
    it('takes redirects to this machine and to https', async () => {
      for (const uri of [
        'http://localhost:33418/cb',
        'http://127.0.0.1/cb',
        'http://[::1]:7/cb',
        'https://assistant.example/cb',
      ]) {
        expect((await register({ ...mcpClient, redirect_uris: [uri] })).status, uri).to.equal(201);
      }
    });

    it('takes no others, and says so', async () => {
      for (const uri of [
        'http://elsewhere.example/cb',
        'myapp://cb',
        'com.example.app:/cb',
        'javascript:alert(1)',
        'https://a.example/#x',
        'nonsense',
      ]) {
        const { status, body } = await register({ ...mcpClient, redirect_uris: [uri] });
        expect([status, body['error']], uri).to.deep.equal([400, 'invalid_redirect_uri']);
      }
    });

    it('takes odd names, and refuses what is no registration', async () => {
      expect((await register({ ...mcpClient, client_name: 'a\0b \ud83d\ude00' })).status).to.be.oneOf([201, 400]);
      for (const body of ['[]', 'null', '{', '{"redirect_uris": 7}'])
        expect((await post('/oauth/register', body)).status, body).to.equal(400);
    });

    it('is forgotten after an hour where nothing comes of it, and 90 days after the last token', async () => {
      const [unused, used] = [await registered(), await registered()];
      expect((await tokensByBrowser(used)).status).to.equal(200);
      const ends = async (id: string) => {
        const [row] = await test.database.read((tx) =>
          tx.query<{ at: Date }>(`SELECT expires_at AS at FROM provider_entity WHERE kind = 'Client' AND id = $1`, [
            id,
          ]),
        );
        return Math.round((row!.at.getTime() - Date.now()) / 3_600_000);
      };
      expect(await ends(unused)).to.equal(1);
      await eventually('the use is noted', async () => ((await ends(used)) === 90 * 24 ? true : undefined), 30_000);
    });

    it('of more than a thousand leaves the latest, those in use first', async () => {
      const kept = await registered();
      expect((await tokensByBrowser(kept)).status).to.equal(200);
      await eventually(
        'the use is noted',
        async () => ((await clientsInUse()).includes(kept) ? true : undefined),
        30_000,
      );
      await test.database.transaction((tx) =>
        tx.query(`INSERT INTO provider_entity (kind, id, payload, expires_at)
          SELECT 'Client', 'flood-' || n, '{}', now() + n * interval '1 ms' FROM generate_series(1, 1500) n`),
      );
      const last = await registered();
      const left = await test.database.read((tx) =>
        tx.query<{ id: string }>(`SELECT id FROM provider_entity WHERE kind = 'Client'`),
      );
      expect(left).to.have.length(1_000);
      expect(left.map(({ id }) => id)).to.include.members([kept, last]);
    });

    it('of a confidential client gives it a secret of its own', async () => {
      const { body } = await register({
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
        client_name: 'CI',
      });
      const { status, body: tokens } = await post(
        '/oauth/token',
        { grant_type: 'client_credentials', scope: 'account.read' },
        basic(body['client_id']!, body['client_secret']!),
      );
      expect(status).to.equal(200);
      const { body: workspaces } = await service.workspaces(tokens['access_token']!);
      expect(workspaces).to.have.length(1);
      expect(workspaces[0]).to.include({ role: 'Owner', name: "CI's workspace" });
    });
  });

  describe('over time', () => {
    it('shows the same credentials after a restart elsewhere, and the demo account keeps its workspace', async () => {
      const before = await service.workspaces(await mintDemoToken(deps()));
      const again = await startIdentityService(deps());
      try {
        expect(again.url).to.not.equal(service.url);
        const secrets = (lines: string[]): string[] => lines.filter((line) => !line.startsWith('token endpoint'));
        expect(secrets(again.provider.describe())).to.deep.equal(secrets(service.provider.describe()));
        const after = await again.workspaces(await mintDemoToken(deps()));
        expect(after.body).to.deep.equal(before.body);
      } finally {
        await again.stop();
      }
    });

    it('keeps its secrets sealed, and names the fault where the key is another', async () => {
      const [row] = await test.database.read((tx) =>
        tx.query<{ secrets: Buffer }>('SELECT secrets FROM provider_setup'),
      );
      expect(row!.secrets.toString('latin1'))
        .to.not.include(printed('client_secret'))
        .and.not.include(printed('password'));
      const failure = await mintDemoToken({ ...deps(), secretBox: createSecretBox(randomBytes(32)) }).catch(
        (error: Error) => error,
      );
      // A fault and no surprise: the operators' command prints its sentence alone.
      expect(failure).to.be.instanceOf(Fault).and.to.have.property('message').that.includes('ENCRYPTION_KEY');
    });

    it('removes what has expired', async () => {
      const clock = new ManualClock(Date.now() + 400 * 86_400_000);
      const left = () =>
        test.database.read((tx) => tx.query(`SELECT 1 FROM provider_entity WHERE expires_at IS NOT NULL`));
      expect(await left()).to.not.have.length(0);
      const options = {
        ...deps(),
        clock,
        logger: pino({ level: 'silent' }),
        baseUrl: service.url,
        host: '127.0.0.1',
        production: false,
      };
      (await createEmbeddedProvider(options)).stop();
      expect(await left()).to.have.length(0);
    });

    it('does not run in production, nor where others could reach it', async () => {
      const options = {
        ...deps(),
        logger: pino({ level: 'silent' }),
        baseUrl: service.url,
        host: '127.0.0.1',
        production: false,
      };
      const refusal = (change: object) =>
        createEmbeddedProvider({ ...options, ...change }).then(
          () => '',
          (error: Error) => error.message,
        );
      expect(await refusal({ production: true })).to.include('NODE_ENV=production');
      expect(await refusal({ host: '0.0.0.0' })).to.include('HOST is 0.0.0.0');
      expect(await refusal({ baseUrl: 'http://watchpost.example' })).to.include('BASE_URL');
    });
  });

  it('knows itself by loopback names only, so that no page on the web becomes one with it by DNS', async () => {
    const { port } = new URL(service.url);
    const discovery = '/.well-known/openid-configuration';
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect(await statusFor(`${name}:${port}`, discovery), name).to.equal(200);
    }
    for (const name of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '127.evil.example']) {
      expect(await statusFor(`${name}:${port}`, discovery), name).to.equal(404);
      expect(await statusFor(name, '/oauth/jwks'), name).to.equal(404);
    }
    expect(await statusFor(`evil.example:${port}`, '/health'), 'what needs no secret is served').to.equal(200);
  });

  // At the end: the address of the service is another one afterwards.
  describe('registrations', () => {
    it('are so many a minute from one address', async () => {
      const own = await startIdentityService(deps());
      const statuses: number[] = [];
      try {
        for (let count = 0; count < 61; count++)
          statuses.push((await fetch(`${own.url}/oauth/register`, { method: 'POST' })).status);
      } finally {
        await own.stop();
      }
      expect(statuses.slice(-2)).to.deep.equal([400, 429]);
    });
  });
});
