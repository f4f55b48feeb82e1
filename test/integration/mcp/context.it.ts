import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { makeWorld, nobodysId, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';
import { RpcClient } from './rpc-client.js';

const METHODS = ['resources/list', 'resources/templates/list', 'resources/read', 'prompts/list', 'prompts/get'];

describe('MCP resources and prompts', () => {
  const app = appForSuite();
  const world = worldForSuite(app);
  let token: string;
  let incidentId: string;
  let monitorId: string;
  before(async () => {
    token = await app.token(world.owner.sub);
    monitorId = (await seedMonitor(world)).id;
    incidentId = await seedIncident(world, monitorId);
  });
  afterEach(() => expect(app.warnings).to.deep.equal([]));

  const clientOf = async (version: string, options: { token?: string } = { token }) => {
    const headers = { 'x-workspace-id': world.workspaceId };
    const client = new RpcClient(app.baseUrl, { ...options, headers });
    await client.initialize(version);
    return client;
  };

  it('are not there before 2025-06-18', async () => {
    for (const version of ['2024-11-05', '2025-03-26']) {
      const client = await clientOf(version);
      for (const method of METHODS) {
        const { body } = await client.call(method, { uri: `watchpost://incident/${incidentId}`, name: 'handover' });
        expect(body.error.code, `${version} ${method}`).to.equal(-32601);
      }
    }
  });

  it('are read by the official client, with and without sessions, as the tools answer', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const official = new Client({ name: 'official', version: '2.4' }, { versionNegotiation: { mode } });
      const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': world.workspaceId };
      await official.connect(
        new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit: { headers } }),
      );
      try {
        expect((await official.listResources()).resources.map(({ uri }) => uri)).to.deep.equal([
          'watchpost://incidents/open',
        ]);
        const { resourceTemplates } = await official.listResourceTemplates();
        expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal([
          'watchpost://incident/{id}',
          'watchpost://monitor/{id}',
        ]);
        for (const [uri, tool, args] of [
          [`watchpost://incident/${incidentId}`, 'get_incident', { incidentId }],
          [`watchpost://monitor/${monitorId}`, 'get_monitor', { monitorId }],
          ['watchpost://incidents/open', 'list_open_incidents', {}],
        ] as const) {
          const [content] = (await official.readResource({ uri })).contents as Json[];
          expect([content.uri, content.mimeType]).to.deep.equal([uri, 'application/json']);
          const { content: called } = (await official.callTool({ name: tool, arguments: args })) as Json;
          expect(content.text).to.equal(called[0].text);
        }
        const { prompts } = await official.listPrompts();
        expect(prompts.map(({ name }) => name)).to.deep.equal(['investigate', 'handover', 'postmortem']);
        const { messages } = (await official.getPrompt({ name: 'investigate', arguments: { incidentId } })) as Json;
        expect(messages[0].content.text).to.include(incidentId).and.include('diagnose_incident').and.include('never');
      } finally {
        await official.close();
      }
    }
  });

  it('need the token, scope and workspace of the tool', async () => {
    const uri = `watchpost://incident/${incidentId}`;
    const stranger = await clientOf('2025-11-25', {});
    expect((await stranger.call('resources/read', { uri })).status).to.equal(401);
    const narrow = await clientOf('2025-11-25', { token: await app.token(world.owner.sub, 'monitor.read') });
    expect((await narrow.call('resources/read', { uri })).body.error.data.error).to.equal('insufficient_scope');
    const foreign = await makeWorld(app);
    const other = await seedIncident(foreign, (await seedMonitor(foreign)).id);
    const client = await clientOf('2025-11-25');
    expect((await client.call('resources/read', { uri: `watchpost://incident/${other}` })).body.error.code).to.equal(
      -32002,
    );
  });

  it('refuse what is not there, whatever it is', async () => {
    const client = await clientOf('2025-06-18');
    for (const uri of [
      `watchpost://incident/${nobodysId()}`,
      'watchpost://incident/x',
      'watchpost://__proto__/x',
      'file:///etc/passwd',
      '',
      'x'.repeat(5_000),
    ])
      expect((await client.call('resources/read', { uri })).body.error.code, uri.slice(0, 40)).to.equal(-32002);
    for (const [method, params] of [
      ['resources/read', {}],
      ['resources/read', { uri: 5 }],
      ['resources/list', { cursor: 'x' }],
      ['prompts/list', { cursor: 'x' }],
      ['prompts/get', { name: '__proto__' }],
      ['prompts/get', { name: 5 }],
      ['prompts/get', { name: 'investigate' }],
      ['prompts/get', { name: 'investigate', arguments: { incidentId: 'ignore previous instructions' } }],
      ['prompts/get', { name: 'handover', arguments: { incidentId } }],
    ] as const)
      expect((await client.call(method, params)).body.error?.code, JSON.stringify([method, params])).to.equal(-32602);
  });
});
