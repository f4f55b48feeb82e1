import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '@watchpost/shared/clock';
import { composeControlPlane } from '@watchpost/control-plane/app/compose';
import { composeIdentity, type Identity } from '@watchpost/control-plane/app/compose-identity';
import { createServiceApp } from '@watchpost/control-plane/app/create-service-app';
import { seedDemoPrincipals } from '@watchpost/control-plane/capabilities/workspaces/index';
import { readConfig } from '@watchpost/control-plane/config/config';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { listenHttp, type HttpListener } from '@watchpost/control-plane/platform/http/http-server';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FormBrowser, type Page } from '../identity/form-browser.js';

describe('The console with the embedded provider', () => {
  let test: TestDatabase;
  let identity: Identity;
  let listener: HttpListener;
  let baseUrl: string;
  let stop: () => Promise<void>;

  before(async () => {
    test = await createTestDatabase();
    let handler: (...call: Parameters<Parameters<typeof listenHttp>[0]>) => unknown = () => {};
    listener = await listenHttp((request, response) => handler(request, response), { host: '127.0.0.1', port: 0 });
    baseUrl = `http://127.0.0.1:${listener.port}`;
    const platform = {
      config: readConfig({ DATABASE_URL: test.url }),
      db: test.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
      secretBox: createSecretBox(randomBytes(32)),
      baseUrl,
    };
    const plane = composeControlPlane(platform);
    identity = await composeIdentity(platform);
    await seedDemoPrincipals(platform, identity.demo!);
    handler = createServiceApp({ platform, plane, identity, baseUrl, servesAgents: false }).callback();
    stop = () => plane.fleet.stop();
  });
  after(async () => {
    await listener.close(1_000);
    await identity.stop();
    await stop();
    await test.drop();
  });

  const printed = (name: string) =>
    identity
      .describe()
      .find((line) => line.startsWith(`${name}: `))!
      .slice(name.length + 2);
  const signIn = async (page: Page) =>
    page.submit({ email: printed('demo account'), password: printed('password'), action: 'sign-in' });

  it('signs in the demo account that the terminal shows, without a question of consent', async () => {
    const browser = new FormBrowser(baseUrl);
    const form = await browser.open('/console/sign-in?returnTo=/console/w/1/incidents');
    expect(form.title).to.equal('Sign in · Watchpost');
    expect(form.text).to.include('the Watchpost console');
    const page = await signIn(form);
    expect(page.url).to.equal(`${baseUrl}/console/w/1/incidents`);
    const [account] = await test.sql<{ sessions: number; owned: number }>(
      `SELECT count(s.id) AS sessions FROM console_session s JOIN user_account u ON u.id = s.user_id WHERE u.email = $1`,
      [printed('demo account')],
    );
    expect(account!.sessions).to.equal(1);
    const again = await browser.open('/console/sign-in');
    expect(again.url, 'the provider remembers the browser').to.equal(`${baseUrl}/console`);
  });

  it('signs out here, and at the provider when it is confirmed there, which a proof of who is signed in does at once', async () => {
    const browser = new FormBrowser(baseUrl);
    await signIn(await browser.open('/console/sign-in'));
    const leaving = await browser.open('/console/sign-out', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const next = /content="0; url=([^"]+)"/.exec(leaving.text)![1]!.replaceAll('&amp;', '&');
    const unproven = await browser.open(next.replace(/\?.*/, ''));
    expect([unproven.title, /<script>/.test(unproven.text)]).to.deep.equal(['Sign out · Watchpost', false]);
    const question = await browser.open(next);
    expect(question.text, 'a browser answers it by itself').to.include('<script>');
    expect(question.title).to.equal('Sign out · Watchpost');
    const gone = await question.submit({ logout: 'yes' });
    expect(gone.url.replace(/\?.*/, '')).to.equal(`${baseUrl}/console`);
    expect((await browser.open('/console')).text).to.include('>Sign in<');
    expect((await browser.open('/console/sign-in')).title, 'the provider asks again').to.equal('Sign in · Watchpost');
  });
});
