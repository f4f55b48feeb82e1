import { expect } from 'chai';
import fc from 'fast-check';
import { decideChangedSettings, decideNewSettings } from './decide-monitor-settings.js';
import type { MonitorUpdateInput } from './monitor-input-schemas.js';

const url = 'https://shop.example/';
const fresh = () => decideNewSettings({ url });

const input: fc.Arbitrary<MonitorUpdateInput> = fc.record(
  {
    name: fc.string({ minLength: 1 }),
    checkInterval: fc.integer({ min: 60_000, max: 3_600_000 }),
    checkTimeout: fc.option(fc.integer({ min: 5_000, max: 60_000 })),
    monitoringStatus: fc.constantFrom('enabled', 'paused', 'disabled'),
    enabledRegions: fc.subarray(['eastus2', 'japaneast', 'westus3']),
    reporting: fc.record({ dailyReport: fc.boolean(), weeklyReport: fc.boolean() }, { requiredKeys: [] }),
    http: fc.record(
      {
        followRedirects: fc.boolean(),
        keyword: fc.option(fc.string({ minLength: 1 })),
        headers: fc.dictionary(fc.constantFrom('Authorization', 'Accept'), fc.string({ minLength: 4 })),
      },
      { requiredKeys: [] },
    ),
    latency: fc.record({ thresholdMs: fc.nat() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<MonitorUpdateInput>;

describe('settings of a monitor', () => {
  it('start from the documented defaults and the name of the host', () => {
    expect(fresh().settings).to.deep.include({
      name: 'shop.example',
      monitorTypes: ['HttpAvailability'],
      checkIntervalMs: 300_000,
      checkTimeoutMs: 30_000,
      numberOfChecksBeforeAlert: 2,
      numberOfChecksBeforeRecovery: 1,
      monitoringStatus: 'enabled',
      enabledRegions: [],
      serviceGroupId: null,
    });
    expect(fresh().settings.http).to.deep.include({
      method: 'GET',
      expectedStatusCodes: ['200-399'],
      followRedirects: true,
      verifyCertificate: true,
      assertions: [],
      auth: null,
      httpVersion: '1.1',
      connectTo: null,
      cookies: 'redirects',
      extract: {},
      variables: {},
      steps: [],
      safeToRepeat: false,
    });
    for (const type of ['http', 'ssl', 'tcpUdp'] as const)
      expect(fresh().settings[type], type).to.include({ addresses: 'first', eachMustWork: false });
  });

  it('change where they are named and nowhere else', () => {
    const { settings } = decideNewSettings({ url, http: { method: 'POST', headers: { Accept: 'a', 'X-Trace': '1' } } });
    const changed = decideChangedSettings(settings, {}, { name: 'Shop', http: { headers: { Accept: 'b' } } });
    expect(changed.settings).to.deep.equal({
      ...settings,
      name: 'Shop',
      http: { ...settings.http, headers: { Accept: 'b' } },
    });
  });

  it('are the same after a change that is made twice, and untouched by an empty one', () => {
    fc.assert(
      fc.property(input, input, (first, second) => {
        const before = decideChangedSettings(fresh().settings, {}, first);
        const once = decideChangedSettings(before.settings, before.secrets, second);
        expect(decideChangedSettings(once.settings, once.secrets, second)).to.deep.equal(once);
        expect(decideChangedSettings(before.settings, before.secrets, {})).to.deep.include({
          settings: before.settings,
          secrets: before.secrets,
        });
      }),
    );
  });

  it('never change the object that they are made from', () => {
    const { settings } = fresh();
    const copy = structuredClone(settings);
    fc.assert(fc.property(input, (change) => void decideChangedSettings(settings, {}, change)));
    expect(settings).to.deep.equal(copy);
  });

  it('go back to the default timeout with null', () => {
    const { settings } = decideNewSettings({ url, checkTimeout: 10_000 });
    expect(decideChangedSettings(settings, {}, { checkTimeout: null }).settings.checkTimeoutMs).to.equal(30_000);
  });

  it('contradict each other also where only one of the two is named', () => {
    const posting = decideNewSettings({ url, http: { method: 'POST', body: 'x' } });
    expect(
      decideChangedSettings(posting.settings, {}, { http: { method: 'GET' } }).faults.map(({ path }) => path),
    ).to.deep.equal(['http.body']);
    expect(decideChangedSettings(posting.settings, {}, { http: { method: 'GET', body: null } }).faults).to.deep.equal(
      [],
    );
    expect(
      decideChangedSettings(posting.settings, {}, { url: 'tcp://shop.example:22' }).faults.map(({ path }) => path),
    ).to.deep.equal(['url']);
  });

  it('keep a secret header that comes back as ***, and forget one that is left out', () => {
    const { settings, secrets } = decideNewSettings({
      url,
      http: { headers: { Authorization: 'Bearer 1', Accept: 'a' } },
    });
    expect(settings.http.headers).to.deep.equal({ Authorization: '***', Accept: 'a' });
    const kept = decideChangedSettings(settings, secrets, { http: { headers: settings.http.headers } });
    expect(kept).to.deep.equal({ settings, secrets, faults: [] });
    expect(decideChangedSettings(settings, secrets, { http: { keyword: 'x' } }).secrets).to.deep.equal(secrets);
    expect(decideChangedSettings(settings, secrets, { http: { headers: {} } }).secrets).to.deep.equal({});
    expect(decideNewSettings({ url, http: { headers: { Cookie: '***' } } }).faults[0]!.path).to.equal(
      'http.headers.Cookie',
    );
  });

  it('keep the secrets of a sign-in as they keep those of headers', () => {
    const auth = { type: 'basic' as const, username: 'robot', password: 'hunter22' };
    const { settings, secrets } = decideNewSettings({ url, http: { auth } });
    const masked = { ...auth, password: '***' };
    expect(settings.http.auth).to.deep.equal(masked);
    expect(secrets).to.deep.equal({ 'http.auth': { password: 'hunter22' } });
    const changed = (change: MonitorUpdateInput) => decideChangedSettings(settings, secrets, change);
    const renamed = changed({ http: { auth: { ...masked, username: 'bot' } } });
    expect(renamed).to.deep.include({ secrets, faults: [] });
    expect(renamed.settings.http.auth).to.deep.equal({ ...masked, username: 'bot' });
    expect(changed({ http: { auth: null } })).to.deep.include({ secrets: {}, faults: [] });
    const faultsOf = (change: MonitorUpdateInput) => changed(change).faults.map(({ path }) => path);
    expect(faultsOf({ http: { auth: { type: 'bearer', token: '***' } } })).to.deep.equal(['http.auth.token']);
    expect(faultsOf({ http: { headers: { authorization: 'x' } } })).to.deep.equal(['http.headers.authorization']);
    for (const http of [undefined, { auth: masked }])
      expect(faultsOf({ url: 'https://evil.example/', http })).to.deep.equal(['http.auth.password']);
    expect(faultsOf({ url: 'https://b.example/', http: { auth } })).to.deep.equal([]);
  });

  it('keep a secret header to the host that it was given for', () => {
    const { settings, secrets } = decideNewSettings({
      url,
      http: { headers: { Authorization: 'Bearer 1', Accept: 'a' } },
    });
    const faultsOf = (change: MonitorUpdateInput) =>
      decideChangedSettings(settings, secrets, change).faults.map(({ path }) => path);
    for (const elsewhere of [
      'https://evil.example/',
      'https://shop.example:8443/',
      'http://shop.example/',
      'https://shop.example.evil.example/',
      'tcp://evil.example:443',
    ]) {
      expect(faultsOf({ url: elsewhere }), elsewhere).to.include('http.headers.Authorization');
      expect(faultsOf({ url: elsewhere, http: { headers: { AUTHORIZATION: '***' } } }), elsewhere).to.include(
        'http.headers.AUTHORIZATION',
      );
    }
    expect(faultsOf({ url: 'https://SHOP.example/other?page=1' })).to.deep.equal([]);
    expect(faultsOf({ url: 'https://b.example/', http: { headers: { Authorization: 'Bearer 2' } } })).to.deep.equal([]);
    expect(faultsOf({ url: 'https://b.example/', http: { headers: { Accept: 'b' } } })).to.deep.equal([]);
  });

  it('need their secrets again where the check connects somewhere else', () => {
    const { settings, secrets } = decideNewSettings({ url, http: { headers: { Authorization: 'geheim' } } });
    const change = (http: NonNullable<MonitorUpdateInput['http']>) =>
      decideChangedSettings(settings, secrets, { http }).faults.map(({ path }) => path);
    expect(change({ connectTo: '203.0.113.7:443' })).to.deep.equal(['http.headers.Authorization']);
    expect(change({ connectTo: '203.0.113.7:443', headers: { Authorization: '***' } })).to.have.length(1);
    expect(change({ connectTo: '203.0.113.7:443', headers: { Authorization: 'new' } })).to.deep.equal([]);
    expect(change({ connectTo: null, method: 'HEAD' })).to.deep.equal([]);
  });
});
