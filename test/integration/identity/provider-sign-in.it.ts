import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import type { Fault } from '@watchpost/shared/fault';
import { createTokenVerifier } from '@watchpost/control-plane/platform/identity/token-verifier';
import { INVITED } from './identity-service.js';
import { MCP_CLIENT, startProviderWorld } from './provider-world.js';
import { startedForSuite } from '../../support/suite.js';

describe('The embedded OpenID provider, asked for an authorization code with PKCE', () => {
  const world = startedForSuite(() => startProviderWorld());

  it('goes through sign-in and consent, without a script, to a token of the demo account', async () => {
    const { status, body } = await world.tokensByBrowser(await world.registered());
    expect(status).to.equal(200);
    expect(decodeJwt(body['access_token']!)).to.include({
      email: 'demo@watchpost.example',
      email_verified: true,
      aud: 'watchpost-api',
    });
    const user = await world.service.get('/api/v1/user', body['access_token']!);
    expect(user.body).to.include({ email: 'demo@watchpost.example', name: 'Demo' });
    const workspaces = await world.service.workspaces(body['access_token']!);
    expect(workspaces.body[0]).to.include({ role: 'Owner', isPersonal: true, plan: 'Starter' });
    expect(
      (await world.service.get(`/api/v1/workspaces/${workspaces.body[0]!.id}`, body['access_token']!)).body,
    ).to.deep.equal(workspaces.body[0]);
  });

  it('takes the addresses of the API and of its MCP endpoint as the resource, and no others', async () => {
    const { body } = await world.tokensByBrowser(await world.registered(), {
      resource: `${world.service.url.replace('127.0.0.1', 'localhost')}/mcp`,
      scope: 'openid monitor.read',
    });
    expect(decodeJwt(body['access_token']!)).to.include({ aud: 'watchpost-api', scope: 'monitor.read' });
    expect(body['id_token']).to.be.a('string');
    const { page } = await world.authorize(await world.registered(), { resource: 'https://elsewhere.example/' });
    expect(page.parameters.get('error')).to.equal('invalid_target');
  });

  it('gives an ID token that is no access token, even where the API goes by the name of the client', async () => {
    const clientId = await world.registered();
    const { body } = await world.tokensByBrowser(clientId, { scope: 'openid monitor.read', nonce: 'n-0S6_WzA2Mj' });
    const idToken = body['id_token']!;
    expect((await world.service.get('/api/v1/workspaces', idToken)).status).to.equal(401);
    const { issuer, keys } = world.service.provider;
    const answerOf = (demandsType: boolean) =>
      createTokenVerifier({
        issuer,
        audience: clientId,
        keys,
        demandsType,
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        registry: new Registry(),
      })
        .verify(idToken)
        .then(
          () => 'taken',
          (error: Fault) => error.code,
        );
    expect(await answerOf(false)).to.equal('invalid_token');
    expect(await answerOf(true)).to.equal('invalid_token');
    const { body: plain } = await world.tokensByBrowser(clientId, { scope: 'openid monitor.read' });
    expect((await world.service.get('/api/v1/workspaces', plain['id_token']!)).status).to.equal(401);
  });

  it('lets somebody who is invited make an account, once, and nobody else', async () => {
    const { page } = await world.authorize(await world.registered());
    const made = { email: INVITED, name: 'Ann', 'new-password': 'correct horse', action: 'make-account' };
    const stranger = await page.submit({ ...made, email: 'eve@example.test' });
    expect([stranger.status, stranger.text.includes('eve@example.test is not invited.')]).to.deep.equal([403, true]);
    const short = await page.submit({ ...made, 'new-password': 'short' });
    expect([short.status, short.text.includes('at least 8 characters')]).to.deep.equal([400, true]);
    const consent = await page.submit(made);
    expect(consent.title).to.match(/^Allow /);
    const { page: others } = await world.authorize(await world.registered());
    const again = await others.submit({ ...made, email: INVITED.toUpperCase() });
    expect([again.status, again.text.includes('has an account already')]).to.deep.equal([409, true]);
    const wrong = await others.submit({ email: INVITED, password: 'wrong', action: 'sign-in' });
    expect(wrong.status).to.equal(401);
    expect((await others.submit({ email: INVITED, password: 'correct horse', action: 'sign-in' })).title).to.match(
      /^Allow /,
    );
  });

  it('needs the verifier', async () => {
    const clientId = await world.registered();
    for (const verifier of [{}, { code_verifier: 'x'.repeat(43) }]) {
      const code = (await world.codeFor(clientId)).code;
      const { body } = await world.redeem(clientId, code, verifier);
      expect(body).to.include({ error: 'invalid_grant' });
    }
  });

  it('works once; used again, it takes back what it gave', async () => {
    const clientId = await world.registered();
    const { code, verifier } = await world.codeFor(clientId);
    const redeem = () => world.redeem(clientId, code, { code_verifier: verifier });
    const first = await redeem();
    expect(first.status).to.equal(200);
    expect((await redeem()).body).to.include({ error: 'invalid_grant' });
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: first.body['refresh_token']! };
    expect((await world.post('/oauth/token', refresh)).body).to.include({ error: 'invalid_grant' });
  });

  it('is refused without a challenge, and to a client that nobody knows', async () => {
    const { page } = await world.authorize(await world.registered(), { code_challenge: '', code_challenge_method: '' });
    expect(page.parameters.get('error')).to.equal('invalid_request');
    const unknown = await world.authorize('<script>alert(1)</script>');
    expect(unknown.page.status).to.equal(400);
    expect(unknown.page.title).to.include('Error');
    expect(unknown.page.text).to.not.include('<script>');
  });

  it('reports a wrong password', async () => {
    const { page } = await world.authorize(await world.registered());
    const again = await world.signIn(page, 'wrong <b>');
    expect([again.status, again.title]).to.deep.equal([401, 'Sign in · Watchpost']);
    expect(again.text).to.include('Email or password is wrong.');
    const stranger = await page.submit({ email: 'nobody@example.com', password: 'x', action: 'sign-in' });
    expect(stranger.text).to.include('Email or password is wrong.');
    expect((await world.signIn(again)).title).to.include('Allow An assistant?');
  });

  it('ends at the client with access_denied where the user refuses', async () => {
    const { page } = await world.authorize(await world.registered());
    expect((await page.submit({ action: 'abort' })).parameters.get('error')).to.equal('access_denied');
    const { page: other } = await world.authorize(await world.registered());
    expect((await (await world.signIn(other)).submit({ action: 'abort' })).parameters.get('error')).to.equal(
      'access_denied',
    );
  });

  it('cannot be driven from another site, nor framed', async () => {
    const { page, browser } = await world.authorize(await world.registered());
    expect(page.headers.get('content-security-policy')).to.include("frame-ancestors 'none'").and.not.include('unsafe');
    expect(page.text).to.not.match(/<script|\son\w+=/);
    const style = /<style>([^]*)<\/style>/.exec(page.text)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).to.include(`style-src 'sha256-${hash}'`);
    const forged = await page.submit({
      csrf: 'forged',
      email: world.printed('demo account'),
      password: world.printed('password'),
      action: 'sign-in',
    });
    expect(forged.status).to.equal(403);
    browser.clearCookies();
    expect((await world.signIn(page)).status).to.equal(400);
    expect((await page.submit({ action: 'nonsense' })).status).to.equal(400);
  });

  it('shows a name that a client chose as text', async () => {
    const { body } = await world.register({ ...MCP_CLIENT, client_name: '<img src=x onerror=alert(1)>' });
    const { page } = await world.authorize(body['client_id']!);
    expect(page.text).to.include('&lt;img src=x onerror=alert(1)&gt;').and.not.include('<img');
  });
});
