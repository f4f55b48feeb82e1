import { expect } from 'chai';
import type { TestUser } from '../../support/app.js';
import { makeWorld, nobodysId, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { RpcClient, type RpcOptions } from './rpc-client.js';

const READ_TOOLS = [
  'list_all_incidents',
  'list_open_incidents',
  'get_incident',
  'get_incident_notes',
  'list_monitors',
  'get_monitor',
  'get_monitor_uptime',
  'list_maintenance_windows',
];
const WRITE_TOOLS = ['acknowledge_incident', 'close_incident', 'add_incident_note'];

describe('Who may use which MCP tool', () => {
  const app = appForSuite();
  afterEach(() => expect(app.warnings).to.deep.equal([]));

  interface Scene {
    world: World;
    monitorId: string;
    incidentId: string;
  }
  async function scene(plan: Parameters<typeof makeWorld>[1] = 'Pro'): Promise<Scene> {
    const world = await makeWorld(app, plan);
    const { id: monitorId } = await seedMonitor(world);
    return { world, monitorId, incidentId: await seedIncident(world, monitorId) };
  }
  async function clientOf(user: Pick<TestUser, 'sub'>, world: World | null, scope?: string, options: RpcOptions = {}) {
    return new RpcClient(app.baseUrl, {
      token: await app.token(user.sub, scope),
      headers: world ? { 'x-workspace-id': world.workspaceId } : {},
      ...options,
    });
  }
  function argumentsOf(tool: string, { monitorId, incidentId }: Scene): Record<string, unknown> {
    if (tool === 'add_incident_note') return { incidentId, note: 'seen' };
    if (tool.startsWith('list')) return {};
    return tool.includes('monitor') ? { monitorId } : { incidentId };
  }
  /** `ok`, or what stood in the way. */
  async function outcome(client: RpcClient, tool: string, args: unknown): Promise<string> {
    const { result, error } = await client.tool(tool, args);
    if (error) return `${error.code} ${error.data?.error}`;
    return result.isError ? `result ${JSON.parse(result.content[0].text).error}` : 'ok';
  }

  describe('without a token', () => {
    it('initialize, ping, tools/list and the public tool are open to all', async () => {
      const client = new RpcClient(app.baseUrl);
      expect((await client.initialize('2025-06-18')).status).to.equal(200);
      expect((await client.call('ping')).status).to.equal(200);
      expect((await client.call('tools/list')).body.result.tools).to.have.length(app.plane.mcp.tools.length);
      // There is no agent here, which is the only reason for its failure.
      const url = 'https://example.com/';
      expect(await outcome(client, 'check_http_availability_latency', { url })).to.equal('result unavailable');
    });

    it('every other tool is a 401 with where to sign in, and -32001', async () => {
      const client = new RpcClient(app.baseUrl);
      for (const tool of [...READ_TOOLS, ...WRITE_TOOLS]) {
        const { status, headers, body } = await client.call('tools/call', { name: tool, arguments: {} });
        expect([status, body.error.code, body.error.data.error], tool).to.deep.equal([401, -32001, 'missing_token']);
        expect(body.id).to.be.a('number');
        expect(headers.get('www-authenticate')).to.equal(
          `Bearer resource_metadata="${app.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="account.read alert.read incident.read incident.write monitor.read monitor.write statuspage.read statuspage.write"`,
        );
      }
    });

    it('with an invalid token the challenge contains invalid_token', async () => {
      const expired = await app.issuer.token({ sub: 'late', claims: { exp: app.clock.now() / 1_000 - 120 } });
      for (const token of [expired, 'x.y.z', 'x']) {
        const client = new RpcClient(app.baseUrl, { token });
        const { status, headers, body } = await client.call('tools/call', { name: 'list_monitors' });
        expect([status, body.error.code, body.error.data.error]).to.deep.equal([401, -32001, 'invalid_token']);
        expect(headers.get('www-authenticate')).to.match(/^Bearer error="invalid_token", /);
        // What is open to all is open to them too: an expired token must not lock a client out of signing in.
        expect((await client.call('tools/list')).status).to.equal(200);
      }
    });

    it('a batch is refused as a whole, with an answer to each request', async () => {
      const { world, incidentId } = await scene();
      const messages = [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'close_incident', arguments: { incidentId } } },
      ];
      const { status, body } = await new RpcClient(app.baseUrl).post(messages);
      expect([
        status,
        body.map(({ id, error }: { id: number; error: { code: number } }) => [id, error.code]),
      ]).to.deep.equal([
        401,
        [
          [1, -32001],
          [2, -32001],
        ],
      ]);
      expect((await world.api('GET', `/api/v1/incident/${incidentId}`)).body.isClosed).to.equal(false);
    });
  });

  it('the scope is that of the twin in REST', async () => {
    const stage = await scene();
    const { world } = stage;
    const allowed = async (scope: string) => {
      const client = await clientOf(world.owner, world, scope);
      const tools: string[] = [];
      for (const tool of [...READ_TOOLS, ...WRITE_TOOLS]) {
        const args = WRITE_TOOLS.includes(tool)
          ? { ...argumentsOf(tool, stage), incidentId: nobodysId() }
          : argumentsOf(tool, stage);
        const got = await outcome(client, tool, args);
        if (got === 'ok' || got === 'result not_found') tools.push(tool);
        else expect(got, `${scope}: ${tool}`).to.equal('-32003 insufficient_scope');
      }
      return tools;
    };
    const [incidents, monitors] = [READ_TOOLS.slice(0, 4), READ_TOOLS.slice(4)];
    expect(await allowed('monitor.admin')).to.deep.equal([...READ_TOOLS, ...WRITE_TOOLS]);
    expect(await allowed('incident.read')).to.deep.equal(incidents);
    expect(await allowed('incident.write')).to.deep.equal([...incidents, ...WRITE_TOOLS]);
    expect(await allowed('monitor.read')).to.deep.equal(monitors);
    expect(await allowed('monitor.write')).to.deep.equal(monitors);
    expect(await allowed('account.write user.read')).to.deep.equal([]);
  });

  it('reading needs Viewer, changing needs Responder', async () => {
    const stage = await scene();
    for (const role of ['Viewer', 'Responder', 'Editor'] as const) {
      const client = await clientOf(await stage.world.member(role), stage.world);
      for (const tool of READ_TOOLS) expect(await outcome(client, tool, argumentsOf(tool, stage)), tool).to.equal('ok');
      const incidentId = nobodysId();
      for (const tool of WRITE_TOOLS) {
        expect(await outcome(client, tool, { ...argumentsOf(tool, stage), incidentId }), `${role} ${tool}`).to.equal(
          role === 'Viewer' ? '-32003 insufficient_workspace_role' : 'result not_found',
        );
      }
    }
  });

  it('reading needs Growth, changing needs Pro', async () => {
    for (const [plan, reads, writes] of [
      ['Starter', '-32003 feature_not_in_plan', '-32003 feature_not_in_plan'],
      ['Growth', 'ok', '-32003 feature_not_in_plan'],
      ['Pro', 'ok', 'ok'],
      ['Enterprise', 'ok', 'ok'],
    ] as const) {
      const stage = await scene(plan);
      const client = await clientOf(stage.world.owner, stage.world);
      for (const tool of READ_TOOLS)
        expect(await outcome(client, tool, argumentsOf(tool, stage)), `${plan} ${tool}`).to.equal(reads);
      for (const tool of ['acknowledge_incident', 'add_incident_note', 'close_incident'])
        expect(await outcome(client, tool, argumentsOf(tool, stage)), `${plan} ${tool}`).to.equal(writes);
    }
  });

  it('what is missing is reported in the order of the checks', async () => {
    const stage = await scene('Starter');
    const viewer = await stage.world.member('Viewer');
    const bad = { incidentId: 'x' };
    const steps: [RpcClient, string][] = [
      [
        await clientOf(viewer, null, 'user.read', { headers: { 'x-workspace-id': nobodysId() } }),
        '-32003 insufficient_scope',
      ],
      [
        await clientOf(viewer, null, undefined, { headers: { 'x-workspace-id': nobodysId() } }),
        '-32003 no_workspace_context',
      ],
      [await clientOf(viewer, stage.world), '-32003 insufficient_workspace_role'],
      [await clientOf(stage.world.owner, stage.world), '-32602 validation_failed'],
    ];
    for (const [client, expected] of steps) expect(await outcome(client, 'close_incident', bad)).to.equal(expected);
    const owner = await clientOf(stage.world.owner, stage.world);
    expect(await outcome(owner, 'close_incident', { incidentId: nobodysId() })).to.equal('-32003 feature_not_in_plan');
  });

  describe('the workspace', () => {
    it('is the one of the header, else the only one, and never a guess', async () => {
      const stage = await scene();
      const { world } = stage;
      // The owner of a world has a personal workspace beside it, and used this one last.
      await world.api('GET', '/api/v1/monitor');
      expect(await outcome(await clientOf(world.owner, null), 'list_monitors', {})).to.equal(
        '-32003 no_workspace_context',
      );
      const cookie = await clientOf(world.owner, null, undefined, {
        headers: { cookie: `workspace_id=${world.workspaceId}` },
      });
      expect(await outcome(cookie, 'list_monitors', {})).to.equal('-32003 no_workspace_context');

      const single = await app.user();
      await app.setPlan('Growth', {}, single);
      expect(await outcome(await clientOf(single, null), 'list_monitors', {})).to.equal('ok');
      for (const id of [world.workspaceId, 'x', '']) {
        const foreign = await clientOf(single, null, undefined, { headers: { 'x-workspace-id': id } });
        expect(await outcome(foreign, 'list_monitors', {}), id).to.equal('-32003 no_workspace_context');
      }
    });

    it('of others is not there at all', async () => {
      const [mine, foreign] = [await scene(), await scene()];
      const client = await clientOf(mine.world.owner, mine.world);
      for (const tool of [...READ_TOOLS, ...WRITE_TOOLS].filter((name) => !name.startsWith('list')))
        expect(await outcome(client, tool, argumentsOf(tool, foreign)), tool).to.equal('result not_found');
      const { result } = await client.tool('list_all_incidents');
      expect(JSON.parse(result.content[0].text).map(({ id }: { id: string }) => id)).to.deep.equal([mine.incidentId]);
    });

    it('is closed to a suspended member', async () => {
      const stage = await scene();
      const member = await stage.world.member('Responder');
      await stage.world.api('PATCH', `/api/v1/workspaces/${stage.world.workspaceId}/members/${member.memberId}`, {
        status: 'suspended',
      });
      expect(await outcome(await clientOf(member, stage.world), 'list_monitors', {})).to.equal(
        '-32003 member_suspended',
      );
    });
  });

  describe('what the domain refuses', () => {
    it('is a result with the error: a closed incident takes nothing any more', async () => {
      const stage = await scene();
      const client = await clientOf(stage.world.owner, stage.world);
      expect(await outcome(client, 'close_incident', argumentsOf('close_incident', stage))).to.equal('ok');
      for (const tool of WRITE_TOOLS) {
        const { result } = await client.tool(tool, argumentsOf(tool, stage));
        expect(result.isError, tool).to.equal(true);
        expect(result).to.not.have.property('structuredContent');
        expect(JSON.parse(result.content[0].text)).to.deep.equal({
          error: 'incident_closed',
          message: 'This incident is closed. It can no longer be changed and takes no notes.',
        });
      }
    });
  });

  it('the timeline shows changes by MCP with the client, and changes by REST without', async () => {
    const stage = await scene();
    const { world, incidentId } = stage;
    const client = await clientOf(world.owner, world);
    await client.initialize('2025-06-18', { name: 'Claude\u202e\nDesktop', version: '1.2' });
    await client.tool('acknowledge_incident', { incidentId });
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: false });
    await client.tool('add_incident_note', { incidentId, note: 'seen' });
    await (await clientOf(world.owner, world)).tool('close_incident', { incidentId });
    const { body } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    const shown = body.timeline
      .slice(-4)
      .map(({ type, actor, detail }: Record<string, Record<string, unknown>>) => [
        type,
        actor,
        detail!['via'],
        detail!['client'],
      ]);
    expect(shown).to.deep.equal([
      ['acknowledged', world.owner.userId, 'mcp', 'Claude Desktop 1.2'],
      ['unacknowledged', world.owner.userId, undefined, undefined],
      ['note_added', world.owner.userId, 'mcp', 'Claude Desktop 1.2'],
      // Without a session the client has no name.
      ['closed', world.owner.userId, 'mcp', undefined],
    ]);
  });
});
