import { expect } from 'chai';
import { parse } from 'yaml';
import { CERTIFICATE, KEY, OTHER_KEY } from './fixtures/client-certificate.js';
import { backupFile, type KumaRows, sqliteFile } from './fixtures/kuma-files.js';
import { variedInstallation, VARIED_SECRETS } from './fixtures/varied-installation.js';
import { importUptimeKuma, UnreadableFile } from './import-uptime-kuma.js';

const NOON = Date.parse('2026-11-25T12:00Z');
const VARIED = variedInstallation(NOON);

/** The result of `JSON.parse`. */
type Item = Record<string, ReturnType<typeof JSON.parse>>;

interface Shown {
  monitors: Record<string, Item>;
  actionGroups: Record<string, Item>;
  statusPages: Record<string, Item>;
  maintenanceWindows: Record<string, Item>;
}

async function imported(bytes: Uint8Array) {
  const result = await importUptimeKuma(bytes, { nowMs: NOON });
  return { ...result, shown: parse(result.document) as Shown };
}

const fromRows = (rows: KumaRows) => imported(backupFile(rows));
const monitorOf = async (row: object) => {
  const { shown, report, environment } = await fromRows({ monitor: [{ id: 1, name: 'One', ...row }] });
  return { monitor: shown.monitors?.['one'], report: report.filter((line) => line.includes('"One"')), environment };
};

describe('The import from Uptime Kuma', () => {
  it('makes the same document of files of 1.x and 2.x, and of a backup all but pages and windows', async () => {
    const first = await imported(await sqliteFile('1.x', VARIED));
    const second = await imported(await sqliteFile('2.x', VARIED));
    const backup = await imported(backupFile(VARIED));
    expect(second.shown).to.deep.equal(first.shown);
    expect(Object.keys(first.shown.monitors)).to.have.length(13);
    expect(backup.shown.actionGroups).to.deep.equal(first.shown.actionGroups);
    expect(backup.shown.monitors).to.deep.equal({
      ...first.shown.monitors,
      // The thresholds are a setting, which a backup does not have.
      shop: { ...first.shown.monitors['shop'], ssl: { expiryThresholdDays: [21, 14, 7], incidentDays: 0 } },
    });
  });

  it('writes names on one line, in the order in which they are read, and reports how many it changed', async () => {
    const { shown, report } = await fromRows({
      monitor: [
        { id: 1, name: 'One\u202etwo', type: 'http', url: 'https://a.example/' },
        { id: 2, name: 'Three\u2028four\nfive', type: 'http', url: 'https://b.example/' },
        { id: 3, name: `${'x'.repeat(199)}🙂`, type: 'http', url: 'https://c.example/' },
      ],
    });
    expect(Object.values(shown.monitors).map(({ name }) => String(name))).to.deep.equal([
      'One two',
      'Three four five',
      'x'.repeat(199),
    ]);
    expect(report).to.include('2 names without line breaks, control characters and changes of the text direction');
  });

  it('watches each domain once whose expiry was watched, with the groups of all its monitors', async () => {
    const watching = (id: number, name: string, url: string, rest: object = {}) => ({
      ...{ id, name, type: 'http', url, active: 1, domain_expiry_notification: 1 },
      ...rest,
    });
    const rows: KumaRows = {
      monitor: [
        watching(1, 'One', 'https://www.shop.example/'),
        watching(2, 'Two', 'https://API.shop.example/v1', { active: 0 }),
        watching(3, 'Three', 'https://old.example/', { active: 0 }),
        watching(4, 'Four', 'https://unread.example/'),
        watching(5, 'Five', '', { type: 'ping', hostname: 'gate.lab.shop.example' }),
        watching(6, 'Six', 'https://lab.example/', { domain_expiry_notification: 0 }),
      ],
      notification: [1, 2].map((id) => ({
        id,
        name: `Group ${id}`,
        active: 1,
        config: JSON.stringify({ type: 'slack', slackwebhookURL: `https://hooks.slack.com/services/T0/B${id}/c` }),
      })),
      monitor_notification: [
        { id: 1, monitor_id: 1, notification_id: 1 },
        { id: 2, monitor_id: 2, notification_id: 2 },
      ],
      domain_expiry: [
        ...['shop.example', 'old.example', 'lab.example'].map((domain, index) => ({
          id: index + 1,
          domain,
          expiry: '2027-05-01 00:00:00',
        })),
        { id: 9, domain: 'unread.example', expiry: null },
      ],
      setting: [{ id: 1, key: 'domainExpiryNotifyDays', value: '[5,60]' }],
    };
    const { shown, report } = await imported(await sqliteFile('2.x', rows));
    const domains = Object.entries(shown.monitors).filter(([, { monitorTypes }]) => monitorTypes?.includes('Domain'));
    const domain = { expiryThresholdDays: [60, 5], incidentDays: 0 };
    expect(Object.fromEntries(domains)).to.deep.equal({
      'domain-shop-example': {
        name: 'Domain shop.example',
        url: 'shop.example',
        monitorTypes: ['Domain'],
        domain,
        actionGroups: ['group-1', 'group-2'],
      },
      'domain-old-example': {
        name: 'Domain old.example',
        url: 'old.example',
        monitorTypes: ['Domain'],
        domain,
        monitoringStatus: 'paused',
        actionGroups: [],
      },
    });
    expect(report.filter((line) => line.includes('expires'))).to.deep.equal([
      'monitor "Four": does not watch when its domain expires: Uptime Kuma has read no date of it',
    ]);
  });

  it('puts no secret into the document or the report', async () => {
    for (const bytes of [await sqliteFile('2.x', VARIED), backupFile(VARIED)]) {
      const { document, report, environment } = await imported(bytes);
      const encoded = Object.values(environment).filter((value) => value.startsWith('Basic '));
      for (const secret of [...VARIED_SECRETS, ...encoded]) {
        expect(document).to.not.contain(secret);
        expect(report.join('\n')).to.not.contain(secret);
      }
      const named = [...document.matchAll(/env: (\S+)/g)].map(([, name]) => name!);
      expect(named.toSorted()).to.deep.equal(Object.keys(environment).toSorted());
      expect(new Set(named).size).to.equal(named.length);
    }
  });

  it('shows the secrets in the document where that is asked for', async () => {
    const { document, environment } = await importUptimeKuma(backupFile(VARIED), { nowMs: NOON, withSecrets: true });
    expect(document).to.contain('https://hooks.slack.com/services/T0/B0/c0de').and.not.contain('env:');
    expect(environment).to.deep.equal({});
  });

  it('refuses what is no file of Uptime Kuma, with the reason', async () => {
    const empty = await sqliteFile('1.x', {});
    for (const bytes of [
      Buffer.from(''),
      Buffer.from('{}'),
      Buffer.from('[1]'),
      Buffer.from('{"monitorList": []}'),
      Buffer.from('SQLite format 3\0 and nothing else'),
      empty.subarray(0, 5_000),
    ])
      expect(await importUptimeKuma(bytes, { nowMs: NOON }).catch((error: unknown) => error)).to.be.instanceOf(
        UnreadableFile,
      );
    expect((await imported(empty)).shown).to.deep.equal({ apiVersion: 'watchpost/v1', project: 'uptime-kuma' });
  });
});

