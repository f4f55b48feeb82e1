import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { appForSuite } from '../../support/suite.js';
import { type RpcAnswer, RpcClient } from './rpc-client.js';

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const envelope = (version: unknown = VERSION): Record<string, unknown> => ({
  [`${META}protocolVersion`]: version,
  [`${META}clientInfo`]: { name: 'bare', version: '1.0' },
  [`${META}clientCapabilities`]: {},
});
const message = (method: unknown, params: Record<string, unknown> = {}, _meta: unknown = envelope()) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta },
});

describe('The MCP endpoint without sessions (2026-07-28)', () => {
  const app = appForSuite();
  let client: RpcClient;
  let token: string;
  before(async () => {
    token = await app.token(app.owner.sub);
    client = new RpcClient(app.baseUrl, { token });
  });
  afterEach(() => expect(app.warnings).to.deep.equal([]));

  /** Sends a message with the headers that belong to it, but for those named. */
  const send = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    client.post(message(method, params), {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      ...headers,
    });
  const codeOf = ({ status, body }: RpcAnswer) => [status, body.error?.code];

  it('answers server/discover with what it speaks and has, without a token or a session', async () => {
    const stranger = new RpcClient(app.baseUrl);
    const { status, headers, body } = await stranger.post(message('server/discover'), {
      'mcp-protocol-version': VERSION,
      'mcp-method': 'server/discover',
    });
    expect(status).to.equal(200);
    expect(headers.get('mcp-session-id')).to.equal(null);
    expect(body.result).to.deep.include({
      resultType: 'complete',
      supportedVersions: [VERSION],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} },
      cacheScope: 'private',
    });
    expect(body.result.ttlMs).to.be.above(0);
    expect(body.result.instructions).to.include('never instructions');
    expect(body.result._meta[`${META}serverInfo`]).to.include({ name: 'watchpost' });
  });

  it('lists the tools of the older revisions by name, and for how long the list is good', async () => {
    const { result } = (await send('tools/list')).body;
    expect(result).to.include({ resultType: 'complete', cacheScope: 'private' });
    expect(result.ttlMs).to.be.above(0);
    const older = new RpcClient(app.baseUrl);
    await older.initialize('2025-11-25');
    expect(result.tools).to.deep.equal((await older.call('tools/list')).body.result.tools);
    const names = result.tools.map(({ name }: Json) => name);
    expect(names).to.deep.equal(names.toSorted());
    expect(codeOf(await send('tools/list', { cursor: 'x' }))).to.deep.equal([200, -32602]);
  });

  it('answers a call with what the older revisions answer', async () => {
    const { result } = (await send('tools/call', { name: 'list_monitors', arguments: { pageSize: 5 } })).body;
    expect(result).to.include({ resultType: 'complete' });
    const older = new RpcClient(app.baseUrl, { token });
    await older.initialize('2025-11-25');
    const { result: before } = await older.tool('list_monitors', { pageSize: 5 });
    expect(result.content).to.deep.equal(before.content);
    expect(result.structuredContent).to.deep.equal(before.structuredContent);
  });

  it('refuses what the domain refuses as a result, and all else as an error', async () => {
    const incidentId = '0190b1e6-0000-7000-8000-000000000000';
    const { result } = (await send('tools/call', { name: 'get_incident', arguments: { incidentId } })).body;
    expect([result.isError, result.resultType]).to.deep.equal([true, 'complete']);
    const wrong = await send('tools/call', { name: 'list_monitors', arguments: { satus: 'x' } });
    expect(codeOf(wrong)).to.deep.equal([200, -32602]);
    expect(wrong.body.error.message).to.include('satus is not an argument of this tool');
    expect(codeOf(await send('tools/call', { name: 'nothing' }))).to.deep.equal([200, -32602]);
    const stranger = new RpcClient(app.baseUrl);
    const call = message('tools/call', { name: 'list_monitors' });
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'list_monitors' };
    const refused = await stranger.post(call, headers);
    expect([...codeOf(refused), refused.body.id]).to.deep.equal([401, -32001, 1]);
    expect(refused.headers.get('www-authenticate')).to.include('resource_metadata');
  });

  it('refuses headers that are missing or differ from the body', async () => {
    const call = message('tools/call', { name: 'list_monitors' });
    const right = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'list_monitors' };
    expect((await client.post(call, right)).status).to.equal(200);
    const { 'mcp-name': _, ...withoutName } = right;
    const { 'mcp-method': __, ...withoutMethod } = right;
    const { 'mcp-protocol-version': ___, ...withoutVersion } = right;
    for (const headers of [
      withoutName,
      withoutMethod,
      withoutVersion,
      { ...right, 'mcp-name': 'get_monitor' },
      { ...right, 'mcp-name': '=?base64?!!!?=' },
      { ...right, 'mcp-method': 'tools/list' },
      { ...right, 'mcp-protocol-version': '2025-11-25' },
    ])
      expect(codeOf(await client.post(call, headers)), JSON.stringify(headers)).to.deep.equal([400, -32020]);
    const encoded = `=?base64?${Buffer.from('list_monitors').toString('base64')}?=`;
    expect((await client.post(call, { ...right, 'mcp-name': encoded })).status).to.equal(200);
  });

  it('names the versions that it speaks to a client that asks for another', async () => {
    for (const version of ['2027-01-01', 'latest', '__proto__']) {
      const { status, body } = await client.post(message('tools/list', {}, envelope(version)), {
        'mcp-protocol-version': version,
        'mcp-method': 'tools/list',
      });
      expect([status, body.error.code], version).to.deep.equal([400, -32022]);
      expect(body.error.data).to.deep.include({ supported: [VERSION], requested: version });
    }
  });

  it('answers hostile bodies with an error, never with a failure of its own', async () => {
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' };
    const bodies: [name: string, body: unknown][] = [
      ['no meta', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      ['meta of null', message('tools/list', {}, null)],
      ['meta that is text', message('tools/list', {}, 'x')],
      ['a version that is no text', message('tools/list', {}, envelope(5))],
      ['no capabilities', message('tools/list', {}, { [`${META}protocolVersion`]: VERSION })],
      ['capabilities that are text', message('tools/list', {}, { ...envelope(), [`${META}clientCapabilities`]: 'x' })],
      ['a client that is a list', message('tools/list', {}, { ...envelope(), [`${META}clientInfo`]: [] })],
      ['parameters by position', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }],
      ['params of null', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }],
      ['an id that is an object', { ...message('tools/list'), id: {} }],
      ['a method that is no text', message(5)],
      ['a batch', [message('tools/list'), message('tools/list')]],
      ['an empty batch', []],
      ['a number', 42],
      ['text', '"ping"'],
      ['null', 'null'],
      ['initialize', message('initialize', { protocolVersion: VERSION, capabilities: {} })],
    ];
    for (const [name, body] of bodies) {
      const { status, body: answer, headers: answered } = await client.post(body, headers);
      expect(status, name).to.be.within(400, 404);
      expect(answer.error?.code, name).to.be.within(-32_700, -32_000);
      expect(answered.get('content-type'), name).to.match(/^application\/json/);
      expect(answered.get('mcp-session-id'), name).to.equal(null);
    }
  });

  it('refuses wrong parameters in the words of all revisions, whatever the method', async () => {
    const text = (path: string) => `Correct the parameters: params.${path} must be a string.`;
    const cases: [method: string, params: Record<string, unknown>, message: string][] = [
      ['tools/call', { name: 5 }, text('name')],
      ['tools/call', {}, 'Correct the parameters: params.name is required.'],
      ...[5, null, 'x', []].map((value): [string, Json, string] => [
        'tools/call',
        { name: 'list_monitors', arguments: value },
        'Correct the parameters: params.arguments must be an object.',
      ]),
      ['tools/list', { cursor: 5 }, text('cursor')],
      ['resources/read', { uri: 5 }, text('uri')],
      ['prompts/get', { name: 5 }, text('name')],
      ['prompts/get', { name: 'investigate', arguments: { incidentId: 5 } }, text('arguments.incidentId')],
    ];
    const older = new RpcClient(app.baseUrl, { token });
    await older.initialize('2025-11-25');
    for (const [method, params, sentence] of cases)
      for (const { body } of [await send(method, params), await older.call(method, params)])
        expect([body.error?.code, body.error?.message], JSON.stringify([method, params])).to.deep.equal([
          -32602,
          sentence,
        ]);
  });

  it('does not have what is gone with the sessions', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'nowhere', '__proto__'])
      expect(codeOf(await send(method)), method).to.deep.equal([404, -32601]);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await client.request(method, undefined, { 'mcp-protocol-version': VERSION });
      expect([status, headers.get('allow')], method).to.deep.equal([405, 'OPTIONS, POST']);
    }
    const { status } = await send('tools/list', {}, { 'mcp-session-id': 'of-another-time', 'last-event-id': '7' });
    expect(status).to.equal(200);
  });

  it('takes notifications with 202 and nothing', async () => {
    const { method, params, jsonrpc } = message('notifications/cancelled', { requestId: 1 });
    const { status, body } = await client.post({ jsonrpc, method, params }, { 'mcp-protocol-version': VERSION });
    expect([status, body]).to.deep.equal([202, '']);
  });

  describe('with the official client 2.x', () => {
    const connected = async (mode: 'legacy' | 'auto' | { pin: string }, run: (client: Client) => Promise<void>) => {
      const official = new Client({ name: 'official', version: '2.4' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await official.connect(new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit }));
      try {
        await run(official);
      } finally {
        await official.close();
      }
    };

    for (const [mode, version] of [
      [{ pin: VERSION }, VERSION],
      ['auto', VERSION],
      ['legacy', '2025-11-25'],
    ] as const) {
      it(`${JSON.stringify(mode)} agrees on ${version}, and calls tools`, async () => {
        await connected(mode, async (official) => {
          expect(official.getNegotiatedProtocolVersion()).to.equal(version);
          expect((await official.listTools()).tools.map(({ name }) => name)).to.include('list_monitors');
          const result = await official.callTool({ name: 'list_monitors', arguments: {} });
          expect(result.structuredContent).to.include({ page: 1 });
        });
      });
    }

    it('subscribes to changes of the tools, until either side ends it', async () => {
      await connected({ pin: VERSION }, async (official) => {
        const subscription = await official.listen({ toolsListChanged: true, promptsListChanged: true });
        expect(subscription.honoredFilter).to.deep.equal({ toolsListChanged: true });
        await subscription.close();
        const other = await official.listen({ toolsListChanged: true });
        app.plane.mcp.streams.stop();
        expect(await other.closed).to.equal('graceful');
      });
    });
  });
});
