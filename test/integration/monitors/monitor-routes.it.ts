import { expect } from 'chai';
import type { Actor, Role } from '@watchpost/control-plane/platform/identity/caller';
import { monitorRoutes } from '@watchpost/control-plane/capabilities/monitors/index';
import { newId } from '@watchpost/shared/id';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type Answered, type SampleService, startSampleService } from '../http/sample-service.js';
import { monitorDeps, NOON, rules, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';

const unused = () => Promise.reject(new Error('Bulk changes have tests of their own.'));
const BASE = '/api/v1/monitor';

describe('monitors over REST', () => {
  let test: TestDatabase;
  let deps: TestMonitorDeps;
  let service: SampleService;
  let actor: Actor;
  let role: Role;
  let scopes: string[];

  before(async () => {
    test = await createTestDatabase();
    deps = monitorDeps(test.database);
    service = await startSampleService(test.database, {
      routes: monitorRoutes({ ...deps, moveToActionGroup: unused, moveToMaintenance: unused }, rules),
      authenticate: () => Promise.resolve({ ...actor.caller, scopes: new Set(scopes) }),
      resolveWorkspace: () => Promise.resolve({ ...actor.workspace, role }),
    });
  });
  after(async () => {
    await service?.close();
    await test?.drop();
  });
  beforeEach(async () => {
    actor = await seedActor(test.database);
    role = 'Editor';
    scopes = ['monitor.admin'];
  });

  const post = (json: unknown) => service.call('POST', BASE, { json });
  const put = (id: string, json: unknown, headers: Record<string, string> = {}) =>
    service.call('PUT', `${BASE}/${id}`, { json, headers });
  const faults = ({ json }: Answered) =>
    Object.fromEntries((json.details ?? []).map(({ path, message }) => [path, message]));
  async function create(json: object = {}): Promise<Record<string, unknown> & { id: string }> {
    const answer = await post({ url: URL_OF_SHOP, ...json });
    expect(answer.status, answer.text).to.equal(201);
    return answer.json as Record<string, unknown> & { id: string };
  }

  it('are created, read, listed, changed and deleted', async () => {
    const created = await post({ url: URL_OF_SHOP, name: 'Shop', checkInterval: 'PT60S', enabledRegions: ['EastUS2'] });
    expect(created.status).to.equal(201);
    const id = created.json['id'] as string;
    expect(created.headers.get('location')).to.equal(`${BASE}/${id}`);
    const got = await service.call('GET', `${BASE}/${id}`);
    expect(got.json).to.deep.equal(created.json);
    expect(got.headers.get('etag')).to.equal(created.headers.get('etag'));
    const list = await service.call('GET', `${BASE}?monitoringStatus=enabled&pageSize=1`);
    expect(list.json).to.deep.equal([created.json]);
    expect(list.headers.get('x-total-count')).to.equal('1');
    const changed = await put(id, { checkInterval: 'PT0.5H', monitoringStatus: 'paused' });
    expect(changed.json).to.deep.include({
      name: 'Shop',
      checkInterval: 'PT30M',
      monitoringStatus: 'paused',
      nextCheck: null,
      enabledRegions: ['eastus2'],
    });
    expect((await service.call('DELETE', `${BASE}/${id}`)).status).to.equal(204);
    for (const method of ['GET', 'DELETE']) expect((await service.call(method, `${BASE}/${id}`)).status).to.equal(404);
    expect((await put(id, { name: 'x' })).status).to.equal(404);
    expect((await service.call('GET', `${BASE}/not-a-uuid`)).status).to.equal(404);
  });

  it('keep their assertions, with the severity down where they name none', async () => {
    const given = { source: 'json', property: '$.id', comparison: 'equals', target: { number: '9007199254740993' } };
    const { id, http } = await create({ http: { assertions: [given] } });
    expect((http as { assertions: object[] }).assertions).to.deep.equal([{ ...given, severity: 'down' }]);
    const kept = await put(id, { name: 'Shop' });
    expect(kept.json['http']).to.deep.equal(http);
  });

  it('refuse wrong assertions with all of their faults, and the column of a wrong query or pattern', async () => {
    const right = { source: 'status', comparison: 'equals', target: 200 };
    const answer = await post({
      url: URL_OF_SHOP,
      http: {
        assertions: [
          right,
          { source: 'body', comparison: 'matches', target: 'ab(?=x)' },
          { source: 'json', property: '$.items[?', comparison: 'countEquals', target: -1 },
          { source: 'responseTime', comparison: 'contains', target: 'x' },
          { source: 'stars', comparison: 'exists' },
        ],
      },
    });
    expect(answer.status).to.equal(400);
    expect(faults(answer)).to.include({
      'http.assertions.1.target': 'is no pattern of RE2: invalid or unsupported Perl syntax, at column 3',
      'http.assertions.2.property': 'is no JSONPath query: unclosed bracketed selection, at column 10',
      'http.assertions.2.target': 'must be a whole number from 0',
    });
    expect(Object.keys(faults(answer))).to.include.members([
      'http.assertions.3.comparison',
      'http.assertions.4.source',
    ]);
    const withTarget = (target: string) =>
      service.call('POST', BASE, {
        headers: { 'content-type': 'application/json' },
        body: `{"url":"${URL_OF_SHOP}","http":{"assertions":[{"source":"json","property":"$.id","comparison":"equals","target":${target}}]}}`,
      });
    const target = '9007199254740993';
    const rounded = await withTarget(target);
    expect([rounded.status, rounded.json.error]).to.deep.equal([400, 'invalid_json']);
    expect(rounded.json.message).to.contain(target);
    expect(Object.keys(faults(await withTarget('1e400'))), 'infinite').to.deep.equal(['http.assertions.0.target']);
    const many = await post({ url: URL_OF_SHOP, http: { assertions: Array.from({ length: 21 }, () => right) } });
    expect(Object.keys(faults(many))).to.deep.equal(['http.assertions']);
  });

  it('are found by all of the tags that are named, by name, health, type and group, page by page', async () => {
    const shop = await create({ name: 'shop', tags: ['Team:Web', 'env:prod', 'team:web'] });
    const api = await create({ name: 'API', tags: ['team:web'], monitoringStatus: 'paused' });
    const cert = await create({ name: 'Certificate', monitorTypes: ['SslCertificate'], tags: ['env:prod'] });
    expect(shop['tags']).to.deep.equal(['env:prod', 'team:web']);
    const names = async (query: string) => {
      const { json } = await service.call('GET', `${BASE}?${query}`);
      return (json as unknown as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('tag=team:web&sort=name')).to.deep.equal(['API', 'shop']);
    expect(await names('tag=TEAM:WEB&tag=%20env:prod')).to.deep.equal(['shop']);
    expect(await names('sort=name')).to.deep.equal(['API', 'Certificate', 'shop']);
    expect(await names('sort=health'), 'those that are paused last').to.deep.equal(['Certificate', 'shop', 'API']);
    const later = await create({ name: 'Later', monitorTypes: ['SslCertificate'] });
    await test.database.transaction(async (tx) => {
      for (const [{ id }, days, minutes] of [
        [cert, 30, 1],
        [later, 60, 9],
      ] as const) {
        const at = new Date(NOON - minutes * 60_000);
        await tx.query(
          `INSERT INTO last_answer (monitor_key, kind, region, target, checked_at, started_at, answered_at, answer)
           SELECT key, 2, 1, url, $2, $2, $2, $3 FROM monitor WHERE id = $1`,
          [id, at, JSON.stringify({ validTo: new Date(NOON + days * 86_400_000).toISOString() })],
        );
        await tx.query(
          `INSERT INTO series (monitor_key, counts_from, fresh_until, last_started_at, kind, region, alert_after, recover_after)
           SELECT key, $2, $2, $2, 2, 1, 1, 1 FROM monitor WHERE id = $1`,
          [id, at],
        );
      }
    });
    expect((await names('sort=certificate')).slice(0, 2)).to.deep.equal(['Certificate', 'Later']);
    expect((await names('sort=lastChecked')).slice(0, 2)).to.deep.equal(['Later', 'Certificate']);
    expect(await names('monitorType=SslCertificate&sort=name')).to.deep.equal(['Certificate', 'Later']);
    expect(await names('healthStatus=unknown&monitoringStatus=paused')).to.deep.equal(['API']);
    expect(await names('healthStatus=available')).to.deep.equal([]);
    expect(await names('search=CERT')).to.deep.equal(['Certificate']);
    expect(await names(`serviceGroupId=${newId(NOON)}`)).to.deep.equal([]);
    const page = await service.call('GET', `${BASE}?tag=env:prod&sort=name&pageSize=1&page=2`);
    expect(page.headers.get('x-total-count')).to.equal('2');
    expect(page.headers.get('link'))
      .to.include('tag=env%3Aprod')
      .and.to.include('sort=name')
      .and.not.to.include('rel="next"');
    expect(page.json).to.have.nested.property('[0].id', shop.id);
    expect((await put(cert.id, { name: 'Renamed' })).json['tags'], 'is kept').to.deep.equal(['env:prod']);
    expect((await put(cert.id, { tags: ['b', 'A', 'b'] })).json['tags'], 'is replaced').to.deep.equal(['a', 'b']);
    const refused = await service.call(
      'GET',
      `${BASE}?tag=a%20b&healthStatus=ill&sort=url&monitorType=Smoke&serviceGroupId=x`,
    );
    expect(Object.keys(faults(refused))).to.have.members([
      'tag.0',
      'healthStatus',
      'sort',
      'monitorType',
      'serviceGroupId',
    ]);
    actor = await seedActor(test.database);
    expect(await names('tag=team:web'), 'in another workspace').to.deep.equal([]);
    expect((await service.call('GET', '/api/v1/tags')).json).to.deep.equal([]);
    expect(api.id).to.not.equal(shop.id);
  });

  it('are in the order of their last 24 hours, those of which nothing is known last in both directions', async () => {
    const figures = [
      ['none', 0, null, null],
      ['good', 0, 100, 90],
      ['down', 0, 0, null],
      ['slow', 0, 99.5, 2_000],
      ['alike', 0, 99.5, 90],
      ['old', 24, 50, 9_000],
    ] as const;
    const ids = new Map<string, string>();
    for (const [name, hours, uptime, p95] of figures) {
      const { id } = await create({ name });
      ids.set(name, id);
      await test.sql('INSERT INTO monitor_day SELECT key, $2, $3, $4 FROM monitor WHERE id = $1', [
        id,
        new Date(NOON - hours * 3_600_000),
        uptime,
        p95 && p95 * 1_000,
      ]);
    }
    ids.set('new', (await create({ name: 'new' })).id);
    /** Those that are alike are in the order of their ids. */
    const alike = (...names: string[]) => names.toSorted((a, b) => (ids.get(a)! < ids.get(b)! ? -1 : 1));
    type Listed = { name: string; lastDay: { uptimePercentage: number | null; p95: number | null } | null };
    const pages = async (sort: string) => {
      const listed: Listed[] = [];
      for (const page of [1, 2, 3, 4])
        listed.push(
          ...((await service.call('GET', `${BASE}?sort=${sort}&pageSize=2&page=${page}`)).json as unknown as Listed[]),
        );
      return listed;
    };
    const namesBy = async (sort: string) => (await pages(sort)).map(({ name }) => name);
    const [slow, unknown] = [alike('slow', 'alike'), alike('none', 'old', 'new')];
    expect(await namesBy('uptime')).to.deep.equal(['down', ...slow, 'good', ...unknown]);
    expect(await namesBy('-uptime')).to.deep.equal(['good', ...slow, 'down', ...unknown]);
    const [quick, without] = [alike('good', 'alike'), alike('none', 'down', 'old', 'new')];
    expect(await namesBy('p95')).to.deep.equal([...quick, 'slow', ...without]);
    expect(await namesBy('-p95')).to.deep.equal(['slow', ...quick, ...without]);
    const lastDays = Object.fromEntries((await pages('name')).map(({ name, lastDay }) => [name, lastDay]));
    const until = new Date(NOON).toISOString();
    expect(lastDays).to.deep.include({
      slow: { until, uptimePercentage: 99.5, p95: 2_000 },
      none: { until, uptimePercentage: null, p95: null },
      old: null,
      new: null,
    });
    actor = await seedActor(test.database);
    await create({ name: 'mine' });
    expect(await namesBy('uptime'), 'in another workspace').to.deep.equal(['mine']);
  });

  it('are refused with every fault at once', async () => {
    const answer = await post({
      url: 'http://me:pw@10.0.0.1/',
      name: '',
      checkInterval: 'PT10S',
      monitorTypes: ['TcpUdp', 'Dns', 'Smoke'],
      enabledRegions: ['northeurope'],
      http: { method: 'GET', body: 'x', headers: { Host: 'a', 'X-A': 'a\r\nb' } },
      intervall: 1,
    });
    expect(answer.status).to.equal(400);
    expect(answer.json.error).to.equal('validation_failed');
    expect(faults(answer)).to.include.keys(
      'url',
      'name',
      'checkInterval',
      'monitorTypes.2',
      'monitorTypes',
      'enabledRegions.0',
      'http.body',
      'http.headers.Host',
      'http.headers.X-A',
      'intervall',
    );
    expect(answer.text).to.contain('credentials').and.to.contain('10.0.0.1 is a private address');
  });

  it('are refused where a host name cannot be carried by DNS', async () => {
    const long = `${'a'.repeat(64)}.example`;
    const idn = `${'ü'.repeat(60)}.example`;
    for (const [body, path] of [
      [{ url: `https://${long}/` }, 'url'],
      [{ url: `https://${idn}/` }, 'url'],
      [{ url: `https://${'abcdefghi.'.repeat(26)}example/` }, 'url'],
      [{ url: `tcp://${idn}:22`, monitorTypes: ['TcpUdp'] }, 'url'],
      [{ url: long, monitorTypes: ['Dns'] }, 'url'],
      [{ url: 'shop.example', monitorTypes: ['Dns'], dns: { resolvers: [long] } }, 'dns.resolvers.0'],
    ] as const) {
      const answer = await post(body);
      expect(answer.status, JSON.stringify(body)).to.equal(400);
      expect(faults(answer)[path], JSON.stringify(body)).to.match(/octets/);
    }
    const { id } = await create();
    expect(faults(await put(id, { url: `https://${long}/` }))['url']).to.contain('63 octets');
    expect((await put(id, { url: `https://${'ü'.repeat(30)}.example/` })).status).to.equal(200);
  });

  it('are refused by the plan only after the body is in order', async () => {
    actor = await seedActor(test.database, { plan: 'Starter' });
    expect((await post({ url: 'x', monitorTypes: ['Latency'] })).status).to.equal(400);
    const feature = await post({ url: URL_OF_SHOP, monitorTypes: ['Latency'], checkTimeout: 'PT5S' });
    expect([feature.status, feature.json.error]).to.deep.equal([403, 'feature_not_in_plan']);
    expect(faults(feature)).to.have.all.keys('monitorTypes', 'checkTimeout');
    const limit = await post({ url: URL_OF_SHOP, enabledRegions: ['eastus2'] });
    expect([limit.status, limit.json.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    expect(limit.json.details![0]).to.include({
      path: 'enabledRegions',
      limit: 'extraRegions',
      value: 0,
      plan: 'Growth',
    });
  });

  it('need the scope and the role', async () => {
    const { id } = await create();
    role = 'Responder';
    for (const answer of [
      await post({ url: URL_OF_SHOP }),
      await put(id, {}),
      await service.call('DELETE', `${BASE}/${id}`),
    ]) {
      expect(answer.json.error).to.equal('insufficient_workspace_role');
    }
    role = 'Viewer';
    expect((await service.call('GET', BASE)).status).to.equal(200);
    role = 'Owner';
    scopes = ['monitor.read'];
    expect((await service.call('GET', `${BASE}/${id}`)).status).to.equal(200);
    expect((await put(id, { name: 'x' })).json.error).to.equal('insufficient_scope');
    scopes = ['monitor.write'];
    expect((await put(id, { name: 'x' })).status).to.equal(200);
    scopes = ['incident.read'];
    expect((await service.call('GET', BASE)).json.error).to.equal('insufficient_scope');
  });

  it('are changed only as they were read; results change neither the tag nor what may be cached', async () => {
    const { id } = await create();
    const first = await service.call('GET', `${BASE}/${id}`);
    const tag = first.headers.get('etag')!;
    await test.sql(
      `INSERT INTO monitor_state (monitor_key, workspace_id, health_status, verdict_since)
         SELECT key, workspace_id, 'available', now() FROM monitor WHERE id = $1`,
      [id],
    );
    const second = await service.call('GET', `${BASE}/${id}`, { headers: { 'if-none-match': tag } });
    expect(second.status).to.equal(200);
    expect(second.json['healthStatus']).to.equal('available');
    expect(second.headers.get('etag')).to.equal(tag);
    const renamed = await put(id, { name: 'One' }, { 'if-match': tag });
    expect(renamed.status).to.equal(200);
    expect((await put(id, { name: 'Two' }, { 'if-match': tag })).json.error).to.equal('precondition_failed');
    expect((await service.call('DELETE', `${BASE}/${id}`, { headers: { 'if-match': tag } })).status).to.equal(412);
    const current = renamed.headers.get('etag')!;
    expect((await put(id, { name: 'One' }, { 'if-match': current })).headers.get('etag')).to.equal(current);
    expect((await service.call('DELETE', `${BASE}/${id}`, { headers: { 'if-match': current } })).status).to.equal(204);
  });

  it('are created once, however often the same key is sent', async () => {
    const headers = { 'idempotency-key': newId(NOON) };
    const [one, two] = await Promise.all(
      [1, 2].map(() => service.call('POST', BASE, { json: { url: URL_OF_SHOP }, headers })),
    );
    expect(two!.json).to.deep.equal(one!.json);
    expect((await service.call('GET', BASE)).headers.get('x-total-count')).to.equal('1');
  });

  it('answer hostile bodies with what is wrong, never with a failure of their own', async () => {
    const { id } = await create();
    const bodies: unknown[] = [
      [],
      'x',
      7,
      true,
      { url: null },
      { url: {} },
      { url: 'x'.repeat(5_000) },
      { url: 'http://[::1' },
      { url: 'http://\u0000/' },
      { url: 'https://a\u202e.example/', name: 1 },
      { url: URL_OF_SHOP, http: [] },
      {
        url: URL_OF_SHOP,
        http: { headers: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`h${i}`, 'v'])) },
      },
      { url: URL_OF_SHOP, monitorTypes: Array.from({ length: 10_000 }, () => 'HttpAvailability') },
      { url: URL_OF_SHOP, id },
      { url: URL_OF_SHOP, workspaceId: id },
      { url: URL_OF_SHOP, healthStatus: 'available' },
      { url: URL_OF_SHOP, checkInterval: `PT${'9'.repeat(300)}S` },
      { url: URL_OF_SHOP, name: '\ud800' },
      { url: URL_OF_SHOP, http: { expectedStatusCodes: [Number.MAX_VALUE, -1, '200-', {}] } },
      { url: URL_OF_SHOP, reporting: { __proto__: { x: 1 }, dailyReport: 1 } },
      JSON.parse(`{"url":"${URL_OF_SHOP}","__proto__":{"x":1}}`),
      JSON.parse(`{"url":"${URL_OF_SHOP}","http":{"headers":{"__proto__":"x"}}}`),
    ];
    for (const body of bodies) {
      for (const answer of [await post(body), await put(id, body)]) {
        expect(answer.status, `${JSON.stringify(body).slice(0, 100)} ${answer.text.slice(0, 200)}`).to.equal(400);
        expect(answer.json.error).to.be.oneOf(['validation_failed', 'invalid_json']);
      }
    }
    for (const query of [
      'page=0',
      'page=x',
      'pageSize=0',
      'status=up',
      'monitoringStatus=Enabled',
      'nope=1',
      'search=',
      `name=${'x'.repeat(201)}`,
    ]) {
      expect((await service.call('GET', `${BASE}?${query}`)).status, query).to.equal(400);
    }
    expect((await service.call('GET', `${BASE}?pageSize=1000&page=999999`)).status).to.equal(200);
  });

  it('are described with every field, default and rule', async () => {
    const document = (await service.call('GET', '/swagger/v1/swagger.json', { token: null })).json as unknown as {
      paths: Record<string, Record<string, unknown>>;
      components: {
        schemas: Record<string, { properties: Record<string, Record<string, unknown>>; required?: string[] }>;
      };
    };
    expect(document.paths[BASE]).to.have.all.keys('get', 'post');
    expect(document.paths[`${BASE}/{id}`]).to.have.all.keys('get', 'put', 'delete');
    const { MonitorCreate, MonitorUpdate, Monitor, MonitorHttpInput } = document.components.schemas;
    // Heartbeats have none.
    expect(MonitorCreate!.required ?? []).to.deep.equal([]);
    expect(MonitorUpdate!.required ?? []).to.deep.equal([]);
    for (const [name, field] of Object.entries({ ...MonitorCreate!.properties, ...MonitorHttpInput!.properties })) {
      expect(field['description'] ?? field['$ref'] ?? field['allOf'], name).to.not.equal(undefined);
    }
    expect(MonitorCreate!.properties['checkInterval']).to.include({ default: 'PT5M', type: 'string' });
    // a client that fills in defaults must not reset what a change does not name
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (/^Monitor.*(Update|Change)$/.test(name)) expect(JSON.stringify(schema), name).to.not.contain('"default"');
    }
    expect(Monitor!.required).to.include.members(['regions', 'nextCheck', 'planRestricted', 'sslStatus']);
  });
});