describe('A monitor of Uptime Kuma', () => {
  it('of HTTP keeps its URL, status codes, redirects, retries and what is expected of the certificate', async () => {
    const { monitor, report } = await monitorOf({
      type: 'http',
      url: 'https://shop.example/a?b=c#d',
      accepted_statuscodes_json: '["200-204","301","banana"]',
      maxredirects: 0,
      maxretries: 3,
      expiry_notification: 1,
    });
    expect(monitor).to.deep.equal({
      name: 'One',
      url: 'https://shop.example/a?b=c#d',
      monitorTypes: ['HttpAvailability', 'SslCertificate'],
      ssl: { expiryThresholdDays: [21, 14, 7], incidentDays: 0 },
      http: { expectedStatusCodes: ['200-204', 301], followRedirects: false },
      checkInterval: 'PT1M',
      numberOfChecksBeforeAlert: 4,
      actionGroups: [],
    });
    expect(report).to.deep.equal(['monitor "One": the status banana is not accepted']);
  });

  it('keeps its IP version, except where its URL has an address, which has only its own', async () => {
    const http = { type: 'http', url: 'https://shop.example/', ip_family: 'ipv6', expiry_notification: 1 };
    const { monitor, report } = await monitorOf(http);
    expect(monitor!['http']).to.include({ addresses: 'ipv6' });
    expect(monitor!['ssl']).to.include({ addresses: 'ipv6' });
    expect(report).to.deep.equal([]);
    const port = { type: 'port', hostname: 'db.example', port: 5432, ip_family: 'ipv4' };
    expect((await monitorOf(port)).monitor!['tcpUdp']).to.deep.equal({ addresses: 'ipv4' });
    expect((await monitorOf({ ...port, hostname: '192.0.2.7' })).monitor).to.not.have.property('tcpUdp');
    expect((await monitorOf({ ...port, ip_family: null })).monitor).to.not.have.property('tcpUdp');
  });

  it('looks for its keyword, or for its absence', async () => {
    const keyword = { type: 'keyword', url: 'https://shop.example/', keyword: ' Welcome ' };
    expect((await monitorOf(keyword)).monitor!['http']).to.deep.include({ keyword: ' Welcome ' });
    expect((await monitorOf({ ...keyword, invert_keyword: 1 })).monitor!['http']).to.deep.include({
      keywordMode: 'absent',
    });
    const head = await monitorOf({ ...keyword, method: 'HEAD' });
    expect(head.monitor!['http']).to.not.have.property('keyword');
    expect(head.report[0]).to.contain('its keyword is not looked for');
  });

  it('asserts what a JSON query demands, where that is a path', async () => {
    const row = { type: 'json-query', url: 'https://shop.example/health' };
    const assertionsOf = async (json_path: string | null, operator: string | null, expected_value: string) =>
      (await monitorOf({ ...row, json_path, json_path_operator: operator, expected_value })).monitor!['http']
        .assertions;
    const json = (property: string, comparison: string, target: unknown) => ({
      source: 'json',
      property,
      comparison,
      target,
      severity: 'down',
    });
    expect(await assertionsOf('status', null, 'ok')).to.deep.equal([json('$.status', 'equals', 'ok')]);
    expect(await assertionsOf('$.a.`b c`[-1]."d"', '==', '5')).to.deep.equal([
      json('$.a["b c"][-1]["d"]', 'in', [5, '5']),
    ]);
    expect(await assertionsOf(null, '==', 'true')).to.deep.equal([json('$', 'in', [true, 'true'])]);
    expect(await assertionsOf('$[0].up', '!=', '0')).to.deep.equal([
      json('$[0].up', 'notEquals', 0),
      json('$[0].up', 'notEquals', '0'),
    ]);
    expect(await assertionsOf('message', 'contains', ' fine ')).to.deep.equal([
      json('$.message', 'contains', ' fine '),
    ]);
    const large = 9_007_199_254_740_992;
    expect(await assertionsOf('id', '==', String(large))).to.deep.equal([json('$.id', 'in', [large, String(large)])]);
    expect(await assertionsOf('id', '>', '9007199254740992')).to.deep.equal([json('$.id', 'greaterThan', large)]);
    expect(await assertionsOf('queue.length', '<', '100')).to.deep.equal([json('$.queue.length', 'lessThan', 100)]);
  });

  it('reports a JSON query that assertions cannot express', async () => {
    const row = { type: 'json-query', url: 'https://shop.example/health', json_path: 'a', expected_value: '1' };
    for (const [changed, words] of [
      [{ json_path: '$count(items)' }, 'its expression "$count(items)" is more than a path'],
      [{ json_path: 'items[price > 5].name' }, 'is more than a path'],
      [{ json_path: 'a & b' }, 'is more than a path'],
      [{ json_path: 'a b' }, 'is more than a path'],
      [{ json_path: 'true' }, 'is more than a path'],
      [{ json_path: '"text"' }, 'is more than a path'],
      [{ json_path_operator: '>=' }, 'there is no comparison ">="'],
      [{ json_path_operator: '<', expected_value: 'many' }, '"many" is no number'],
      [{ method: 'HEAD' }, 'an answer to HEAD has no body'],
    ] as const) {
      const { monitor, report } = await monitorOf({ ...row, ...changed });
      expect(monitor!['http']).to.not.have.property('assertions');
      expect(report[0], JSON.stringify(changed)).to.contain('its JSON query is not checked, the status is: ');
      expect(report[0]).to.contain(words);
    }
  });

  it('takes the upgrade of a WebSocket', async () => {
    const row = { type: 'websocket-upgrade', url: 'wss://chat.example/feed', ws_subprotocol: 'mqtt' };
    const { monitor, report } = await monitorOf(row);
    expect(monitor).to.deep.include({
      url: 'wss://chat.example/feed',
      monitorTypes: ['WebSocket'],
      webSocket: { subprotocol: 'mqtt' },
    });
    expect(report).to.deep.equal([]);
    const loose = await monitorOf({ ...row, ws_ignore_sec_websocket_accept_header: 1 });
    expect(loose.report[0]).to.contain('Sec-WebSocket-Accept');
    for (const [other, reason] of [
      [{ ws_subprotocol: 'a, b' }, 'several subprotocols'],
      [{ url: 'https://chat.example/' }, 'no ws:// or wss:// URL'],
      [{ url: 'wss://me:secret@chat.example/' }, 'credentials'],
    ] as const) {
      const untaken = await monitorOf({ ...row, ...other });
      expect(untaken.report.join()).to.contain(reason);
    }
  });

  it('calls the health check of a gRPC service, and no other method', async () => {
    const row = {
      type: 'grpc-keyword',
      grpc_url: 'api.example:50051',
      grpc_enable_tls: 1,
      grpc_protobuf: 'syntax = "proto3"; package grpc.health.v1; service Health { }',
      grpc_service_name: 'Health',
      grpc_method: 'check',
      grpc_body: '{"service":"shop.v1.Orders"}',
      grpc_metadata: '{"Authorization":"Bearer own"}',
      keyword: '"SERVING"',
    };
    const { monitor, report, environment } = await monitorOf(row);
    expect(monitor).to.deep.include({
      url: 'grpcs://api.example:50051',
      monitorTypes: ['Grpc'],
      grpc: { service: 'shop.v1.Orders', metadata: { Authorization: { env: 'KUMA_ONE_AUTHORIZATION' } } },
    });
    expect([report, environment]).to.deep.equal([[], { KUMA_ONE_AUTHORIZATION: 'Bearer own' }]);
    const loose = await monitorOf({
      ...row,
      grpc_enable_tls: 0,
      grpc_body: '',
      grpc_metadata: null,
      keyword: 'SERVING',
    });
    expect(loose.monitor).to.include({ url: 'grpc://api.example:50051' }).and.to.not.have.property('grpc');
    expect(loose.report[0]).to.contain('is down while the service is not serving');
    for (const [other, reason] of [
      [{ grpc_service_name: 'Orders' }, 'another method'],
      [{ grpc_method: 'watch' }, 'another method'],
      [{ grpc_protobuf: 'package shop.v1;' }, 'another method'],
      [{ keyword: 'NOT_SERVING' }, 'its keyword makes it fail'],
      [{ grpc_url: 'api.example' }, 'no host and port'],
    ] as const) {
      const untaken = await monitorOf({ ...row, ...other });
      expect(untaken.monitor, reason).to.equal(undefined);
      expect(untaken.report[0]).to.contain(reason);
    }
  });

  it('sends its body, headers and credentials, which are secrets', async () => {
    const { monitor, environment, report } = await monitorOf({
      type: 'http',
      url: 'https://api.example/',
      method: 'put',
      body: '<a/>',
      http_body_encoding: 'xml',
      headers: '{"authorization":"Bearer own","X-Count":3,"Connection":"close"}',
      auth_method: 'basic',
      basic_auth_user: 'robot',
      basic_auth_pass: 'p',
    });
    expect(monitor!['http']).to.deep.include({
      method: 'PUT',
      body: '<a/>',
      headers: {
        authorization: { env: 'KUMA_ONE_AUTHORIZATION' },
        'X-Count': '3',
        'Content-Type': 'text/xml; charset=utf-8',
      },
    });
    expect(environment).to.deep.equal({ KUMA_ONE_AUTHORIZATION: 'Bearer own' });
    expect(report[0]).to.contain('its header Connection is not sent');
    const bearer = await monitorOf({
      type: 'http',
      url: 'https://api.example/',
      auth_method: 'bearer',
      bearer_token: 'abc',
    });
    expect(bearer.monitor!['http']).to.deep.equal({
      auth: { type: 'bearer', token: { env: 'KUMA_ONE_TOKEN' } },
      expectedStatusCodes: ['200-299'],
    });
    expect(bearer.environment).to.deep.equal({ KUMA_ONE_TOKEN: 'abc' });
    const former = { type: 'http', url: 'https://api.example/', basic_auth_user: 'robot', auth_method: null };
    const basic = await monitorOf(former);
    expect(basic.monitor!['http'].auth).to.deep.equal({ type: 'basic', username: 'robot', password: '' });
    expect(basic.environment).to.deep.equal({});
    expect((await monitorOf({ ...former, conditions: '[]' })).environment).to.deep.equal({});
  });

  it('signs in by OAuth 2 and by a client certificate as before, with references to the secrets', async () => {
    const row = { type: 'http', url: 'https://api.example/', auth_method: 'oauth2-cc' };
    const oauth = await monitorOf({
      ...row,
      oauth_token_url: 'https://login.example/token',
      oauth_client_id: 'robot',
      oauth_client_secret: 'geheim',
      oauth_scopes: 'read  write',
      oauth_audience: 'https://api.example',
      oauth_auth_method: 'client_secret_post',
    });
    expect(oauth.monitor!['http'].auth).to.deep.equal({
      type: 'oauth2ClientCredentials',
      tokenUrl: 'https://login.example/token',
      clientId: 'robot',
      clientSecret: { env: 'KUMA_ONE_CLIENT_SECRET' },
      scopes: ['read', 'write'],
      audience: 'https://api.example',
    });
    expect(oauth.environment).to.deep.equal({ KUMA_ONE_CLIENT_SECRET: 'geheim' });
    expect(oauth.monitor).to.not.have.property('monitoringStatus');
    const mtls = await monitorOf({ ...row, auth_method: 'mtls', tls_cert: `# client\n${CERTIFICATE}`, tls_key: KEY });
    expect(mtls.monitor!['http'].auth).to.deep.equal({
      type: 'clientCertificate',
      certificate: CERTIFICATE,
      key: { env: 'KUMA_ONE_KEY' },
    });
    const other = await monitorOf({ ...row, auth_method: 'mtls', tls_cert: CERTIFICATE, tls_key: OTHER_KEY });
    expect(other.report[0]).to.contain('is paused: it signs in by a client certificate that cannot be used');
  });

  it('signs in by the header where `http.auth` does not take its user, its password or its token', async () => {
    const row = { type: 'http', url: 'https://api.example/' };
    for (const [user, password] of [
      ['a:b', 'p'],
      ['robot', 'p\tw'],
      ['robot', 'p'.repeat(1_001)],
      ['robot', '***'],
    ] as const) {
      const given = { auth_method: 'basic', basic_auth_user: user, basic_auth_pass: password };
      const { monitor, environment, report } = await monitorOf({ ...row, ...given });
      expect(monitor!['http']).to.not.have.property('auth');
      expect(monitor!['http'].headers).to.deep.equal({ Authorization: { env: 'KUMA_ONE_AUTHORIZATION' } });
      const [encoded] = Object.values(environment);
      expect(Buffer.from(encoded!.slice('Basic '.length), 'base64').toString()).to.equal(`${user}:${password}`);
      expect(report).to.deep.equal([]);
    }
    const bearer = (token: string) => monitorOf({ ...row, auth_method: 'bearer', bearer_token: token });
    expect((await bearer('a b')).environment).to.deep.equal({ KUMA_ONE_AUTHORIZATION: 'Bearer a b' });
    for (const token of ['a\nb', 'p'.repeat(9_000)]) {
      const { monitor, report } = await bearer(token);
      expect(monitor!['http']).to.not.have.any.keys('auth', 'headers');
      expect(report[0]).to.contain('its header Authorization is not sent');
    }
    const inUrl = await monitorOf({ type: 'http', url: 'https://us%20er:p%C3%A4ss@api.example/' });
    expect(inUrl.monitor!['url']).to.equal('https://api.example/');
    expect(inUrl.monitor!['http'].auth).to.deep.include({ type: 'basic', username: 'us er' });
    expect(inUrl.environment).to.deep.equal({ KUMA_ONE_PASSWORD: 'päss' });
    const certificate = { auth_method: 'mtls', tls_cert: CERTIFICATE, tls_key: KEY };
    const both = await monitorOf({ ...row, ...certificate, url: 'https://robot:p@api.example/' });
    expect(both.environment).to.have.all.keys('KUMA_ONE_KEY', 'KUMA_ONE_AUTHORIZATION');
    const oauth = {
      auth_method: 'oauth2-cc',
      oauth_token_url: 'https://login.example/token',
      oauth_client_id: 'robot',
      oauth_client_secret: 'geheim',
    };
    const own = await monitorOf({ ...row, ...oauth, headers: '{"Authorization":"Bearer own"}' });
    expect(own.environment, 'no secret that nothing names').to.have.all.keys('KUMA_ONE_AUTHORIZATION');
  });

  it('sends passwords and bodies with the blanks that are part of them', async () => {
    const row = { type: 'http', url: 'https://api.example/', method: 'POST', http_body_encoding: 'form' };
    const basic = { auth_method: 'basic', basic_auth_user: ' robot', basic_auth_pass: ' p w\n' };
    const { monitor, environment } = await monitorOf({ ...row, ...basic, body: ' a=1\n' });
    expect(monitor!['http'].body).to.equal(' a=1\n');
    const encoded = Object.values(environment).map((value) => Buffer.from(value.slice('Basic '.length), 'base64'));
    expect(encoded.map(String)).to.deep.equal([' robot: p w\n']);
    const blank = await monitorOf({ ...row, ...basic, basic_auth_pass: ' ', body: ' \n' });
    expect(blank.monitor!['http']).to.not.have.property('body');
    expect(blank.monitor!['http'].auth.username).to.equal(' robot');
    expect(Object.values(blank.environment)).to.deep.equal([' ']);
    const token = await monitorOf({ ...row, auth_method: 'bearer', bearer_token: ' abc' });
    expect(Object.values(token.environment)).to.deep.equal(['Bearer  abc']);
  });

  it('is paused where its check would fail here, or where it or its group is', async () => {
    const url = 'https://intranet.example/';
    for (const auth of ['ntlm', 'oauth2-cc', 'mtls']) {
      const { monitor, report } = await monitorOf({ type: 'http', url, auth_method: auth });
      expect(monitor!['monitoringStatus'], auth).to.equal('paused');
      expect(report[0], auth).to.contain('is paused');
    }
    expect((await monitorOf({ type: 'http', url, active: 0 })).monitor!['monitoringStatus']).to.equal('paused');
    expect((await monitorOf({ type: 'http', url })).monitor).to.not.have.property('monitoringStatus');
    const group = { id: 2, name: 'Group', type: 'group', active: 0 };
    const { shown } = await fromRows({ monitor: [{ id: 1, name: 'One', type: 'http', url, parent: 2 }, group] });
    expect(shown.monitors['one']).to.deep.include({ monitoringStatus: 'paused', tags: ['group:group'] });
    const proxy = { id: 7, protocol: 'http', host: 'proxy.example', port: 1 };
    const through = async (active: number) =>
      (
        await imported(
          await sqliteFile('1.x', {
            monitor: [{ id: 1, name: 'One', type: 'http', url, proxy_id: 7 }],
            proxy: [{ ...proxy, active }],
          }),
        )
      ).shown.monitors['one']!['monitoringStatus'];
    expect([await through(1), await through(0)]).to.deep.equal(['paused', undefined]);
  });

  it('has intervals, retries and timeouts as far as they go, and reports the rest', async () => {
    const url = 'https://shop.example/';
    const slow = await monitorOf({
      type: 'http',
      url,
      interval: 86_400,
      timeout: 3,
      maxretries: 30,
      retry_interval: 30,
    });
    expect(slow.monitor).to.deep.include({
      checkInterval: 'PT1H',
      checkTimeout: 'PT5S',
      numberOfChecksBeforeAlert: 10,
    });
    expect(slow.report[0]!.split('; ')).to.have.length(4);
    const usual = await monitorOf({ type: 'http', url, interval: 300, timeout: 240 });
    expect(usual.monitor).to.not.have.property('checkTimeout');
    expect(usual.report).to.deep.equal([]);
  });

  it('of a port, of DNS and of push becomes its counterpart', async () => {
    expect((await monitorOf({ type: 'port', hostname: '2001:db8::1', port: 22 })).monitor).to.deep.include({
      url: 'tcp://[2001:db8::1]:22',
      monitorTypes: ['TcpUdp'],
    });
    const dns = { type: 'dns', hostname: 'shop.example', dns_resolve_server: '1.1.1.1,2606:4700::1111', port: 5_353 };
    expect((await monitorOf(dns)).report).to.deep.equal(['monitor "One": notifies when its records change, too']);
    const reverse = { type: 'dns', hostname: '192.0.2.1', dns_resolve_type: 'PTR' };
    expect((await monitorOf(reverse)).monitor).to.deep.include({ url: '1.2.0.192.in-addr.arpa' });
    expect((await monitorOf(dns)).monitor!['dns']).to.deep.equal({
      recordTypes: ['A'],
      checkPropagation: false,
      resolvers: ['1.1.1.1:5353', '[2606:4700::1111]:5353'],
    });
    const equals = (value: string, andOr = 'or') => ({
      type: 'expression',
      variable: 'record',
      operator: 'equals',
      value,
      andOr,
    });
    const any = await monitorOf({
      ...dns,
      conditions: JSON.stringify([equals('192.0.2.1', 'and'), equals('192.0.2.2')]),
    });
    expect(any.monitor!['dns'].expectedRecords).to.deep.equal({
      A: { match: 'any', values: ['192.0.2.1', '192.0.2.2'] },
    });
    const all = await monitorOf({
      ...dns,
      conditions: JSON.stringify([equals('192.0.2.1'), equals('192.0.2.2', 'and')]),
    });
    expect(all.report[0]).to.contain('its conditions are not checked');
    const push = await monitorOf({
      type: 'push',
      push_token: 'aB3dE5fG7h',
      interval: 600,
      maxretries: 2,
      retry_interval: 120,
    });
    expect(push.monitor).to.deep.equal({
      name: 'One',
      monitorTypes: ['Heartbeat'],
      heartbeat: { every: 'PT10M', grace: 'PT4M', importedToken: { env: 'KUMA_ONE_PUSH_TOKEN' } },
      actionGroups: [],
    });
    expect(push.report).to.deep.equal([]);
  });

  it('pings a host with as many packets, within the bounds of a check', async () => {
    const ping = { type: 'ping', hostname: '2001:db8::7', ping_count: 3, packet_size: 100, timeout: 48 };
    const { monitor } = await monitorOf(ping);
    expect(monitor).to.deep.include({ url: '2001:db8::7', monitorTypes: ['Ping'], ping: { count: 3, size: 100 } });
    const bounded = await monitorOf({ ...ping, hostname: 'a.example', ping_count: 100, packet_size: 65_500 });
    expect(bounded.monitor).to.deep.include({ url: 'a.example', ping: { count: 20, size: 1_400 } });
    expect(bounded.report.join(' ')).to.contain('sends 20 packets instead of 100').and.contain('1400 bytes a packet');
  });

  it('greets services by presets, and takes no password of theirs', async () => {
    const secret = 'hunter2-secret';
    for (const [row, url, preset] of [
      [{ type: 'smtp', hostname: 'mail.example', port: 587 }, 'tcp://mail.example:587', 'smtp'],
      [{ type: 'mqtt', hostname: 'mqtt://a.example', mqtt_password: secret }, 'tcp://a.example:1883', 'mqtt'],
      [{ type: 'redis', database_connection_string: `redis://u:${secret}@a.example` }, 'tcp://a.example:6379', 'redis'],
      [
        { type: 'postgres', database_connection_string: `postgres://u:${secret}@a.example:5433/db` },
        'tcp://a.example:5433',
        'postgres',
      ],
      [
        { type: 'mysql', database_connection_string: `mysql://u:${secret}@[2001:db8::7]/db` },
        'tcp://[2001:db8::7]:3306',
        'mysql',
      ],
    ] as const) {
      const { monitor, report } = await monitorOf({ ...row, timeout: 48 });
      expect(monitor).to.deep.include({ url, monitorTypes: ['TcpUdp'], tcpUdp: { preset } });
      expect(JSON.stringify([monitor, report])).to.not.contain(secret);
    }
    for (const type of ['redis', 'postgres', 'mysql', 'mqtt', 'smtp'])
      expect((await monitorOf({ type, database_connection_string: 'Server=a;Password=b' })).monitor, type).to.equal(
        undefined,
      );
  });

  it('is not taken over where it cannot be checked, and the reason is reported', async () => {
    for (const [row, reason] of [
      [{ type: 'ping', hostname: 'a b' }, 'host name'],
      [{ type: 'ping' }, 'host name'],
      [{ type: 'docker' }, '"docker"'],
      [{ type: 'http', url: 'https://a.example/', upside_down: 1 }, 'upside down'],
      [{ type: 'http', url: 'https://' }, 'its URL'],
      [{ type: 'http', url: 'https://a.example/', method: 'TRACE' }, 'TRACE'],
      [{ type: 'port', hostname: 'a.example', port: 0 }, 'port'],
      [{ type: 'port', hostname: 'a b', port: 1 }, 'host name'],
      [{ type: 'dns', hostname: '192.0.2.1' }, 'host name'],
      [{ type: 'dns', hostname: 'a.example', dns_resolve_type: 'NAPTR' }, 'NAPTR'],
    ] as const) {
      const { monitor, report } = await monitorOf(row);
      expect(monitor, reason).to.equal(undefined);
      expect(report, reason).to.have.length(1);
      expect(report[0]).to.contain('not taken over').and.contain(reason);
    }
  });

  it('keeps a token of a push address once, and columns of later versions are reported', async () => {
    const push = (id: number) => ({
      id,
      name: `Job ${id}`,
      type: 'push',
      push_token: 'aB3dE5fG7h',
      crystal_ball: 'on',
    });
    const { environment, report } = await fromRows({ monitor: [push(1), push(2)] });
    expect(Object.values(environment)).to.deep.equal(['aB3dE5fG7h']);
    expect(report.join('\n')).to.contain('"Job 2": may be late').and.contain('leads to another monitor of the file');
    expect(report.join('\n')).to.contain(
      'the column crystal_ball is not known to this version and was ignored in 2 monitors',
    );
  });
});

