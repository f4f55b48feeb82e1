import { expect } from 'chai';
import { TEST_DEADLINE_MS } from '@watchpost/shared/one-off-tests';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { Fault } from '@watchpost/shared/fault';
import { ConcurrentTests, monitorTestRoutes } from '@watchpost/control-plane/capabilities/fleet/index';
import { testMonitor } from '@watchpost/control-plane/capabilities/fleet/runs/test-monitor';
import { oneOffInputs } from '@watchpost/control-plane/capabilities/monitors/index';
import { newId } from '@watchpost/shared/id';
import { addAgent } from '@watchpost/control-plane/capabilities/fleet/agents/create-agent';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startedForEach } from '../../support/suite.js';
import { wireResult, type AgentClient } from './agent-client.js';
import { seedWorkspace } from '../results/seed.js';
import { FleetService } from './fleet-service.js';

const egress = createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] });

describe('a one-off test of a URL', function () {
  const service = startedForEach(() => FleetService.start());

  const test = (body: object, workspaceId = newId(0)) =>
    testMonitor(
      { ...service.deps, fleet: service.fleet },
      { workspaceId, ownerId: 'owner-1' },
      oneOffInputs({ egress }).ofType('HttpAvailability').parse(body),
    );

  it('is run by an agent of the home region with all requested settings', async () => {
    const elsewhere = (await service.agent('vm-2', 'eastus2')).connect();
    const agent = (await service.agent('vm-1')).connect();
    await connected(agent, elsewhere);
    const askedAt = Date.now();
    const answer = test({
      url: 'http://127.0.0.1:8099/x',
      http: {
        method: 'POST',
        body: '{}',
        headers: { 'X-A': 'b' },
        expectedStatusCodes: [204, '300-302'],
        keyword: 'ok',
        followRedirects: false,
      },
      timeout: 'PT7S',
    });
    const { requestId, check, deadlineMs } = await asked(agent);
    expect(check).to.deep.include({ timeoutMs: 7_000 });
    expect(JSON.parse(check!.target)).to.deep.include({
      url: 'http://127.0.0.1:8099/x',
      method: 'POST',
      keyword: { text: 'ok', mode: 'present' },
      followRedirects: false,
      expectedStatus: [
        { from: 204, to: 204 },
        { from: 300, to: 302 },
      ],
    });
    expect(Number(deadlineMs)).to.be.within(askedAt + 7_000, Date.now() + 10_100);
    const assertions = [{ index: 0, passed: true, expected: '200', actual: '200', message: null }];
    const timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
    const hops = [{ url: 'http://127.0.0.1:8099/x', address: null, statusCode: 200, httpVersion: '2', timings }];
    const seen = { assertions, hops, headers: { server: 'nginx' }, bodyStart: '{"items":[]}' };
    const evidence = Buffer.from(JSON.stringify(seen));
    agent.send({ $case: 'runResult', value: { requestId, result: { ...wireResult(0), evidence }, refusal: '' } });
    expect(await answer).to.deep.equal({
      responseTime: 41,
      statusCode: 200,
      outcome: 'up',
      wasAvailable: true,
      started: '2025-11-21T04:40:00.003Z',
      ended: '2025-11-21T04:40:00.044Z',
      failureReason: null,
      notes: [],
      assertions,
      answer: { httpVersion: '2', headers: { server: 'nginx' }, body: '{"items":[]}' },
      phases: { auth: 0, dns: 1, connect: 10, tls: 20, firstByte: 9, transfer: 1 },
    });
    expect(elsewhere.of('runNow')).to.deep.equal([]);
  });

  it('returns a result for a target that is down', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await connected(agent);
    const answer = test({ url: 'https://example.com' });
    const { requestId } = await asked(agent);
    const down = {
      ...wireResult(0),
      outcome: 2,
      phase: 'connect',
      reason: 'connection_refused',
      message: 'Nobody listens there.',
      statusCode: 0,
      evidence: Buffer.from(JSON.stringify({ notes: ['Its Content-Length is “-1”, which is no length.'] })),
    };
    agent.send({ $case: 'runResult', value: { requestId, result: down, refusal: '' } });
    expect(await answer).to.deep.include({
      wasAvailable: false,
      statusCode: null,
      failureReason: 'Nobody listens there.',
      notes: ['Its Content-Length is “-1”, which is no length.'],
    });
  });

  it('is not available where some addresses fail, whether or not each must work', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await connected(agent);
    for (const [index, eachMustWork] of [false, true].entries()) {
      const answer = test({ url: 'https://example.com', http: { addresses: 'each', eachMustWork } });
      const { requestId, check } = await asked(agent, index);
      const target = { addresses: 'each', ...(eachMustWork && { eachMustWork }) };
      expect(JSON.parse(check!.target)).to.include(target);
      const message = '1 of 2 addresses failed: 192.0.2.1:443 refused the connection.';
      const down = { outcome: 2, phase: 'connect', reason: 'connection_refused', message, partial: !eachMustWork };
      agent.send({ $case: 'runResult', value: { requestId, result: { ...wireResult(0), ...down }, refusal: '' } });
      expect(await answer).to.include({ wasAvailable: false, failureReason: message });
    }
  });

  it('is answered before clients give up, however long its steps take', () => {
    for (const { path, deadlineMs } of monitorTestRoutes(
      { ...service.deps, fleet: service.fleet, tests: new ConcurrentTests() },
      { egress },
    ))
      expect(deadlineMs, path).to.be.below(TEST_DEADLINE_MS);
  });

  it('is unavailable without an agent, or after an inconclusive result', async () => {
    expect(await faultOf(test({ url: 'https://example.com' }))).to.equal('unavailable');
    const agent = (await service.agent('vm-1')).connect();
    await connected(agent);
    const answer = faultOf(test({ url: 'https://example.com' }));
    const { requestId } = await asked(agent);
    const blind = {
      ...wireResult(0),
      outcome: 3,
      reason: 'agent_no_network',
      message: 'The agent has no network.',
      statusCode: 0,
    };
    agent.send({ $case: 'runResult', value: { requestId, result: blind, refusal: '' } });
    expect(await answer).to.equal('unavailable');
  });

  it('is a result for a target that does not support the check, which another test would not change', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await connected(agent);
    const answer = test({ url: 'https://example.com' });
    const { requestId } = await asked(agent);
    const message = 'The server does not implement the gRPC health protocol.';
    const result = { ...wireResult(0), outcome: 3, reason: 'unsupported', message, statusCode: 0 };
    agent.send({ $case: 'runResult', value: { requestId, result, refusal: '' } });
    expect(await answer).to.include({ outcome: 'inconclusive', wasAvailable: false, failureReason: message });
  });

  it('is run by an agent of the private location that it names, and refused where that does not allow the target', async () => {
    const home = (await service.agent('vm-1')).connect();
    const { database } = service.test;
    const workspace = await seedWorkspace(database);
    const stranger = await seedWorkspace(database);
    const id = newId(1);
    const token = await database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO private_location (id, workspace_id, code, name, slug, allow_cidrs, deny_cidrs, labels, reachability,
           notify_action_group_ids, created, last_modified)
         VALUES ($1, $2, 100, 'Office', 'office', '{10.0.0.0/8}', '{}', '{}', 'advisory', '{}', now(), now())`,
        [id, workspace.id],
      );
      return (await addAgent(tx, { name: 'rack-1', region: id, workspaceId: workspace.id }, 0))!.token;
    });
    const inside = { url: 'http://10.0.0.5/', location: 'office' };
    const missing = await refusalOf(test(inside, workspace.id));
    expect(missing.message).to.equal(
      'No agent of the private location that can run this is connected. Try again in a moment.',
    );
    const agent = service.client(token).connect();
    await connected(home, agent);
    const answer = test(inside, workspace.id);
    const { requestId, check } = await asked(agent);
    expect(JSON.parse(check!.target)).to.include({ url: 'http://10.0.0.5/' });
    agent.send({ $case: 'runResult', value: { requestId, result: wireResult(0), refusal: '' } });
    expect(await answer).to.include({ wasAvailable: true });
    const outside = { url: 'https://192.0.2.7/', http: { connectTo: '10.1.0.1:80', steps: [] }, location: 'office' };
    expect((await refusalOf(test(outside, workspace.id))).details).to.deep.equal([
      {
        path: 'url',
        message:
          'must lie in the ranges that private:office allows: 192.0.2.7 is outside the ranges of its private location',
      },
    ]);
    for (const [location, workspaceId] of [
      ['nowhere', workspace.id],
      ['office', stranger.id],
    ] as const)
      expect((await refusalOf(test({ ...inside, location }, workspaceId))).details).to.deep.equal([
        { path: 'location', message: 'must be the slug of a private location of this workspace' },
      ]);
    expect(home.of('runNow')).to.deep.equal([]);
  });

  it('has a deadline that covers the longest test', () => {
    const [route] = monitorTestRoutes(
      { ...service.deps, fleet: service.fleet, tests: new ConcurrentTests() },
      { egress },
    );
    expect(route!.body!.safeParse({ url: 'http://example.com', timeout: 'PT60S' }).success).to.equal(true);
    expect(route!.deadlineMs).to.be.above(63_000);
  });

  it('reports every fault of its settings at once', () => {
    const [route] = monitorTestRoutes(
      { ...service.deps, fleet: service.fleet, tests: new ConcurrentTests() },
      { egress },
    );
    const refused = route!.body!.safeParse({
      url: 'http://10.0.0.1/',
      http: { method: 'PULL', expectedStatusCodes: [], connectTo: '10.0.0.1:80', httpVersion: '3' },
      timeout: 'PT1S',
      more: 1,
    });
    const paths = new Set(refused.error!.issues.map(({ path }) => path.join('.')));
    expect([...paths]).to.include.members([
      'url',
      'http.method',
      'http.expectedStatusCodes',
      'http.connectTo',
      'http.httpVersion',
      'timeout',
    ]);
    expect(route!.body!.safeParse({ url: 'tcp://example.com:80' }).success).to.equal(false);
    const long = `${'a'.repeat(64)}.example`;
    const sentTo = (path: string) => {
      const alone = MONITOR_TYPES.find((type) => factsOf(type).isAlone && path.endsWith(`/${factsOf(type).word}`));
      const kind = alone === undefined ? 'https' : factsOf(alone).url.kinds[0];
      return path.endsWith('/dns') ? { hostname: long } : { url: `${kind}://${long}:443` };
    };
    for (const { path, body } of monitorTestRoutes(
      { ...service.deps, fleet: service.fleet, tests: new ConcurrentTests() },
      { egress },
    ))
      expect(body!.safeParse(sentTo(path)).error!.issues[0]!.message, path).to.contain('63 octets');
    expect(
      route!.body!.safeParse({ url: 'http://example.com', http: { body: 'x' } }).error!.issues[0]!.path,
    ).to.deep.equal(['http', 'body']);
  });
});

async function connected(...agents: AgentClient[]): Promise<void> {
  for (const agent of agents) await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
}

async function asked(agent: AgentClient, index = 0) {
  const message = await eventually('the run', () => agent.of('runNow')[index], PATIENCE_MS, 5);
  if (message.$case !== 'runNow') throw new Error('not a run');
  return message.value;
}

async function refusalOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error(`not refused: ${String(error)}`);
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  return (await refusalOf(work)).code;
}
