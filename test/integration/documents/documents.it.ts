import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ACTION_GROUP_TYPES } from '@watchpost/control-plane/capabilities/channels/index';
import { writeYaml } from '@watchpost/shared/write-yaml';
import { createAuthority } from '../../support/certificates.js';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

const DOCUMENT = `apiVersion: watchpost/v1
project: shop
defaults: { checkInterval: PT1M, tags: ['team:web'] }
serviceGroups:
  shop: { name: Shop }
actionGroups:
  chat: { type: slack, name: Chat, webhookUrl: https://hooks.slack.com/services/T1/B1/secret1 }
  hook: { type: webhook, name: Hook, url: https://hooks.example.com/a, headers: { Authorization: Bearer one, X-Team: shop } }
monitors:
  checkout:
    name: Checkout
    url: https://shop.example/health
    serviceGroup: shop
    actionGroups: [hook, chat]
    http: { headers: { Authorization: Bearer site } }
  blog: { url: https://blog.example/, tags: [], numberOfChecksBeforeAlert: 3 }
statusPages:
  public:
    name: Shop
    slug: documents-shop
    isPublished: true
    groups: [{ name: Sites, systems: [{ name: Shop, serviceGroup: shop }, { name: Blog, monitor: blog }] }]
`;

describe('A configuration document', () => {
  const app = appForSuite();
  let world: World;

  beforeEach(async () => {
    world = await makeWorld(app, 'Enterprise');
  });
  // Slugs are unique in the whole installation.
  const documentOf = (text = DOCUMENT) => text.replace('documents-shop', `shop-${world.workspaceId.slice(-12)}`);
  const send = (verb: 'plan' | 'apply', document: unknown, more: object = {}) =>
    world.api('POST', `/api/v1/config/${verb}`, { document, ...more });
  async function done(verb: 'plan' | 'apply', document: unknown, more: object = {}): Promise<Json> {
    const { status, body } = await send(verb, document, more);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const actions = ({ changes }: Json) => changes.map(({ action, kind, key }: Json) => `${action} ${kind}/${key}`);
  const list = async (path: string) => (await world.api('GET', `/api/v1/${path}?pageSize=200`)).body as Json[];

  it('has monitors of every kind, domains and private locations too, and its export plans no change', async () => {
    const office = { name: 'Office', slug: 'office', allowCidrs: ['10.0.0.0/8'] };
    const inside = { privateLocations: ['office'], homeRegion: false };
    const monitors = {
      domain: { url: 'https://www.shop.test/x', monitorTypes: ['Domain'], domain: { expiryThresholdDays: [5, 30] } },
      ping: { url: '10.0.0.9', monitorTypes: ['Ping'], ping: { count: 3, maxLossPercent: 50 }, ...inside },
      grpc: { url: 'grpcs://api.example.com:443', monitorTypes: ['Grpc'], grpc: { service: 'shop.Cart' } },
      socket: { url: 'wss://chat.example.com/', monitorTypes: ['WebSocket'], webSocket: { expect: 'hex:00ff' } },
      mail: { url: 'tcp://mail.example.com:25', monitorTypes: ['TcpUdp'], tcpUdp: { preset: 'smtp' } },
      tls: { url: 'tcp://mail.example.com:587', monitorTypes: ['SslCertificate'], ssl: { startTls: 'smtp' } },
      names: { url: 'shop.example.com', monitorTypes: ['Dns'], dns: { recordTypes: ['A'] } },
      inner: { url: 'http://10.0.0.9/', ...inside },
    };
    const document = { apiVersion: 'watchpost/v1', project: 'kinds', privateLocations: { office }, monitors };
    const unchanged = { create: 0, update: 0, delete: 0, orphan: 0, unchanged: 9 };
    expect((await done('apply', JSON.stringify(document))).summary).to.include({ create: 9 });
    expect((await done('plan', JSON.stringify(document))).summary).to.deep.equal(unchanged);
    const exported = await world.api('GET', '/api/v1/config/export?project=kinds');
    expect((await done('plan', JSON.stringify(exported.body))).summary).to.deep.equal(unchanged);
    for (const [key, given] of Object.entries(monitors))
      expect(exported.body.monitors[key], key).to.have.all.keys('name', 'actionGroups', ...Object.keys(given));
    const domain = (await list('monitor')).find(({ monitorTypes }) => monitorTypes.includes('Domain'));
    expect(domain).to.deep.include({ url: 'shop.test' });
  });

  it('is exported without what a group of any channel has by default', async () => {
    const channels: Json[] = (await world.api('GET', '/api/v1/channels')).body;
    const groups = Object.fromEntries(
      channels.map(({ type, fields }): [string, Json] => {
        const needed = (fields as Json[]).filter(({ required }) => required);
        const values = needed.map(({ name, kind, example }) => {
          const value = kind === 'phones' ? example.replaceAll(' ', '') : example;
          return [name, ['emails', 'phones'].includes(kind) ? [value] : value];
        });
        return [type, { type, name: type, ...Object.fromEntries(values) }];
      }),
    );
    groups['slack'].webhookUrl = groups['mattermost'].webhookUrl = groups['teams'].webhookUrl;
    groups['apprise'].key = 'shop';
    const document = { apiVersion: 'watchpost/v1', project: 'channels', actionGroups: groups };
    await done('apply', document);
    const { body } = await world.api('GET', '/api/v1/config/export?project=channels');
    for (const [type, given] of Object.entries(groups))
      expect(body.actionGroups[type], type).to.have.all.keys(...Object.keys(given));
  });

  it('creates all that it describes, with references by key, and changes nothing the second time', async () => {
    const planned = await done('plan', documentOf());
    expect(actions(planned)).to.deep.equal([
      'create serviceGroups/shop',
      'create actionGroups/chat',
      'create actionGroups/hook',
      'create monitors/checkout',
      'create monitors/blog',
      'create statusPages/public',
    ]);
    expect(await list('monitor'), 'a plan changes nothing').to.deep.equal([]);
    const applied = await done('apply', documentOf());
    expect(applied.summary).to.deep.equal({ create: 6, update: 0, delete: 0, orphan: 0, unchanged: 0 });
    const monitors = await list('monitor');
    const checkout = monitors.find(({ name }) => name === 'Checkout');
    const [group] = await list('service-group');
    expect(checkout).to.deep.include({ serviceGroupId: group.id, tags: ['team:web'], checkInterval: 'PT1M' });
    expect(checkout.http.headers).to.deep.equal({ Authorization: '***' });
    expect(monitors.find(({ name }) => name === 'blog.example')).to.deep.include({
      tags: [],
      numberOfChecksBeforeAlert: 3,
    });
    const attached = await list(`monitor/${checkout.id}/action-groups`);
    expect(attached.map(({ name }) => name)).to.have.members(['Chat', 'Hook']);
    const again = await done('apply', documentOf());
    expect(again.summary).to.deep.equal({ create: 0, update: 0, delete: 0, orphan: 0, unchanged: 6 });
    expect(again.version).to.equal(applied.version);
    expect((await done('plan', documentOf())).version).to.equal(applied.version);
  });

  it('shows drift field by field, without secrets, and ends it', async () => {
    const { version } = await done('apply', documentOf());
    const [checkout] = (await list('monitor')).filter(({ name }) => name === 'Checkout');
    await create(
      world.api,
      `/api/v1/monitor/${checkout.id}`,
      { checkTimeout: 'PT9S', http: { headers: { Authorization: 'Bearer other' } } },
      'PUT',
    );
    const [chat] = (await list('action-groups')).filter(({ name }) => name === 'Chat');
    await world.api('DELETE', `/api/v1/action-groups/${chat.id}/monitors/${checkout.id}`);
    const drift = await done('plan', documentOf());
    expect(drift.changes.filter(({ action }: Json) => action !== 'unchanged')).to.deep.equal([
      {
        action: 'update',
        kind: 'monitors',
        key: 'checkout',
        id: checkout.id,
        fields: {
          checkTimeout: { from: 'PT9S', to: 'PT30S' },
          'http.headers.Authorization': { from: '***', to: '***' },
          actionGroups: { from: ['hook'], to: ['chat', 'hook'] },
        },
      },
    ]);
    expect(drift.version).not.to.equal(version);
    const late = await send('apply', documentOf(), { expectedVersion: version });
    expect([late.status, late.body.error]).to.deep.equal([412, 'precondition_failed']);
    await done('apply', documentOf(), { expectedVersion: drift.version });
    const after = await done('plan', documentOf());
    expect(after.summary).to.include({ unchanged: 6 });
  });

  it('names every fault at once, with the line in the text', async () => {
    const { status, body } = await send(
      'plan',
      `apiVersion: watchpost/v1
project: shop
monitors:
  one: { url: 'ftp://x', serviceGroup: nowhere }
  two: { url: https://shop.example/, checkInterval: PT1S, colour: red }
  three: { url: https://shop.example/, http: { headers: { Authorization: { env: TOKEN } } } }
  four: { url: https://shop.example/, serviceGroupId: nowhere }
actionGroups:
  chat: { type: pigeon, name: Chat }
`,
    );
    expect([status, body.error]).to.deep.equal([400, 'validation_failed']);
    const faults = Object.fromEntries(body.details.map(({ path, message }: Json) => [path, message]));
    expect(Object.keys(faults)).to.have.members([
      'actionGroups.chat.type',
      'monitors.one.serviceGroup',
      'monitors.one.url',
      'monitors.two.checkInterval',
      'monitors.two.colour',
      'monitors.three.http.headers.Authorization',
      'monitors.four.serviceGroupId',
    ]);
    expect(faults['actionGroups.chat.type']).to.include(`must be one of ${ACTION_GROUP_TYPES.join(', ')} (line 9`);
    expect(faults['monitors.two.checkInterval']).to.match(/\(line 5, column \d+\)$/);
    expect(faults['monitors.three.http.headers.Authorization']).to.include('TOKEN').and.include('(line 6');
    for (const deep of ['['.repeat(400_000), '- '.repeat(1_000), `${'['.repeat(200)}${']'.repeat(200)}`]) {
      const refused = await send('plan', deep);
      expect([refused.status, refused.body.details[0].path]).to.deep.equal([400, 'document']);
    }
    const bombs = await send(
      'plan',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]`,
    );
    expect(bombs.body.details[0].message).to.include('aliases');
    const twice = await send('plan', 'apiVersion: watchpost/v1\nproject: a\nproject: b\n');
    expect(twice.body.details[0].message).to.include('twice (line 3, column 1)');
    const syntax = await send('plan', 'apiVersion: [\nproject: x');
    expect(syntax.body.details[0].message).to.match(/line 2/);
    for (const json of ['{\n"a":{"b":9007199254740993}}', 'x: 1\na: { b: 0x20000000000001 }']) {
      const { path, message } = (await send('plan', json)).body.details[0];
      expect(path, json).to.equal('document.a.b');
      expect(message).to.match(/^is 9007199254740993, which would be rounded: put .* \(line 2, column \d+\)$/);
    }
  });

  it('has at most 1 MiB as text, in YAML or JSON, and may be larger as an object', async () => {
    const large = {
      apiVersion: 'watchpost/v1',
      project: 'large',
      serviceGroups: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`g${index}`, { name: `G${index}`, more: 'x'.repeat(30_000) }]),
      ),
    };
    for (const text of [JSON.stringify(large), writeYaml(large)]) {
      expect(text.length).to.be.within(1_150_000, 1_250_000);
      const { status, body } = await send('plan', text);
      expect([status, body.error]).to.deep.equal([413, 'payload_too_large']);
      expect(body.message).to.match(
        /as text has at most 1 MiB\. Send it as an object, of which a request may have 4 MiB/,
      );
    }
    expect((await send('plan', large)).body.details, 'it is read').to.have.length(40);
    const { status, body } = await send('plan', { ...large, more: 'x'.repeat(3_000_000) });
    expect([status, body.message]).to.deep.equal([413, 'Send at most 4 MiB in one request.']);
  });

  it('with an unknown section has its other faults named too, and with more than 100 reports that', async () => {
    const { body } = await send('plan', {
      apiVersion: 'watchpost/v2',
      montors: {},
      monitors: { checkout: { urll: 'https://shop.example/' }, none: 1 },
      statusPages: [],
    });
    expect(body.details.map(({ path }: Json) => path)).to.have.members([
      'apiVersion',
      'project',
      'montors',
      'monitors.none',
      'statusPages',
      'monitors.checkout.urll',
      'monitors.checkout.url',
    ]);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, { url: 1 }]));
    for (const [count, reportsMore] of [
      [100, false],
      [101, true],
    ] as const) {
      const { body } = await send('plan', { apiVersion: 'watchpost/v1', project: 'shop', monitors: many(count) });
      expect(body.details).to.have.length(100);
      expect(body.message.includes('more faults')).to.equal(reportsMore);
    }
    const tooMany = await send('plan', { apiVersion: 'watchpost/v1', project: 'shop', monitors: many(5_001) });
    expect([tooMany.status, tooMany.body.details[0].message]).to.deep.equal([
      400,
      'has 5001 objects: a document has at most 5000',
    ]);
  });

  it('describes steps with their secrets, and is exported with a variable for each of these', async () => {
    const url = 'https://shop.example/';
    const documentWith = (key: unknown, cookie: unknown, password: unknown) => ({
      apiVersion: 'watchpost/v1',
      project: 'steps',
      monitors: {
        shop: {
          url,
          http: {
            variables: { env: 'staging', monitor: 'a', key: { secret: key } },
            extract: { dependsOn: { from: 'status' } },
            steps: [
              { name: 'Sign in', url: `${url}{{env}}/{{dependsOn}}`, headers: { Accept: '*/*' } },
              {
                name: 'Read',
                url: `${url}{{monitor}}?{{key}}`,
                headers: { Cookie: cookie },
                auth: { type: 'basic', username: 'robot', password },
              },
            ],
          },
        },
      },
    });
    const document = documentWith('geheim-1', 'geheim-2', 'geheim-3');
    await done('apply', document);
    expect((await done('plan', document)).summary).to.include({ unchanged: 1 });
    const drift = await done('plan', documentWith('geheim-1', 'geheim-2', 'other'));
    expect(drift.changes[0].fields).to.deep.equal({ 'http.steps.1.auth.password': { from: '***', to: '***' } });
    await done('apply', documentWith('geheim-1', 'geheim-2', 'other'));
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=steps');
    expect(JSON.stringify(exported)).to.not.include('geheim').and.not.include('***');
    const { variables, steps, extract } = exported.monitors.shop.http;
    expect(variables).to.deep.equal({ env: 'staging', monitor: 'a', key: { secret: { env: 'SHOP_SECRET' } } });
    expect(extract).to.have.property('dependsOn');
    expect(steps[1]).to.deep.include({ headers: { Cookie: { env: 'SHOP_COOKIE' } } });
    expect(steps[1].auth.password).to.deep.equal({ env: 'SHOP_PASSWORD' });
    const resolved = JSON.stringify(exported)
      .replace('{"env":"SHOP_SECRET"}', '"geheim-1"')
      .replace('{"env":"SHOP_COOKIE"}', '"geheim-2"')
      .replace('{"env":"SHOP_PASSWORD"}', '"other"');
    expect((await done('plan', JSON.parse(resolved))).summary).to.include({ unchanged: 1 });
  });

  it('has every setting of requests, assertions, steps and addresses, and exports them as they are', async () => {
    const authority = await createAuthority();
    const client = await authority.issue({ usage: 'clientAuth' });
    const url = 'https://shop.example/';
    const basic = { type: 'basic', username: 'robot', password: 'geheim-basic' };
    const oauth = { tokenUrl: 'https://id.example/token', clientId: 'shop', scopes: ['read'], audience: 'api' };
    const assertions = [
      { source: 'status', comparison: 'in', target: [200, 204] },
      { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'json', severity: 'degraded' },
      { source: 'body', comparison: 'matches', target: '^\\{.*\\}$' },
      { source: 'json', property: '$.id', comparison: 'equals', target: { number: '9007199254740993' } },
      { source: 'json', property: '$.items[?@.a == "x"]', comparison: 'countGreaterThan', target: 0 },
      { source: 'json', property: '$.ok', comparison: 'equals', target: true },
      { source: 'json', property: '$.price', comparison: 'lessThan', target: 1.5 },
      { source: 'json', property: '$.updated', comparison: 'newerThan', target: 'PT26H' },
      { source: 'responseTime', comparison: 'lessThan', target: 800 },
      { source: 'certificateDays', comparison: 'greaterThan', target: 7 },
      { source: 'finalUrl', comparison: 'equals', target: url },
    ];
    const extract = {
      csrf: { from: 'regex', expression: 'value="([^"]+)"' },
      token: { from: 'json', expression: '$.token', secret: true },
      visit: { from: 'cookie', expression: 'visit' },
      trace: { from: 'header', expression: 'X-Trace' },
      code: { from: 'status' },
    };
    const step = (name: string, more: object) => ({ name, url: `${url}{{csrf}}/{{user}}`, ...more });
    const steps = [
      step('sign in', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': 'geheim-step' },
        body: '{"p":"{{password}}","at":"{{now}}"}',
        auth: { type: 'oauth2ClientCredentials', ...oauth, clientSecret: 'geheim-oauth' },
        expectedStatusCodes: ['200', '302'],
        assertions: assertions.slice(0, 4),
        extract: { id: { from: 'json', expression: '$.id' } },
      }),
      step('wait', { delay: 'PT3S', headers: { Authorization: 'Bearer {{token}}' } }),
      step('leave', { method: 'DELETE', always: true, auth: { type: 'bearer', token: 'geheim-bearer' } }),
    ];
    const http = { httpVersion: 'auto', cookies: 'none', addresses: 'each', eachMustWork: true, safeToRepeat: true };
    const variables = { user: 'ann', password: { secret: 'geheim-variable' } };
    const certificate = { type: 'clientCertificate', certificate: client.cert, key: client.key };
    const place = { connectTo: '127.0.0.1:8443', httpVersion: '2' };
    const monitors = {
      steps: { url, name: 'Steps', http: { ...http, auth: basic, assertions, extract, variables, steps } },
      certificate: { url, name: 'Certificate', http: { ...place, auth: certificate } },
      digest: { url, name: 'Digest', http: { auth: { ...basic, type: 'digest' }, addresses: 'ipv6' } },
      tcp: {
        url: 'tcp://db.example:5432',
        name: 'Port',
        monitorTypes: ['TcpUdp'],
        tcpUdp: { addresses: 'each', eachMustWork: true },
      },
      tls: { url, name: 'TLS', monitorTypes: ['SslCertificate'], ssl: { addresses: 'each' } },
    };
    const document = { apiVersion: 'watchpost/v1', project: 'all', monitors };
    await done('apply', document);
    expect((await done('plan', document)).summary, 'the same again').to.include({ unchanged: 5 });
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=all');
    const text = JSON.stringify(exported);
    expect(text).to.not.include('geheim').and.not.include('PRIVATE KEY').and.not.include('***');
    const given: Record<string, string> = {
      STEPS_PASSWORD: 'geheim-basic',
      STEPS_SECRET: 'geheim-variable',
      STEPS_X_API_KEY: 'geheim-step',
      STEPS_CLIENTSECRET: 'geheim-oauth',
      STEPS_TOKEN: 'geheim-bearer',
      CERTIFICATE_KEY: client.key,
      DIGEST_PASSWORD: 'geheim-basic',
    };
    const used = new Set<string>();
    const resolved = JSON.parse(text, (_, value: unknown) => {
      const name = typeof value === 'object' && value !== null && 'env' in value ? String(value.env) : undefined;
      if (name === undefined) return value;
      used.add(name);
      return given[name];
    }) as { monitors: Json };
    expect([...used]).to.have.members(Object.keys(given));
    for (const whole of [resolved, writeYaml(resolved)])
      expect((await done('plan', whole)).summary, 'the export').to.include({ unchanged: 5 });
    const first = world;
    world = await makeWorld(app, 'Enterprise');
    await done('apply', resolved);
    const shown = async ({ api }: World) =>
      (await api('GET', '/api/v1/monitor')).body
        .map(({ name, http: own, ssl, tcpUdp }: Json) => ({ name, http: own, ssl, tcpUdp }))
        .toSorted((a: Json, b: Json) => (a.name < b.name ? -1 : 1));
    expect(await shown(world), 'and makes the same').to.deep.equal(await shown(first));
    const { body: audit } = await first.api('GET', `/api/v1/workspaces/${first.workspaceId}/audit`);
    expect(JSON.stringify(audit)).to.include('sign in').and.not.include('geheim').and.not.include('PRIVATE KEY');
  });

  it('may have a single header with the name env', async () => {
    const url = 'https://shop.example/';
    const document = {
      apiVersion: 'watchpost/v1',
      project: 'headers',
      actionGroups: { hook: { type: 'webhook', name: 'Hook', url, headers: { env: 'staging' } } },
      monitors: { shop: { url, http: { headers: { env: 'staging' } } } },
    };
    await done('apply', document);
    expect((await list('monitor'))[0]!['http'].headers).to.deep.equal({ env: 'staging' });
    expect((await done('plan', document)).summary).to.include({ unchanged: 2 });
    const refused = await send('plan', { ...document, monitors: { shop: { url: { env: 'URL' } } } });
    expect(refused.body.details[0].message).to.include('names the environment variable URL');
  });

  it('is applied whole or not at all, with the faults of all operations by their paths', async () => {
    const small = await makeWorld(app, 'Starter');
    const monitors = Object.fromEntries(
      Array.from({ length: 3 }, (_, index) => [
        `m${index}`,
        { url: `https://m${index}.example/`, enabledRegions: ['eastus2', 'japaneast'] },
      ]),
    );
    const { status, body } = await small.api('POST', '/api/v1/config/apply', {
      document: { apiVersion: 'watchpost/v1', project: 'p', serviceGroups: { g: { name: 'G' } }, monitors },
    });
    expect(status, JSON.stringify(body)).to.be.within(400, 499);
    expect(body.details.map(({ path }: Json) => path.split('.').slice(0, 2).join('.'))).to.include.members([
      'monitors.m0',
      'monitors.m2',
    ]);
    expect((await small.api('GET', '/api/v1/service-group')).body).to.deep.equal([]);
  });

  it('keeps what leaves it as orphans, and deletes it with prune, within maxDelete', async () => {
    await done('apply', documentOf());
    const rest = { apiVersion: 'watchpost/v1', project: 'shop', serviceGroups: { shop: { name: 'Shop' } } };
    const orphans = await done('apply', rest);
    expect(orphans.summary).to.deep.equal({ create: 0, update: 0, delete: 0, orphan: 5, unchanged: 1 });
    expect(await list('monitor')).to.have.length(2);
    const refused = await send('apply', rest, { prune: true, maxDelete: 4 });
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'too_many_deletions']);
    expect((await done('apply', rest, { prune: true })).summary).to.include({ delete: 5 });
    expect([await list('monitor'), await list('status-page'), await list('action-groups')]).to.deep.equal([[], [], []]);
    expect((await done('plan', rest)).summary).to.deep.equal({
      create: 0,
      update: 0,
      delete: 0,
      orphan: 0,
      unchanged: 1,
    });
  });

  it('gives other keys to all of its objects with prune, within the limits that these reach', async () => {
    const slug = `keys-${world.workspaceId.slice(-12)}`;
    const token = `push-${world.workspaceId.slice(-12)}`;
    const keyed = (mark: string) => ({
      apiVersion: 'watchpost/v1',
      project: 'keys',
      serviceGroups: { [`group${mark}`]: { name: 'Group' }, kept: { name: 'Kept' } },
      actionGroups: { [`chat${mark}`]: { type: 'slack', name: 'Chat', webhookUrl: 'https://hooks.slack.com/a' } },
      monitors: {
        [`site${mark}`]: {
          name: 'Site',
          url: 'https://site.example/',
          serviceGroup: 'kept',
          actionGroups: [`chat${mark}`],
        },
        [`job${mark}`]: {
          name: 'Job',
          monitorTypes: ['Heartbeat'],
          heartbeat: { every: 'PT1H', importedToken: token },
          serviceGroup: `group${mark}`,
        },
      },
      statusPages: {
        [`page${mark}`]: {
          name: 'Page',
          slug,
          isPublished: true,
          groups: [{ name: 'All', systems: [{ name: 'Site', monitor: `site${mark}` }] }],
        },
      },
      maintenanceWindows: {
        [`weekly${mark}`]: {
          name: 'Weekly',
          startsAt: '2027-01-03T02:00',
          duration: 'PT1H',
          scope: { monitors: [`site${mark}`] },
          statusPages: [`page${mark}`],
        },
      },
      teams: { [`team${mark}`]: { name: 'Team', serviceGroups: [`group${mark}`] } },
    });
    await done('apply', keyed('-1'));
    await app.sql(
      `UPDATE user_account SET plan_limits = '{"monitors": 2, "slackGroups": 1, "teams": 1}'
       WHERE id = (SELECT owner_id FROM workspace WHERE id = $1)`,
      [world.workspaceId],
    );
    const other = keyed('-2');
    expect((await done('plan', other, { prune: true })).summary).to.include({ create: 7, delete: 7, unchanged: 1 });
    const { changes } = await done('apply', other, { prune: true });
    expect(
      changes.slice(-7).map(({ action }: Json) => action),
      'shown at the end',
    ).to.deep.equal(Array.from({ length: 7 }, () => 'delete'));
    expect((await done('plan', other, { prune: true })).summary).to.include({ create: 0, update: 0, delete: 0 });
    expect((await list('monitor')).map(({ name }) => name)).to.have.members(['Site', 'Job']);
    expect((await list('service-group')).map(({ name }) => name)).to.have.members(['Group', 'Kept']);
    for (const path of ['action-groups', 'status-page', 'maintenance-windows', 'teams'])
      expect(await list(path), path).to.have.length(1);
  });

  it('keeps with prune what referred to a deleted object and no longer does', async () => {
    const site = { name: 'Site', url: 'https://site.example/' };
    const db = { name: 'Db', url: 'https://db.example/', monitorTypes: ['SslCertificate'], serviceGroup: 'group' };
    const systems = [
      { name: 'Site', monitor: 'site' },
      { name: 'Db', monitor: 'db' },
    ];
    const window = { name: 'Weekly', startsAt: '2027-01-03T02:00', duration: 'PT1H' };
    const slug = `kept-${world.workspaceId.slice(-12)}`;
    const first = {
      apiVersion: 'watchpost/v1',
      project: 'kept',
      serviceGroups: { group: { name: 'Group' } },
      actionGroups: { chat: { type: 'slack', name: 'Chat', webhookUrl: 'https://hooks.slack.com/a' } },
      monitors: { site: { ...site, serviceGroup: 'group', dependsOn: ['db'], actionGroups: ['chat'] }, db },
      statusPages: { page: { name: 'Page', slug, groups: [{ name: 'All', systems }] } },
      maintenanceWindows: { weekly: { ...window, scope: { monitors: ['site', 'db'] }, statusPages: ['page'] } },
      teams: { team: { name: 'Team', serviceGroups: ['group'] } },
    };
    await done('apply', first);
    const rest = {
      apiVersion: 'watchpost/v1',
      project: 'kept',
      monitors: { site: { ...site, actionGroups: [] } },
      statusPages: { page: { name: 'Page', slug, groups: [{ name: 'All', systems: systems.slice(0, 1) }] } },
      maintenanceWindows: { weekly: { ...window, scope: { monitors: ['site'] } } },
      teams: { team: { name: 'Team' } },
    };
    const { summary, warnings } = await done('apply', rest, { prune: true });
    expect([summary.update, summary.delete, warnings]).to.deep.equal([4, 3, []]);
    expect((await done('plan', rest, { prune: true })).summary).to.include({ update: 0, delete: 0, unchanged: 4 });
    const { body: exported } = await world.api('GET', '/api/v1/config/export');
    for (const [section, objects] of Object.entries(rest))
      if (typeof objects === 'object') expect(Object.keys(exported[section])).to.deep.equal(Object.keys(objects));
    expect(exported).to.not.have.any.keys('serviceGroups', 'actionGroups');
  });

  it('deletes nothing that it still names by id, and does not differ from itself by naming an orphan so', async () => {
    const frame = { apiVersion: 'watchpost/v1', project: 'groups' };
    const site = { name: 'Checkout', url: 'https://checkout.example/' };
    const monitors = (serviceGroup: string) => ({ checkout: { ...site, serviceGroup } });
    await done('apply', { ...frame, serviceGroups: { till: { name: 'Till' } }, monitors: monitors('till') });
    const { id } = (await list('service-group')).find(({ name }: Json) => name === 'Till');
    const byId = { ...frame, monitors: monitors(id) };
    for (const verb of ['plan', 'apply'] as const) {
      const { status, body } = await send(verb, byId, { prune: true });
      expect([status, body.details.map(({ path }: Json) => path)]).to.deep.equal([
        400,
        ['monitors.checkout.serviceGroup'],
      ]);
    }
    expect((await list('monitor')).map(({ name }: Json) => name)).to.include('Checkout');
    expect((await done('apply', byId)).summary).to.include({ update: 0, orphan: 1, unchanged: 1 });
    const elsewhere = { ...frame, monitors: { checkout: site } };
    expect((await done('apply', elsewhere, { prune: true })).summary).to.include({ update: 1, delete: 1 });
    expect((await list('monitor')).map(({ name }: Json) => name)).to.include('Checkout');
  });

  it('is exported so that it makes an equal workspace, and takes over where it came from', async () => {
    await done('apply', documentOf());
    const { body: exported } = await world.api('GET', '/api/v1/config/export');
    const text = JSON.stringify(exported);
    expect(text).to.include('"env":"CHECKOUT_AUTHORIZATION"').and.not.include('Bearer').and.not.include('secret1');
    const resolved = (slug: string) =>
      JSON.parse(
        text
          .replace(/\{"env":"CHAT_[^}]*\}/, '"https://hooks.slack.com/services/T1/B1/secret1"')
          .replace(/\{"env":"CHECKOUT[^}]*\}/, '"Bearer site"')
          .replace(/\{"env":"HOOK[^}]*\}/, '"Bearer one"')
          .replace(/"slug":"[^"]*"/, `"slug":"${slug}"`),
      );
    const other = await makeWorld(app, 'Enterprise');
    const copy = resolved(`copy-${world.workspaceId.slice(-12)}`);
    const made = await other.api('POST', '/api/v1/config/apply', { document: copy });
    expect(made.status, JSON.stringify(made.body)).to.equal(200);
    const { body: again } = await other.api('GET', '/api/v1/config/export');
    expect({ ...again, project: '' }).to.deep.equal({
      ...JSON.parse(text.replace(/"slug":"[^"]*"/, `"slug":"${copy.statusPages.public.slug}"`)),
      project: '',
    });

    const { slug } = (await list('status-page'))[0];
    await create(
      world.api,
      '/api/v1/config/detach',
      {
        project: 'shop',
        objects: [{ kind: 'monitors', key: 'blog' }],
      },
      'POST',
    );
    const mine = { ...resolved(slug), project: 'shop' };
    expect((await done('plan', mine)).summary).to.include({ create: 1, update: 1, unchanged: 4 });
    const adopted = await done('apply', mine, { adopt: true });
    expect(adopted.summary).to.include({ create: 0, update: 1, unchanged: 5 });
    expect(await list('monitor')).to.have.length(2);
  });

  it('takes over one of several objects of the same name, and creates no further one', async () => {
    const url = (name: string) => `https://${name}.example/`;
    const made = async (name: string, address: string) => {
      app.clock.advance(1_000);
      return (await create(world.api, '/api/v1/monitor', { name, url: url(address) })).id;
    };
    const ids = [
      await made('Blog', 'old'),
      await made('Blog', 'new'),
      await made('Shop', 'a'),
      await made('Shop', 'b'),
    ];
    const twins = [await made('Twin', 'a'), await made('Twin', 'a')];
    const document = {
      apiVersion: 'watchpost/v1',
      project: 'adopted',
      monitors: {
        moved: { name: 'Blog', url: url('moved') },
        blog: { name: 'Blog', url: url('new') },
        shop: { name: 'Shop', url: url('c') },
        twin: { name: 'Twin', url: url('b') },
      },
    };
    const { changes, warnings } = await done('apply', document, { adopt: true });
    expect(changes.map(({ action, key, id }: Json) => [action, key, id])).to.deep.equal([
      ['update', 'moved', ids[0]],
      ['update', 'blog', ids[1]],
      ['update', 'shop', ids[2]],
      ['update', 'twin', twins[0]],
    ]);
    expect(Object.keys(changes[1].fields), 'as it is').to.deep.equal([]);
    expect(warnings).to.deep.equal([
      `monitors.shop takes over ${ids[2]}, the oldest of 2 unmanaged objects with the name "Shop".`,
    ]);
    expect(await list('monitor')).to.have.length(6);
  });

  it('is exported with every object of two projects that use the same keys, and references to the right ones', async () => {
    const long = 'k'.repeat(100);
    const projectOf = (project: string) => ({
      apiVersion: 'watchpost/v1',
      project,
      serviceGroups: { web: { name: `Group of ${project}` }, [long]: { name: `Other group of ${project}` } },
      monitors: {
        site: { name: `Site of ${project}`, url: `https://${project}.example/`, serviceGroup: 'web' },
        'site-2': { name: `Copy of ${project}`, url: `https://${project}.example/2`, dependsOn: ['site'] },
      },
    });
    for (const project of ['shop', 'blog']) await done('apply', projectOf(project));
    await create(world.api, '/api/v1/monitor', { name: 'Site', url: 'https://site.example/' });
    const { body: exported } = await world.api('GET', '/api/v1/config/export');
    const groups: Json = exported.serviceGroups;
    const monitors: Json = exported.monitors;
    expect(Object.keys(groups)).to.have.members(['web', 'web-2', long, `${long.slice(2)}-2`]);
    expect(Object.keys(monitors)).to.have.members(['site', 'site-2', 'site-3', 'site-2-2', 'site-4']);
    for (const project of ['shop', 'blog']) {
      const [site] = Object.values<Json>(monitors).filter(({ name }) => name === `Site of ${project}`);
      const [copy] = Object.values<Json>(monitors).filter(({ name }) => name === `Copy of ${project}`);
      expect(groups[site.serviceGroup].name).to.equal(`Group of ${project}`);
      expect(monitors[copy.dependsOn[0]]).to.equal(site);
      const { body: own } = await world.api('GET', `/api/v1/config/export?project=${project}`);
      expect(Object.keys(own.monitors)).to.have.members(['site', 'site-2']);
    }
    const other = await makeWorld(app, 'Enterprise');
    const made = await other.api('POST', '/api/v1/config/apply', { document: exported });
    expect(made.body.summary, JSON.stringify(made.body)).to.include({ create: 9 });
  });

  it('describes heartbeats, in the time zone of the workspace', async () => {
    await app.sql(`UPDATE workspace SET timezone = 'Asia/Tokyo' WHERE id = $1`, [world.workspaceId]);
    const backup = { name: 'Backup', monitorTypes: ['Heartbeat'], heartbeat: { cron: '30 2 * * *', grace: 'PT10M' } };
    const document = { apiVersion: 'watchpost/v1', project: 'jobs', monitors: { backup } };
    await done('apply', document);
    expect((await done('plan', document)).summary).to.include({ unchanged: 1 });
    const hourly = { ...backup, heartbeat: { every: 'PT1H' } };
    const changed = await done('apply', { ...document, monitors: { backup: hourly } });
    expect(changed.changes[0].fields).to.deep.equal({
      'heartbeat.every': { from: null, to: 'PT1H' },
      'heartbeat.cron': { from: '30 2 * * *', to: null },
      'heartbeat.timezone': { from: 'Asia/Tokyo', to: null },
      'heartbeat.grace': { from: 'PT10M', to: 'PT5M' },
    });
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=jobs');
    expect(exported.monitors).to.deep.equal({
      backup: { ...hourly, heartbeat: { every: 'PT1H', grace: 'PT5M' }, actionGroups: [] },
    });
    expect((await done('plan', exported)).summary).to.include({ unchanged: 1 });
  });

  it('names what a monitor depends on by keys, in any order, and turns it round', async () => {
    const document = (edges: Record<string, string[]>) => ({
      apiVersion: 'watchpost/v1',
      project: 'hosts',
      monitors: Object.fromEntries(
        Object.entries(edges).map(([key, dependsOn]) => [
          key,
          { name: key, url: `https://${key}.example/`, dependsOn },
        ]),
      ),
    });
    const first = document({ api: ['db', 'host', 'db'], db: ['host'], host: [] });
    await done('apply', first);
    const id = Object.fromEntries((await list('monitor')).map(({ name, id }) => [name, id]));
    const api = (await list('monitor')).find(({ name }) => name === 'api');
    expect(api.dependsOn).to.deep.equal([id['db'] as string, id['host'] as string].toSorted());
    expect((await done('plan', first)).summary).to.include({ unchanged: 3 });
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=hosts');
    expect(exported.monitors.api.dependsOn).to.deep.equal(['db', 'host']);
    expect(exported.monitors.host).to.not.have.property('dependsOn');
    expect((await done('plan', exported)).summary).to.include({ unchanged: 3 });

    const turned = await done('apply', document({ api: [], db: ['api'], host: ['db'] }));
    expect(turned.changes.find(({ key }: Json) => key === 'db').fields).to.deep.equal({
      dependsOn: { from: ['host'], to: ['api'] },
    });
    const refused = await send('plan', document({ api: ['nowhere'], db: ['host'], host: ['db'] }));
    expect(refused.body.details.map(({ path }: Json) => path)).to.have.members([
      'monitors.api.dependsOn.0',
      'monitors.host.dependsOn',
    ]);
  });

  it('is described by a JSON Schema for editors', async () => {
    const { body: schema } = await world.api('GET', '/api/v1/config/schema');
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema);
    const document: Json = parse(DOCUMENT);
    expect(validate(document), JSON.stringify(validate.errors)).to.equal(true);
    document.actionGroups.chat.webhookUrl = { env: 'CHAT' };
    expect(validate(document), JSON.stringify(validate.errors)).to.equal(true);
    document.maintenanceWindows = {
      weekly: { name: 'W', startsAt: '2027-01-03T02:00', duration: 'PT1H', scope: { monitors: ['blog'] } },
    };
    document.teams = {
      web: {
        name: 'Web',
        members: [{ email: 'a@x.example', teamRole: 'lead' }],
        schedule: { rotation: 'daily', participants: ['a@x.example'] },
        serviceGroups: ['shop'],
      },
    };
    expect(validate(document), JSON.stringify(validate.errors)).to.equal(true);
    document.monitors.blog.colour = 'red';
    expect(validate(document)).to.equal(false);
  });

  it('is of one workspace only, and needs the scopes of what it contains', async () => {
    await done('apply', documentOf());
    const stranger = await makeWorld(app, 'Enterprise');
    expect((await stranger.api('GET', '/api/v1/config/export')).body).to.deep.equal({
      apiVersion: 'watchpost/v1',
      project: 'workspace',
    });
    const narrow = app.withToken(await app.token(world.owner.sub, 'monitor.write'));
    const refused = await narrow('POST', '/api/v1/config/plan', {
      document: {
        apiVersion: 'watchpost/v1',
        project: 'p',
        actionGroups: { mail: { type: 'email', name: 'Mail', recipients: ['a@x.example'] } },
      },
    });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'insufficient_scope']);
  });
});
