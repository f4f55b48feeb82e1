import { expect } from 'chai';
import { FormBrowser } from './form-browser.js';
import { DEVICE_GRANT, startProviderWorld } from './provider-world.js';
import { startedForSuite } from '../../support/suite.js';

describe('The embedded OpenID provider, asked for a device code', () => {
  const world = startedForSuite(() => startProviderWorld());

  const start = () => world.post('/oauth/device/code', { client_id: world.printed('device_client_id') });
  const poll = (code: string) =>
    world.post('/oauth/token', {
      grant_type: DEVICE_GRANT,
      client_id: world.printed('device_client_id'),
      device_code: code,
    });

  it('waits until a person has entered, compared, signed in and allowed, and then gives a token', async () => {
    const { status, body } = await start();
    expect(status).to.equal(200);
    expect(body['user_code']!).to.match(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(body['verification_uri']!).to.equal(`${world.service.url}/oauth/device`);
    expect((await poll(body['device_code']!)).body).to.include({ error: 'authorization_pending' });

    const browser = new FormBrowser(world.service.url);
    const entry = await browser.open(body['verification_uri']!);
    expect(entry.title).to.equal('Connect a device · Watchpost');
    expect(entry.text).to.not.match(/<script|\son\w+=/);
    const compare = await entry.submit({ user_code: body['user_code']!.toLowerCase() });
    expect(compare.text).to.include(body['user_code']!).and.include('Watchpost command line');
    const signInPage = await compare.submit({});
    expect(signInPage.title).to.include('Sign in');
    const consent = await world.signIn(signInPage);
    expect(consent.title).to.include('Allow Watchpost command line?');
    const done = await consent.submit({ action: 'allow' });
    expect(done.title).to.include('Device connected');

    const tokens = await poll(body['device_code']!);
    expect(tokens.status).to.equal(200);
    expect(tokens.body).to.have.property('refresh_token');
    expect((await world.service.get('/api/v1/user', tokens.body['access_token']!)).body).to.include({
      email: 'demo@watchpost.example',
    });
    expect((await poll(body['device_code']!)).body).to.include({ error: 'invalid_grant' });
  });

  it('is filled in where its link carries it, and nothing is sent without the person', async () => {
    const { body } = await start();
    const page = await new FormBrowser(world.service.url).open(body['verification_uri_complete']!);
    expect(page.fields['user_code']).to.equal(body['user_code']!);
    expect(page.text).to.not.match(/<script/);
  });

  it('is refused for good where the person refuses', async () => {
    const { body } = await start();
    const entry = await new FormBrowser(world.service.url).open(body['verification_uri']!);
    const refused = await (await entry.submit({ user_code: body['user_code']! })).submit({ abort: 'yes' });
    expect(refused.text).to.include('The device was refused.');
    expect((await poll(body['device_code']!)).body).to.include({ error: 'access_denied' });
  });

  it('that does not exist, is empty or is hostile is asked for again', async () => {
    const entry = await new FormBrowser(world.service.url).open('/oauth/device');
    const wrong = await entry.submit({ user_code: 'BBBB-BBBB' });
    expect(wrong.text).to.include('There is no such code.');
    expect((await wrong.submit({ user_code: '' })).text).to.include('Enter a code.');
    const hostile = await new FormBrowser(world.service.url).open(
      `/oauth/device?user_code=${encodeURIComponent('"><script>')}`,
    );
    expect(hostile.text).to.not.include('<script');
    expect(
      (
        await (
          await new FormBrowser(world.service.url).open('/oauth/device')
        ).submit({ xsrf: 'forged', user_code: 'BBBB-BBBB' })
      ).status,
    ).to.equal(400);
  });
});
