import { expect } from 'chai';
import { ConsoleBrowser } from '../sign-in/console-browser.js';
import { appForSuite } from '../../support/suite.js';

describe('An installation that admits some of the people of its provider', () => {
  const app = appForSuite({
    env: {
      OIDC_CONSOLE_CLIENT_ID: 'console',
      SIGN_IN_ALLOWED_DOMAINS: 'acme.example, Acme.Test, example.test',
      SIGN_IN_REQUIRED_CLAIM: 'groups=watchpost',
      SIGN_IN_CONTACT: 'ops@acme.example',
      DEFAULT_PLAN: 'Growth',
    },
  });

  const emailOf = (sub: string, domain = 'acme.example') => ({ email: `${sub}@${domain}`, email_verified: true });
  const call = async (sub: string, claims: Record<string, unknown>) =>
    app.withToken(await app.issuer.token({ sub, claims }))('GET', '/api/v1/workspaces');
  const accounts = async (sub: string) =>
    (await app.sql('SELECT id FROM user_account WHERE subject = $1', [sub])).length;

  it('admits those with an address of its domains and the claim, on its default plan', async () => {
    const groups = ['staff', 'watchpost'];
    const { status, body } = await call('ann', { ...emailOf('ann'), groups });
    expect([status, body[0].plan]).to.deep.equal([200, 'Growth']);
    expect((await call('bea', { ...emailOf('bea', 'ACME.test'), groups })).status).to.equal(200);
  });

  it('refuses others with the reason and whom to ask, and keeps no account of them', async () => {
    for (const [sub, claims, reason] of [
      [
        'carl',
        { ...emailOf('carl', 'evil.example'), groups: ['watchpost'] },
        'acme.example, acme.test, example.test, and yours is',
      ],
      ['dora', { ...emailOf('dora'), email_verified: false, groups: ['watchpost'] }, 'verified email address'],
      ['emil', { ...emailOf('emil'), groups: ['staff'] }, 'not among those'],
    ] as const) {
      const { status, body } = await call(sub, claims);
      expect([status, body.error]).to.deep.equal([403, 'not_invited']);
      expect(body.message).to.include(reason).and.include('ask ops@acme.example');
      expect(await accounts(sub)).to.equal(0);
    }
  });

  it('asks the provider where the token has no such claim, and refuses those who have lost it', async () => {
    app.issuer.userinfo.set('fay', { sub: 'fay', ...emailOf('fay'), groups: ['watchpost'] });
    expect((await call('fay', emailOf('fay'))).status).to.equal(200);
    app.issuer.userinfo.set('fay', { sub: 'fay', ...emailOf('fay'), groups: [] });
    app.clock.advance(60_001);
    expect((await call('fay', { ...emailOf('fay'), jti: 'another token' })).status).to.equal(403);
  });

  it('names the reason to a person who signs in to the console', async () => {
    const browser = new ConsoleBrowser(app.baseUrl);
    app.issuer.person = { sub: 'gus', idClaims: { ...emailOf('gus'), groups: [] } };
    const refused = await browser.send(await browser.begin());
    expect([refused.status, browser.session]).to.deep.equal([400, undefined]);
    expect(refused.text).to.include('not among those that this installation of Watchpost admits: ask ops@acme.example');
    app.issuer.person = { sub: 'gus', idClaims: { ...emailOf('gus'), groups: ['watchpost'] } };
    expect((await browser.send(await browser.begin())).status).to.equal(303);
  });
});