describe('Maintenance of Uptime Kuma', () => {
  const windowOf = async (row: object) => {
    const { shown, report } = await imported(
      await sqliteFile('2.x', {
        monitor: [{ id: 1, name: 'One', type: 'http', url: 'https://a.example/' }],
        maintenance: [{ id: 1, title: 'Work', active: 1, timezone: 'Europe/Berlin', ...row }],
        monitor_maintenance: [{ id: 1, monitor_id: 1, maintenance_id: 1 }],
      }),
    );
    return { window: shown.maintenanceWindows?.['work'], report: report.filter((line) => line.includes('"Work"')) };
  };

  it('begins at its next date, in its time zone, and ends with its last one', async () => {
    const daily = { strategy: 'recurring-interval', interval_day: 1, start_time: '13:10', end_time: '01:00' };
    expect((await windowOf(daily)).window).to.deep.include({
      startsAt: '2026-11-26T13:10',
      duration: 'PT11H50M',
      recurrence: 'FREQ=DAILY',
    });
    expect((await windowOf({ ...daily, start_time: '13:20' })).window!['startsAt']).to.equal('2026-11-25T13:20');
    const ended = { ...daily, end_date: '2026-12-24 00:00:00' };
    expect((await windowOf(ended)).window!['recurrence']).to.equal('FREQ=DAILY;UNTIL=20261224T000000');
    expect((await windowOf({ ...daily, end_date: '2026-11-26 13:00' })).report[0]).to.contain('no further date');
  });

  it('is in the region of a time zone without one, and in UTC where its zone does not exist', async () => {
    const daily = { strategy: 'recurring-interval', interval_day: 1, start_time: '13:10', end_time: '14:00' };
    for (const [zone, expected] of [
      ['PST', 'America/Los_Angeles'],
      ['CET', 'Europe/Brussels'],
      ['GMT', 'UTC'],
      ['Asia/Kolkata', 'Asia/Kolkata'],
    ]) {
      const { window, report } = await windowOf({ ...daily, timezone: zone });
      expect(window!['timezone'], zone).to.equal(expected);
      expect(report.join('\n')).not.to.contain('is not known');
    }
    const unknown = await windowOf({ ...daily, timezone: '+01:00' });
    expect(unknown.window!['timezone']).to.equal('UTC');
    expect(unknown.report.join('\n')).to.contain('its time zone "+01:00" is not known: it is UTC here');
  });

  it('of a group covers no monitor of another group of the same name', async () => {
    const url = 'https://a.example/';
    const group = (id: number, name: string) => ({ id, name, type: 'group' });
    const { shown } = await imported(
      await sqliteFile('2.x', {
        monitor: [
          group(1, 'Web'),
          group(2, 'web'),
          { id: 3, name: 'First', type: 'http', url, parent: 1 },
          { id: 4, name: 'Second', type: 'http', url, parent: 2 },
          { id: 5, name: 'Third', type: 'http', url },
        ],
        tag: [{ id: 1, name: 'group', color: '' }],
        monitor_tag: [{ id: 1, monitor_id: 5, tag_id: 1, value: 'web' }],
        maintenance: [1, 2].map((id) => ({
          id,
          title: `Work ${id}`,
          active: 1,
          timezone: 'UTC',
          strategy: 'recurring-interval',
          interval_day: 1,
          start_time: '13:10',
          end_time: '14:00',
        })),
        monitor_maintenance: [1, 2].map((id) => ({ id, monitor_id: id, maintenance_id: id })),
      }),
    );
    const covered = Object.values(shown.maintenanceWindows).map(({ scope }) =>
      Object.keys(shown.monitors).filter((key) =>
        shown.monitors[key]!['tags'].some((tag: string) => scope.tags.includes(tag)),
      ),
    );
    expect(covered).to.deep.equal([['first'], ['second']]);
  });

  it('takes the hours that have passed, across daylight saving', async () => {
    const single = { strategy: 'single', start_date: '2027-03-28 01:00', end_date: '2027-03-28 04:00' };
    expect((await windowOf(single)).window).to.deep.include({ startsAt: '2027-03-28T01:00', duration: 'PT2H' });
    const running = await windowOf({
      strategy: 'single',
      start_date: '2026-11-25 10:00',
      end_date: '2026-11-25 20:00',
    });
    expect(running.window).to.deep.include({ startsAt: '2026-11-25T13:15', duration: 'PT6H45M' });
    expect(running.report[0]).to.contain('is under way');
  });

  it('is not taken over where it is off, over, by hand or of no monitor', async () => {
    const weekly = { strategy: 'recurring-weekday', weekdays: '[1]', start_time: '01:00', end_time: '02:00' };
    expect((await windowOf(weekly)).window!['recurrence']).to.equal('FREQ=WEEKLY;BYDAY=MO');
    for (const row of [
      { ...weekly, active: 0 },
      { ...weekly, id: 2 },
      { ...weekly, weekdays: '[]' },
      { ...weekly, start_time: null },
      { strategy: 'manual' },
      { strategy: 'cron', cron: '*/5 * * * *', duration: 60 },
      { strategy: 'cron', cron: 'every day', duration: 60 },
    ]) {
      const { window, report } = await windowOf(row);
      expect(window, JSON.stringify(row)).to.equal(undefined);
      expect(report[0]).to.contain('not taken over');
    }
  });
});
