import { expect } from 'chai';
import { TYPE_SETTINGS } from './type-settings-schemas.js';
import fc from 'fast-check';
import { EXTRA_REGIONS } from '@watchpost/shared/region';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { monitorInputSchemas } from './monitor-input-schemas.js';

const egress = createEgressPolicy({ allowCidrs: [] });
const { create, update } = monitorInputSchemas({ egress });
const url = 'https://example.com/';

const faultsOf = (schema: typeof update, body: unknown): Record<string, string> => {
  const result = schema.safeParse(body);
  return Object.fromEntries((result.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
};

describe('bodies of monitors', () => {
  it('need nothing but a URL to create, and nothing at all to change', () => {
    expect(create.parse({ url })).to.deep.equal({ url });
    expect(update.parse({})).to.deep.equal({});
    expect(faultsOf(create, {})).to.have.property('url');
  });

  it('take every field, in whatever spelling, and give the one spelling on', () => {
    const parsed = create.parse({
      name: '  Shop ',
      url: ` ${url} `,
      monitorTypes: ['Latency', 'HttpAvailability', 'Latency'],
      checkInterval: 'PT60S',
      checkTimeout: 'PT0.5M',
      numberOfChecksBeforeAlert: 3,
      numberOfChecksBeforeRecovery: 2,
      monitoringStatus: 'paused',
      enabledRegions: ['EastUS2', 'japaneast', 'eastus2'],
      serviceGroupId: null,
      reporting: { dailyReport: true },
      http: {
        method: 'POST',
        headers: { Accept: ' text/html ' },
        body: '{}',
        expectedStatusCodes: ['200 - 299', 404, '404', '301-301'],
        keyword: 'ok',
      },
      ssl: { expiryThresholdDays: [1, 30, 7, 7] },
      latency: { percentile: 99 },
      dns: {
        recordTypes: ['A'],
        expectedRecords: {
          A: { match: 'any', values: [' 203.0.113.7 '] },
          TXT: { match: 'all', values: [' a ', 'a'] },
        },
        resolvers: ['1.1.1.1'],
      },
      tcpUdp: { send: 'hex:00 ff', expect: null },
    });
    expect(parsed).to.deep.include({
      name: 'Shop',
      url,
      monitorTypes: ['Latency', 'HttpAvailability'],
      checkInterval: 60_000,
      checkTimeout: 30_000,
      enabledRegions: ['eastus2', 'japaneast'],
      ssl: { expiryThresholdDays: [30, 7, 1] },
    });
    expect(parsed.dns!.expectedRecords).to.deep.equal({
      A: { match: 'any', values: ['203.0.113.7'] },
      TXT: { match: 'all', values: [' a ', 'a'] },
    });
    expect(parsed.http).to.deep.include({
      headers: { Accept: 'text/html' },
      expectedStatusCodes: ['200-299', 404, 301],
    });
  });

  it('are refused with every fault at once, those of fields and those between fields', () => {
    const faults = faultsOf(create, {
      url: 'tcp://10.0.0.1:22',
      name: '',
      checkInterval: 'PT30S',
      checkTimeout: 'PT2M',
      numberOfChecksBeforeAlert: 0,
      enabledRegions: ['northeurope', 'mars'],
      http: { method: 'GET', body: 'x', headers: { Host: 'a' }, expectedStatusCodes: ['200-100'], extra: 1 },
      monitortypes: [],
      reporting: { dailyReport: 'yes' },
    });
    expect(faults).to.include.keys(
      'url',
      'name',
      'checkInterval',
      'checkTimeout',
      'numberOfChecksBeforeAlert',
      'enabledRegions.0',
      'enabledRegions.1',
      'http.headers.Host',
      'http.expectedStatusCodes.0',
      'http.body',
      'reporting.dailyReport',
    );
    expect(faults['enabledRegions.0']).to.contain('homeRegion');
    expect(Object.values(faults).join()).to.contain('monitortypes').and.to.contain('extra');
  });

  it('report types that no single URL suits, and what to do', () => {
    for (const [given, monitorTypes] of [
      [url, ['HttpAvailability', 'TcpUdp']],
      ['tcp://example.com:22', ['Dns', 'TcpUdp']],
    ] as const) {
      const faults = faultsOf(create, { url: given, monitorTypes });
      expect(faults).to.have.all.keys('monitorTypes');
      expect(faults.monitorTypes).to.contain('TcpUdp together with').and.to.contain('a monitor of its own');
    }
    expect(faultsOf(create, { url: 'tcp://example.com:22', monitorTypes: ['TcpUdp'] })).to.deep.equal({});
    expect(faultsOf(create, { url: 'example.com', monitorTypes: ['Dns'] })).to.deep.equal({});
    expect(faultsOf(create, { url: 'example.com', monitorTypes: ['Dns', 'SslCertificate'] })).to.have.all.keys('url');
    for (const given of ['example.com', '192.0.2.7', '2001:db8::7', '[2001:db8::7]'])
      expect(Object.keys(faultsOf(create, { url: given, monitorTypes: ['Ping'] })), given).to.deep.equal(
        given === 'example.com' ? [] : ['url'],
      );
    expect(faultsOf(create, { url, monitorTypes: ['Ping'] }).url).to.contain('Ping needs a host name or an address');
    expect(faultsOf(create, { url, monitorTypes: [] })).to.have.property('monitorTypes');
    expect(faultsOf(create, { url, monitorTypes: ['Telepathy'] })).to.have.property('monitorTypes.0');
  });

  it('hold bounds exactly', () => {
    for (const [field, good, bad] of [
      [
        'checkInterval',
        ['PT1M', 'PT1H', 'PT3600S', 'PT0.5H'],
        ['PT59S', 'PT1H1S', 'P1M', '60', 60, '', 'PT', 'PT1M ', null],
      ],
      ['checkTimeout', ['PT5S', 'PT60S', 'PT1M', null], ['PT4.999S', 'PT61S', 30]],
      ['numberOfChecksBeforeAlert', [1, 10], [0, 11, 1.5, '2', null, Number.NaN]],
      ['name', ['a', 'x'.repeat(200)], ['', ' ', 'x'.repeat(201), null]],
      ['enabledRegions', [[], [...EXTRA_REGIONS]], [['northeurope'], ['NorthEurope'], [''], 'eastus2', [1]]],
      ['serviceGroupId', [null], ['x', 1]],
      ['monitoringStatus', ['enabled', 'disabled', 'paused'], ['Enabled', null]],
    ] as const) {
      for (const value of good)
        expect(update.safeParse({ [field]: value }).success, `${field} ${String(value)}`).to.equal(true);
      for (const value of bad)
        expect(update.safeParse({ [field]: value }).success, `${field} ${String(value)}`).to.equal(false);
    }
    const steps = (count: number) => Array.from({ length: count }, () => ({ expect: 'a' }));
    for (const [type, field, good, bad] of [
      ['ping', 'count', [1, 20], [0, 21, 1.5, '5', null]],
      ['ping', 'size', [16, 1_400], [15, 1_401, null]],
      ['ping', 'maxLossPercent', [0, 99], [-1, 100, null]],
      ['ping', 'degradedLossPercent', [0, 99, null], [-1, 100]],
      ['ping', 'maxAverageMs', [0.001, 60_000, null], [0, 60_001]],
      ['tcpUdp', 'script', [steps(1), steps(10), null], [[], steps(11), [{}], [{ expect: 'a', send: 'b' }]]],
      ['tcpUdp', 'preset', ['smtp', 'amqp', null], ['SMTP', 'http']],
      ['ssl', 'startTls', ['smtp', 'mysql', null], ['ssh', 'redis']],
    ] as const) {
      const isIn = (value: unknown) => update.safeParse({ [type]: { [field]: value } }).success;
      for (const value of good) expect(isIn(value), `${type}.${field} ${JSON.stringify(value)}`).to.equal(true);
      for (const value of bad) expect(isIn(value), `${type}.${field} ${JSON.stringify(value)}`).to.equal(false);
    }
    expect(TYPE_SETTINGS.ping.defaults).to.deep.equal({
      count: 5,
      size: 56,
      maxLossPercent: 99,
      degradedLossPercent: null,
      maxAverageMs: null,
    });
    for (const http of [
      { keyword: '' },
      { keyword: 'x'.repeat(1_001) },
      { body: 'x'.repeat(65_537), method: 'POST' },
      { method: 'TRACE' },
      { method: 'CONNECT' },
      { method: 'get' },
      { expectedStatusCodes: [] },
      { expectedStatusCodes: [99] },
      { expectedStatusCodes: [600] },
      { expectedStatusCodes: ['2xx'] },
      { expectedStatusCodes: [200.5] },
      { method: 'HEAD', keyword: 'x' },
      { headers: [] },
      { headers: { a: 1 } },
      null,
      'x',
    ]) {
      expect(update.safeParse({ http }).success, JSON.stringify(http).slice(0, 80)).to.equal(false);
    }
  });

  it('never crash the service, whatever they are', () => {
    const keys = fc.constantFrom(
      'name',
      'url',
      'monitorTypes',
      'http',
      'dns',
      'enabledRegions',
      'checkInterval',
      '__proto__',
      'constructor',
      'x',
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(keys, fc.jsonValue()),
      fc.record({
        url: fc.oneof(fc.webUrl(), fc.string()),
        http: fc.dictionary(fc.constantFrom('method', 'headers', 'body', 'keyword'), fc.jsonValue()),
      }),
    );
    fc.assert(
      fc.property(body, (value) => {
        create.safeParse(value);
        update.safeParse(value);
      }),
      // An object that has no text must not end up in a sentence.
      { numRuns: 500, examples: [[{ url: '', http: { method: { toString: [] }, body: false } }]] },
    );
  });
});
