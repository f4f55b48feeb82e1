import { isSecretSetting } from '@watchpost/shared/secrets/secret-header';
import { expect } from 'chai';
import { decideChangedSettings, decideNewSettings } from './decide-monitor-settings.js';
import type { MonitorUpdateInput } from './monitor-input-schemas.js';
import { namedSecrets } from './monitor-secrets.js';

type Http = NonNullable<MonitorUpdateInput['http']>;
type Step = NonNullable<Http['steps']>[number];

const url = 'https://shop.example/';
const other = 'https://other.example/';
const step = (fields: Partial<Step>): Step => ({
  name: 'Sign in',
  url: `${url}login`,
  method: 'GET',
  headers: {},
  auth: null,
  body: null,
  expectedStatusCodes: ['200-399'],
  assertions: [],
  extract: {},
  always: false,
  delay: 'PT0S',
  ...fields,
});
const basic = (password: string) => ({ type: 'basic' as const, username: 'robot', password });
const first = step({ headers: { Authorization: 'a-secret', Accept: '*/*' } });
const second = step({ name: 'Read', url: `${other}read`, auth: basic('hunter22'), headers: { Cookie: 'c={{key}}' } });
const stored = decideNewSettings({ url, http: { variables: { key: { secret: 'geheim' } }, steps: [first, second] } });
const masked = stored.settings.http.steps;

function change(http: Http, more: MonitorUpdateInput = {}) {
  const decided = decideChangedSettings(stored.settings, stored.secrets, { ...more, http });
  return { ...decided, paths: decided.faults.map(({ path }) => path) };
}

describe('Secrets of steps and variables', () => {
  it('are sealed by the name of their step, and masked where settings are stored', () => {
    expect(stored.faults).to.deep.equal([]);
    expect(stored.secrets).to.deep.equal({
      'http.variables.key': { secret: 'geheim' },
      'http.steps.Sign in.headers': { authorization: 'a-secret' },
      'http.steps.Read.headers': { cookie: 'c={{key}}' },
      'http.steps.Read.auth': { password: 'hunter22' },
    });
    expect(JSON.stringify(stored.settings)).to.not.match(/a-secret|hunter22|geheim|c=/);
    expect([...namedSecrets(stored.settings, stored.secrets).keys()]).to.have.members([
      'http.variables.key.secret',
      'http.steps.0.headers.Authorization',
      'http.steps.1.headers.Cookie',
      'http.steps.1.auth.password',
    ]);
  });

  it('are recognised by their paths alone, as forms do it', () => {
    const leaves = (value: unknown, path: string[]): [string[], string][] =>
      typeof value === 'string'
        ? [[path, value]]
        : Object.entries(value ?? {}).flatMap(([name, own]) => leaves(own, [...path, name]));
    const http = {
      variables: { key: { secret: 'geheim' }, user: 'a' },
      steps: [first, second],
      auth: basic('hunter23'),
    };
    const given = leaves({ http }, []).filter(([path, text]) => isSecretSetting(path, text));
    const { settings, secrets } = decideNewSettings({ url, http });
    expect(given.map(([path]) => path.join('.'))).to.have.members([...namedSecrets(settings, secrets).keys()]);
  });

  it('stay where they come back as ***, with other steps between them and in another order', () => {
    const between = step({ name: 'Between' });
    const { secrets, faults } = change({ steps: [between, ...masked.toReversed()] });
    expect(faults).to.deep.equal([]);
    expect(secrets).to.deep.equal(stored.secrets);
    expect(change({ steps: [masked[1]!] }).secrets).to.not.have.property('http.steps.Sign in.headers');
  });

  it('are not sent to the host of another step that takes their name, or the place of their step', () => {
    const swapped = masked.map((one, at) => ({ ...one, name: masked[1 - at]!.name }));
    expect(change({ steps: swapped }).paths).to.deep.equal([
      'http.steps.0.headers.Authorization',
      'http.steps.1.headers.Cookie',
      'http.steps.1.auth.password',
    ]);
    const urls = masked.map((one, at) => ({ ...one, url: masked[1 - at]!.url }));
    expect(change({ steps: urls }).paths).to.have.members([
      'http.steps.0.headers.Authorization',
      'http.steps.1.headers.Cookie',
      'http.steps.1.auth.password',
      'http.variables.key.secret',
    ]);
  });

  it('must be given again where the URL of their step leads to another host, or away from TLS', () => {
    for (const place of [other, 'http://shop.example/login', 'https://shop.example:8443/'])
      expect(change({ steps: [{ ...masked[0]!, url: place }, masked[1]!] }).paths, place).to.deep.equal([
        'http.steps.0.headers.Authorization',
      ]);
    expect(change({ steps: [{ ...masked[0]!, url: `${url}elsewhere` }, masked[1]!] }).paths).to.deep.equal([]);
    expect(change({ steps: [{ ...first, url: other }, masked[1]!] }).paths).to.deep.equal([]);
    expect(change({}, { url: 'https://moved.example/' }).paths).to.deep.equal([]);
  });

  it('must be given again for a step with another name', () => {
    const { faults } = change({ steps: [{ ...masked[0]!, name: 'Log in' }, masked[1]!] });
    expect(faults).to.deep.equal([
      {
        path: 'http.steps.0.headers.Authorization',
        message: 'refers to a stored value, but none is stored for a step of this name: send the value itself',
      },
    ]);
  });

  it('of a variable must be given again where a step uses it that goes elsewhere', () => {
    const variables = { key: { secret: '***' } };
    const uses = (place: string) => step({ name: 'New', url: place, method: 'POST', body: '{{ key }}' });
    for (const place of ['https://evil.example/', url, 'http://other.example/'])
      expect(change({ variables, steps: [...masked, uses(place)] }).paths, place).to.deep.equal([
        'http.variables.key.secret',
      ]);
    expect(change({ variables, steps: [...masked, uses(`${other}too`)] }).paths).to.deep.equal([]);
    expect(change({ steps: [...masked, uses(url)] }).paths).to.deep.equal(['http.variables.key.secret']);
    const again = { key: { secret: 'new' } };
    expect(change({ variables: again, steps: [...masked, uses(url)] })).to.deep.include({ faults: [] });
  });

  it('must be given again where what a site answers to them is sent elsewhere', () => {
    const extract = { echo: { from: 'regex' as const, expression: '.+', secret: false } };
    const sends = (place: string) => step({ name: 'New', url: `${place}{{echo}}` });
    const steps = (place: string) => [{ ...masked[0]!, extract }, masked[1]!, sends(place)];
    expect(change({ steps: steps('https://evil.example/') }).paths).to.deep.equal([
      'http.steps.0.headers.Authorization',
    ]);
    expect(change({ steps: steps(url) }).paths).to.deep.equal([]);
  });

  it('are read for the names that they use, also where only the variables change', () => {
    expect(change({ variables: {} }).faults).to.deep.equal([
      {
        path: 'http.steps.1.headers.Cookie',
        message: 'uses {{key}} at column 3, which is no variable, and which no earlier request extracts',
      },
    ]);
  });
});
