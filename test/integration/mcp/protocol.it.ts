import { request } from 'node:http';
import { expect } from 'chai';
import { RpcClient } from './rpc-client.js';
import { appForSuite } from '../../support/suite.js';

const TOOLS = [
  'list_all_incidents',
  'list_open_incidents',
  'get_incident',
  'get_incident_notes',
  'acknowledge_incident',
  'close_incident',
  'add_incident_note',
  'list_monitors',
  'get_monitor',
  'get_monitor_uptime',
  'list_maintenance_windows',
  'check_http_availability_latency',
  'diagnose_incident',
  'get_timeline',
  'who_is_on_call',
  'get_schedule',
  'list_escalation_policies',
  'list_changes',
  'get_deliveries',
  'list_status_pages',
  'run_check',
  'silence_monitor',
  'create_maintenance_window',
  'change_monitors',
  'draft_status_post',
  'publish_status_post',
  'plan_config',
  'apply_config',
];
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const rpc = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });

describe('The MCP endpoint', () => {
  const app = appForSuite();
  let client: RpcClient;
  before(async () => {
    client = new RpcClient(app.baseUrl, { token: await app.token(app.owner.sub) });
  });
  afterEach(() => expect(app.warnings).to.deep.equal([]));

  describe('initialize', () => {
    for (const version of VERSIONS) {
      it(`answers ${version} to a client that asks for it, with what this revision has`, async () => {
        const { status, headers, body } = await new RpcClient(app.baseUrl).initialize(version);
        expect(status).to.equal(200);
        expect(headers.get('content-type')).to.match(/^application\/json/);
        expect(headers.get('mcp-session-id')).to.be.a('string');
        expect(body.result.protocolVersion).to.equal(version);
        const later = version >= '2025-06-18' ? { resources: {}, prompts: {} } : {};
        expect(body.result.capabilities).to.deep.equal({ tools: {}, ...later });
        expect(body.result.serverInfo).to.include({ name: 'watchpost' });
        expect(body.result.instructions).to.include('never instructions');
      });
    }

    it('answers the latest to a client from the future, or that never was', async () => {
      for (const version of ['2099-01-01', '1.0', '__proto__'])
        expect((await new RpcClient(app.baseUrl).initialize(version)).body.result.protocolVersion).to.equal(
          '2025-11-25',
        );
    });

    it('without what it needs is -32602, and begins no session', async () => {
      const complete = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
      for (const [field, value] of [
        ['protocolVersion', undefined],
        ['protocolVersion', 5],
        ['capabilities', 'none'],
        ['clientInfo', { name: 'a' }],
        ['clientInfo', null],
      ] as const) {
        const { body, headers } = await client.call('initialize', { ...complete, [field]: value });
        expect(body.error?.code, JSON.stringify([field, value])).to.equal(-32602);
        expect(headers.get('mcp-session-id')).to.equal(null);
      }
    });
  });

  describe('tools/list', () => {
    it('names all tools, each with its own description, with every argument described', async () => {
      const recent = new RpcClient(app.baseUrl);
      await recent.initialize('2025-11-25');
      const { tools } = (await recent.call('tools/list')).body.result;
      expect(tools.map(({ name }: { name: string }) => name))
        .to.have.members(TOOLS)
        .and.have.length(TOOLS.length);
      for (const tool of tools) {
        expect(tool.title, tool.name).to.be.a('string');
        expect(tool.description.length, tool.name).to.be.within(120, 700);
        expect(tool.inputSchema).to.include({ type: 'object', additionalProperties: false });
        for (const [name, argument] of Object.entries<{ description?: string }>(tool.inputSchema.properties))
          expect(argument.description, `${tool.name}.${name}`).to.be.a('string').with.length.above(10);
        expect(tool.outputSchema.type, tool.name).to.equal('object');
        expect(JSON.stringify(tool), tool.name).to.not.match(/\$ref|"type":\[|"additionalProperties":\{\}/);
      }
      // Assistants read all of it in each conversation. Steps of checks and their results are 5 kB of it, sign-ins and assertions not repeated; each type of monitor has settings of its own. A diagnosis is 6 kB, and takes the place of seven other calls. The tools that do the work of a route add 13 kB, and list no fields of their results; of a change of many monitors, 2 kB, only what is asked most.
      expect(JSON.stringify(tools).length).to.be.below(87_500);
    });

    it('is honest about what each tool does', async () => {
      const { tools } = (await client.call('tools/list')).body.result;
      const hints = Object.fromEntries(
        tools.map(({ name, annotations }: { name: string; annotations: Record<string, boolean> }) => [
          name,
          ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].filter((hint) => annotations[hint]),
        ]),
      );
      const reading = ['readOnlyHint', 'idempotentHint'];
      expect(hints).to.deep.equal({
        ...Object.fromEntries(TOOLS.map((name) => [name, reading])),
        acknowledge_incident: ['idempotentHint'],
        close_incident: ['destructiveHint'],
        add_incident_note: [],
        check_http_availability_latency: [...reading, 'openWorldHint'],
        diagnose_incident: [...reading, 'openWorldHint'],
        run_check: ['idempotentHint', 'openWorldHint'],
        silence_monitor: [],
        create_maintenance_window: [],
        change_monitors: ['destructiveHint', 'idempotentHint'],
        publish_status_post: ['openWorldHint'],
        apply_config: ['destructiveHint', 'idempotentHint'],
      });
    });

    it('gives old clients no output schema, since their results have no structured content', async () => {
      for (const version of VERSIONS) {
        const session = new RpcClient(app.baseUrl);
        await session.initialize(version);
        const { tools } = (await session.call('tools/list')).body.result;
        expect('outputSchema' in tools[0], version).to.equal(version >= '2025-06-18');
      }
    });

    it('has one page', async () => {
      expect((await client.call('tools/list', {})).body.result).to.not.have.property('nextCursor');
      expect((await client.call('tools/list', { cursor: 'x' })).body.error.code).to.equal(-32602);
    });
  });

  describe('a body that is no message', () => {
    const cases: [string, string, number, number][] = [
      ['nothing', '', 400, -32700],
      ['no JSON', '{"jsonrpc":', 400, -32700],
      ['JSON that ends in the middle of a character', '\ud800', 400, -32700],
      ['a key twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
      [
        'a tool with an integer that would be rounded',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_monitors","arguments":{"page":9007199254740993}}}',
        400,
        -32700,
      ],
      ['a depth of thousands', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400, -32700],
      ['a number', '42', 400, -32600],
      ['null', 'null', 400, -32600],
      ['text', '"ping"', 400, -32600],
      ['an empty object', '{}', 400, -32600],
      ['an empty batch', '[]', 400, -32600],
      ['JSON-RPC 1.0', '{"id":1,"method":"ping"}', 400, -32600],
      ['another JSON-RPC', '{"jsonrpc":"3.0","id":1,"method":"ping"}', 400, -32600],
      ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":5}', 400, -32600],
      ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
      ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
      ['parameters by position', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 400, -32602],
      ['parameters that are text', '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', 400, -32602],
    ];
    for (const [name, body, status, code] of cases) {
      it(`${name}: ${status} with ${code}`, async () => {
        const answer = await client.post(body);
        expect([answer.status, answer.body.error.code]).to.deep.equal([status, code]);
        expect(answer.body.jsonrpc).to.equal('2.0');
        expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      });
    }

    it('is answered with the id that it has', async () => {
      const { body } = await client.post('{"jsonrpc":"1.0","id":"mine","method":"ping"}');
      expect(body.id).to.equal('mine');
    });
  });

  it('answers a method that it does not have with -32601, whatever its name', async () => {
    for (const method of [
      'resources/list',
      'prompts/list',
      'logging/setLevel',
      'tasks/list',
      '__proto__',
      'constructor',
      '',
      'x'.repeat(5_000),
    ]) {
      const { status, body } = await client.call(method);
      expect([status, body.error.code], method.slice(0, 30)).to.deep.equal([200, -32601]);
    }
    expect((await client.call('ping')).body.result).to.deep.equal({});
  });

  it('answers a tool that it does not have, and arguments that do not fit, with -32602', async () => {
    const id = '0190b1e6-0000-7000-8000-000000000000';
    const cases: [unknown, string][] = [
      [{ name: 'nothing' }, 'tools/list'],
      [{ name: '__proto__' }, 'tools/list'],
      [{ name: 'constructor', arguments: {} }, 'tools/list'],
      [{}, 'name'],
      [{ name: 5 }, 'name'],
      [{ name: { toString: 1, valueOf: 1 } }, 'name'],
      [{ name: ['list_monitors'] }, 'name'],
      [{ name: 'list_monitors', arguments: [] }, 'arguments'],
      [{ name: 'list_monitors', arguments: 'x' }, 'arguments'],
      [{ name: 'list_monitors', arguments: { satus: 'available' } }, 'satus is not an argument of this tool'],
      [{ name: 'list_monitors', arguments: { status: 'down' } }, 'status must be one of available'],
      [{ name: 'list_monitors', arguments: { page: 0, pageSize: 1.5 } }, 'page must be at least 1; pageSize'],
      [{ name: 'get_incident' }, 'incidentId is required'],
      [{ name: 'get_incident', arguments: { incidentId: 'x' } }, 'incidentId must be a UUID'],
      [{ name: 'get_monitor_uptime', arguments: { monitorId: id, daysBack: 366 } }, 'daysBack must be at most 365'],
      [{ name: 'add_incident_note', arguments: { incidentId: id, note: '' } }, 'note must not be empty'],
      [{ name: 'add_incident_note', arguments: { incidentId: id, note: 'a\0b' } }, 'note must not hold NUL'],
      [
        {
          name: 'list_all_incidents',
          arguments: { startDate: '2026-01-02T00:00:00Z', endDate: '2026-01-01T00:00:00Z' },
        },
        'endDate must be later',
      ],
      [{ name: 'list_all_incidents', arguments: { maxResults: 501 } }, 'maxResults must be at most 500'],
      [
        { name: 'list_all_incidents', arguments: { startDate: 'yesterday', endDate: '2026-01-01T00:00:00Z' } },
        'must be an ISO 8601 time with a zone, like 2026-11-21T08:30:00Z.',
      ],
      [{ name: 'plan_config', arguments: { document: 'x' } }, 'Correct the fields of the document: must be an object.'],
      [{ name: 'plan_config', arguments: { document: '[' } }, 'Correct the syntax of the document. document is not'],
      [
        {
          name: 'create_maintenance_window',
          arguments: {
            name: 'Long',
            startsAt: '2028-02-29T02:00',
            duration: 'PT25H',
            recurrence: 'FREQ=DAILY',
            scope: { all: true },
          },
        },
        'Correct the fields: duration must not be longer than the time between two occurrences.',
      ],
      [{ name: 'check_http_availability_latency', arguments: { url: 'ftp://example.com' } }, 'url must be an http'],
      [{ name: 'check_http_availability_latency', arguments: { url: 'http://10.0.0.1/' } }, 'PUBLIC_CHECK_ALLOW_CIDRS'],
      [
        { name: 'check_http_availability_latency', arguments: { url: 'http://169.254.169.254/' } },
        'url must be reachable',
      ],
      [{ name: 'check_http_availability_latency', arguments: { url: 'http://localhost/' } }, 'url must be reachable'],
      [{ name: 'check_http_availability_latency', arguments: { url: 'https://u:p@example.com/' } }, 'credentials'],
      [
        { name: 'check_http_availability_latency', arguments: { url: 'https://example.com/', method: 'POST' } },
        'method must be one of GET, HEAD',
      ],
    ];
    for (const [params, expected] of cases) {
      const { status, body } = await client.call('tools/call', params);
      expect([status, body.error?.code], JSON.stringify([params, body])).to.deep.equal([200, -32602]);
      expect(body.error.message, JSON.stringify(params)).to.include(expected);
    }
  });

  it('refuses arguments with the names of prototypes, and is none the worse for it', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const { body } = await client.post(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_monitors","arguments":{"${name}":{"polluted":true}}}}`,
      );
      expect(body.error.code, name).to.equal(-32602);
    }
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('passes over what a client of another protocol adds', async () => {
    const { body } = await client.call('tools/call', {
      name: 'list_monitors',
      arguments: {},
      task: { ttl: 60_000 },
      _meta: { progressToken: 'p', 'io.modelcontextprotocol/related-task': { taskId: 't' } },
    });
    expect(body.result.content).to.have.length(1);
  });

  it('takes notifications and answers of the client with 202 and nothing', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', method: 'notifications/unheard-of' },
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'no' } },
    ]) {
      const { status, body } = await client.post(message);
      expect([status, body], JSON.stringify(message)).to.deep.equal([202, '']);
    }
  });

  describe('a batch', () => {
    const pings = (count: number) => Array.from({ length: count }, (_, index) => rpc(index, 'ping'));

    it('is answered message by message, in order, up to 2025-03-26', async () => {
      for (const version of ['2024-11-05', '2025-03-26']) {
        const session = new RpcClient(app.baseUrl, { token: await app.token(app.owner.sub) });
        await session.initialize(version);
        const { status, body } = await session.post([
          rpc('a', 'ping'),
          { jsonrpc: '2.0', method: 'notifications/initialized' },
          { bogus: true },
          rpc('b', 'tools/call', { name: 'list_monitors' }),
          rpc('c', 'nowhere'),
        ]);
        expect(status).to.equal(200);
        expect(body.map(({ id, error }: { id: unknown; error?: { code: number } }) => [id, error?.code])).to.deep.equal(
          [
            ['a', undefined],
            [null, -32600],
            ['b', undefined],
            ['c', -32601],
          ],
        );
      }
    });

    it('of later protocols is refused', async () => {
      const session = new RpcClient(app.baseUrl);
      await session.initialize('2025-06-18');
      const { status, body } = await session.post(pings(2));
      expect([status, body.error.code]).to.deep.equal([400, -32600]);
    });

    it('whose messages have one id, or cancel each other, is answered all the same', async () => {
      const { status, body } = await client.post([
        rpc(1, 'ping'),
        rpc(1, 'tools/list'),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
        rpc(1, 'ping'),
      ]);
      expect([status, body.length]).to.deep.equal([200, 3]);
    });

    it('has at most 50 messages', async () => {
      expect((await client.post(pings(50))).body).to.have.length(50);
      const { status, body } = await client.post(pings(51));
      expect([status, body.error.code]).to.deep.equal([400, -32600]);
    });

    it('of notifications alone is answered with 202, of nonsense alone with 400', async () => {
      expect((await client.post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).to.equal(202);
      expect((await client.post([1, null])).status).to.equal(400);
    });

    it('does not begin a session', async () => {
      const initialize = rpc(1, 'initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      });
      const { status, body, headers } = await client.post([initialize]);
      expect([status, body.error.code, headers.get('mcp-session-id')]).to.deep.equal([400, -32600, null]);
    });
  });

  describe('over HTTP', () => {
    const ping = JSON.stringify(rpc(1, 'ping'));

    it('answers JSON to clients that accept it, an event to clients that accept only those, and 406 to others', async () => {
      for (const accept of ['application/json', '*/*', 'application/*', 'text/event-stream, application/json']) {
        const { status, body } = await client.request('POST', ping, { accept });
        expect([status, body.result], accept).to.deep.equal([200, {}]);
      }
      const event = await client.request('POST', ping, { accept: 'text/event-stream' });
      expect(event.headers.get('content-type')).to.match(/^text\/event-stream/);
      expect(event.body).to.equal('event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}\n\n');
      const refused = await client.request('POST', ping, { accept: 'text/html' });
      expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
        406,
        'application/json; charset=utf-8',
      ]);
    });

    it('takes JSON in UTF-8 of at most 1 MiB', async () => {
      expect((await client.request('POST', ping, { 'content-type': 'text/plain' })).status).to.equal(415);
      expect(
        (await client.request('POST', ping, { 'content-type': 'application/json; charset=utf-8' })).status,
      ).to.equal(200);
      const huge = await client.call('tools/call', {
        name: 'list_monitors',
        arguments: { status: 'x'.repeat(1_100_000) },
      });
      expect([huge.status, huge.body.error.code]).to.deep.equal([413, -32000]);
      const large = await client.call('tools/call', {
        name: 'list_monitors',
        arguments: { status: 'x'.repeat(900_000) },
      });
      expect([large.status, large.body.error.code]).to.deep.equal([200, -32602]);
      expect(JSON.stringify(large.body).length).to.be.below(2_000);
      const wide = (keys: number) =>
        client.call('tools/call', {
          name: 'list_monitors',
          arguments: Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index])),
        });
      const many = await wide(9_000);
      expect([many.status, many.body.error.code]).to.deep.equal([200, -32602]);
      expect(JSON.stringify(many.body).length).to.be.below(20_000);
      const tooMany = await wide(20_000);
      expect([tooMany.status, tooMany.body.error.code]).to.deep.equal([400, -32700]);
      expect(tooMany.body.error.message).to.match(/more than 10000 entries/);
    });

    it('checks the version that is named', async () => {
      for (const version of VERSIONS)
        expect((await client.request('POST', ping, { 'mcp-protocol-version': version })).status, version).to.equal(200);
      for (const version of ['2099-01-01', 'latest', '2024-10-07']) {
        const { status, body } = await client.request('POST', ping, { 'mcp-protocol-version': version });
        expect([status, body.error.code], version).to.deep.equal([400, -32000]);
      }
    });

    it('refuses pages of foreign origins', async () => {
      const refused = await client.request('POST', ping, { origin: 'https://evil.example' });
      expect([refused.status, refused.body.error.code]).to.deep.equal([403, -32000]);
      expect((await client.request('POST', ping, { origin: app.baseUrl })).status).to.equal(200);
    });

    it('has no other methods', async () => {
      for (const method of ['PUT', 'PATCH']) {
        const { status, headers } = await client.request(method, ping);
        expect([status, headers.get('allow')], method).to.deep.equal([405, 'DELETE, GET, OPTIONS, POST']);
      }
      expect((await client.request('OPTIONS')).status).to.equal(204);
    });

    it('survives a caller who hangs up in the middle of the body', async () => {
      await new Promise<void>((resolve) => {
        const sent = request(`${app.baseUrl}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': '1000' },
        });
        sent.once('error', () => resolve());
        sent.write('{"jsonrpc"', () => sent.destroy(new Error('gone')));
      });
      expect((await client.call('ping')).status).to.equal(200);
    });
  });
});
