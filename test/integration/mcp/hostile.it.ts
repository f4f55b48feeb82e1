import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { create, makeWorld, nobodysId } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { type RpcAnswer, RpcClient } from './rpc-client.js';

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const METHODS = [
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
];
const envelope = (more: object = {}) => ({
  [`${META}protocolVersion`]: VERSION,
  [`${META}clientInfo`]: { name: 'bare', version: '1.0' },
  [`${META}clientCapabilities`]: { elicitation: {} },
  ...more,
});
/** The parameters that are right for each method but for what a case changes. */
const RIGHT: Readonly<Record<string, Record<string, unknown>>> = {
  'tools/call': { name: 'list_monitors', arguments: {} },
  'resources/read': { uri: 'watchpost://incidents/open' },
  'prompts/get': { name: 'handover' },
  'subscriptions/listen': { notifications: {} },
};
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('MCP under hostile requests', () => {
  const app = appForSuite();
  let client: RpcClient;
  let token: string;
  before(async () => {
    token = await app.token(app.owner.sub);
    client = new RpcClient(app.baseUrl, { token });
  });
  afterEach(async () => {
    expect(app.warnings).to.deep.equal([]);
    const { status } = await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(status).to.equal(200);
  });

  const headersOf = (method: string, params: Record<string, unknown>): Record<string, string> => {
    const name = params['name'] ?? params['uri'];
    return {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) ? { 'mcp-name': name } : {}),
    };
  };
  const send = (method: string, params: Record<string, unknown>, headers: Record<string, string> = {}) =>
    client.post(
      { jsonrpc: '2.0', id: 1, method, params: { _meta: envelope(), ...params } },
      { ...headersOf(method, params), ...headers },
    );
  /** An answer, or a refusal by its caller's fault: with JSON-RPC in it where it has a body. */
  function requireSober(what: string, { status, headers, body }: RpcAnswer): void {
    expect(status, what).to.be.oneOf([200, 202, 400, 401, 403, 404, 405, 406, 413, 415]);
    expect(headers.get('mcp-session-id'), what).to.equal(null);
    if (!headers.get('content-type')?.includes('json')) return;
    for (const { jsonrpc, error, result } of [body].flat()) {
      expect(jsonrpc, what).to.equal('2.0');
      expect(error === undefined, what).to.not.equal(result === undefined);
      if (error) expect(error.code, what).to.be.within(-32_700, -32_000).and.not.equal(-32_603);
    }
  }

  for (const method of METHODS) {
    it(`${method} with anything at all in it is answered, or refused as the fault of its caller`, async function () {
      const name = fc.oneof(
        fc.constantFrom(
          'name',
          'uri',
          'arguments',
          'cursor',
          'notifications',
          'inputResponses',
          'requestState',
          '_meta',
          'task',
          '__proto__',
        ),
        fc.string(),
      );
      const odd = fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom('\0', '\ud800', -0, 1e308, 'x'.repeat(10_000)),
      );
      await fc.assert(
        fc.asyncProperty(fc.dictionary(name, odd, { maxKeys: 4 }), fc.boolean(), async (params, isPlain) => {
          const sent = isPlain ? params : { ...RIGHT[method], ...params };
          requireSober(JSON.stringify(sent), await send(method, sent));
        }),
        { numRuns: 20 },
      );
    });
  }

  it('no argument of a tool has a value that breaks anything, and what is wrong is named', async () => {
    const world = await makeWorld(app, 'Enterprise');
    const own = new RpcClient(app.baseUrl, {
      token: await app.token(world.owner.sub),
      headers: { 'x-workspace-id': world.workspaceId },
    });
    const odd = [null, [], {}, '', '\0', '\ud800', '__proto__', -1, 1e308, 'x'.repeat(9_000), '9999-12-31T23:59:59Z'];
    const team = await create<{ id: string }>(world.api, '/api/v1/teams', { name: 'Team' });
    const { tools } = (await own.call('tools/list')).body.result;
    let turn = 0;
    for (const { name, inputSchema } of tools) {
      const known = Object.keys(inputSchema.properties ?? {});
      for (const field of [...known, 'unknown']) {
        const ids = { teamId: team.id, monitorId: nobodysId(), incidentId: nobodysId() };
        const right = Object.fromEntries(Object.entries(ids).filter(([id]) => known.includes(id)));
        const args = { ...right, [field]: odd[turn++ % odd.length] };
        const what = `${name} ${JSON.stringify(args).slice(0, 200)}`;
        const { result, error } = await own.tool(name, args);
        const text = JSON.stringify(result ?? error);
        expect(text.length, what).to.be.below(100_000);
        if (error) expect(error.code, what).to.equal(-32_602);
        else if (result.isError) expect(JSON.parse(result.content[0].text).error, what).to.not.equal('internal_error');
      }
    }
  });

  it('no field of _meta has a shape that breaks anything', async () => {
    const keys = ['protocolVersion', 'clientInfo', 'clientCapabilities', 'subscriptionId', 'logLevel'].map(
      (key) => META + key,
    );
    const values = [
      null,
      0,
      '',
      '\0',
      [],
      {},
      { name: {}, version: [] },
      { name: '\ud800', version: '\0' },
      { elicitation: null },
      { elicitation: { form: 7 } },
      'x'.repeat(50_000),
    ];
    for (const key of [...keys, 'traceparent', 'progressToken', '__proto__', 'constructor'])
      for (const value of values) {
        const params = {
          ...RIGHT['tools/call'],
          _meta: JSON.parse(
            JSON.stringify(envelope()).replace(/\}$/, `,${JSON.stringify(key)}:${JSON.stringify(value)}}`),
          ),
        };
        requireSober(`${key} ${JSON.stringify(value).slice(0, 40)}`, await send('tools/call', params));
      }
  });

  it('no header has a value that breaks anything', async () => {
    const values = [
      '',
      ' ',
      '\t',
      'x'.repeat(8_000),
      'é',
      '\u00ff',
      '=?base64??=',
      '=?base64?AA==?=',
      `=?base64?${'A'.repeat(6_000)}?=`,
      '=?utf-8?q?x?=',
      '__proto__',
      'a, b',
      '../..',
      '2026-07-28, 2025-11-25',
    ];
    for (const header of [
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
      'last-event-id',
      'mcp-param-x',
      'x-workspace-id',
    ])
      for (const value of values)
        for (const method of ['tools/call', 'server/discover'])
          requireSober(
            `${header}: ${value.slice(0, 30)}`,
            await send(method, RIGHT[method] ?? {}, { [header]: value }),
          );
  });

  it('bodies that are too large, too deep or no JSON are refused at once', async () => {
    const headers = headersOf('tools/call', RIGHT['tools/call']!);
    const around = (value: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_monitors","arguments":{"search":${value}},"_meta":${JSON.stringify(envelope())}}}`;
    const cases: [string, string, number[]][] = [
      ['11 MB', around(JSON.stringify('x'.repeat(11_000_000))), [413]],
      ['100,000 levels', around(deep(100_000)), [200, 400]],
      ['5,000 levels', around(deep(5_000)), [200, 400]],
      ['half a body', around('"x').slice(0, 200), [400]],
      ['a lone surrogate', around('"\\ud800"'), [200]],
      ['NUL', around('"\\u0000"'), [200]],
      ['a name twice', around('1,"search":2'), [200, 400]],
      [
        '50,000 fields',
        around(JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [n, n])))),
        [200, 400],
      ],
      ['a number of 100,000 digits', around('9'.repeat(100_000)), [200, 400]],
    ];
    for (const [what, body, statuses] of cases) {
      const answer = await client.post(body, headers);
      expect(answer.status, what).to.be.oneOf(statuses);
      requireSober(what, answer);
    }
  });

  it('answers to questions that were never asked, or of another call, do nothing', async () => {
    const call = {
      name: 'apply_config',
      arguments: { document: { apiVersion: 'watchpost/v1', project: 'p' }, expectedVersion: 'x' },
    };
    for (const [inputResponses, requestState] of [
      [{ confirm: { action: 'accept', content: { confirm: true } } }, 'x'],
      [{ confirm: { action: 'accept', content: { confirm: true } } }, undefined],
      [{ confirm: { action: 'accept', content: null } }, { a: 1 }],
      [{ confirm: [] }, '\0'],
      ['x', 'x'.repeat(100_000)],
      [{ __proto__: { confirm: true } }, ''],
    ]) {
      const answer = await send('tools/call', { ...call, inputResponses, requestState });
      requireSober(JSON.stringify([inputResponses]), answer);
      if (answer.body.result) expect(answer.body.result.resultType).to.equal('input_required');
    }
  });

  it('two hundred at once are all answered, and streams that are cut leave nothing behind', async function () {
    const many = Array.from({ length: 200 }, (_, count) => METHODS[count % METHODS.length]!).filter(
      (method) => method !== 'subscriptions/listen',
    );
    const answers = await Promise.all(many.map((method) => send(method, RIGHT[method] ?? {})));
    for (const [index, answer] of answers.entries()) requireSober(many[index]!, answer);
    const port = Number(new URL(app.baseUrl).port);
    const params = { _meta: envelope(), notifications: { resourceSubscriptions: ['watchpost://incidents/open'] } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Accept: text/event-stream, application/json',
      `Mcp-Protocol-Version: ${VERSION}`,
      'Mcp-Method: subscriptions/listen',
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    for (let round = 0; round < 40; round++)
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n${body}`));
        // Some are cut before they are answered, others with their first bytes.
        if (round % 2 === 0) setImmediate(() => socket.destroy());
        else socket.once('data', () => socket.destroy());
        socket.once('error', reject).once('close', () => resolve());
      });
    await eventually(
      'all places are free',
      async () => {
        const count = await app.value<number>('SELECT count(*) AS count FROM event_stream_lease');
        return count === 0 || undefined;
      },
      PATIENCE_MS,
      50,
    );
  });
});
