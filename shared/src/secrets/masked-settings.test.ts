import { expect } from 'chai';
import { testableSettings, withoutMasked } from './masked-settings.js';

describe('Settings with masked secrets', () => {
  const url = 'https://shop.example/';
  const settings = {
    url,
    http: {
      method: 'POST',
      headers: { Accept: 'text/html', 'X.Api.Key': '***' },
      auth: { type: 'basic', username: 'robot', password: '***' },
      variables: { shop: 'a', password: { secret: '***' } },
      steps: [
        { name: 'Sign in', headers: { Cookie: '***' }, auth: { type: 'bearer', token: '***' } },
        { name: 'Read', headers: { Accept: '*/*' }, auth: null },
      ],
    },
  };
  const leftOut = [
    'http headers X.Api.Key',
    'http auth password',
    'http variables password secret',
    'http steps 0 headers Cookie',
    'http steps 0 auth token',
  ];
  const named = (paths: readonly (readonly string[])[]) => paths.map((path) => path.join(' '));

  it('are tested without them and without what is nothing without them, wherever they are', () => {
    const tested = testableSettings(settings);
    expect(tested.settings).to.deep.equal({
      url,
      http: {
        method: 'POST',
        headers: { Accept: 'text/html' },
        variables: { shop: 'a', password: '' },
        steps: [{ name: 'Sign in' }, { name: 'Read', headers: { Accept: '*/*' }, auth: null }],
      },
    });
    expect(named(tested.leftOut)).to.deep.equal(leftOut);
  });

  it('are copied with the fields in which the secrets are entered again', () => {
    const copied = withoutMasked(settings);
    expect(copied.settings.http.auth).to.deep.equal({ type: 'basic', username: 'robot' });
    expect(copied.settings.http.steps[0]).to.deep.equal({ name: 'Sign in', headers: {}, auth: { type: 'bearer' } });
    expect(named(copied.leftOut)).to.deep.equal(leftOut);
  });

  it('are left alone where nothing is masked', () => {
    const plain = { url, http: { body: 'a ***', auth: null, headers: {} } };
    expect(testableSettings(plain)).to.deep.equal({ settings: plain, leftOut: [] });
  });
});
