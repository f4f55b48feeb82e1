import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { purgeApiKeys } from '@watchpost/control-plane/capabilities/api-keys/index';
import { suspensionListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { setSuspension } from '@watchpost/control-plane/capabilities/users/suspend-user';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import { startTestApp, type TestApp, type TestMember } from '../../support/app.js';
import { callApi } from '../../support/call-api.js';
import { findTraces } from '../../support/find-traces.js';
import type { Api, Json } from '../../support/product.js';
import { countQueries } from '../../support/query-count.js';
import { create, makeWorld, nobodysId, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { type McpService, startMcpService } from '../mcp/mcp-service.js';
import { RpcClient } from '../mcp/rpc-client.js';

const PATH = '/api/v1/api-keys';
const PROMISED_MS = 5 * SECOND_MS;

interface NewKey {
  id: string;
  key: string;
  prefix: string;
  created: string;
  expiresAt: string | null;
}

describe('API keys', () => {
  let app: TestApp;
  let world: World;
  /** A second process of the same service, with caches of its own and the real limits. */
  let second: McpService;

  before(async () => {
    app = await startTestApp();
    const { issuer, audience } = app.issuer;
    second = await startMcpService({
      test: { ...app, url: app.databaseUrl, database: app.db, drop: () => Promise.resolve() },
      secretBox: app.secretBox,
      clock: app.clock,
      env: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, RATE_LIMIT_PER_MINUTE: '20' },
    });
  });
  after(async () => {
    await second.stop();
    await app.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    // Each case begins in a minute and a rate window of its own.
    app.clock.advance(2 * MINUTE_MS);
  });
  afterEach(() => expect(app.warnings).to.deep.equal([]));

  const makeKey = (api: Api, body: object = {}) =>
    create<NewKey>(api, PATH, { name: 'CI', scopes: ['monitor.read', 'account.read'], ...body });
  /** Asks both processes with a key. */
  async function outcomes(key: string, path = '/api/v1/monitor'): Promise<string[]> {
    const answers = await Promise.all(
      [app.baseUrl, second.baseUrl].map((baseUrl) =>
        callApi(baseUrl + path, 'GET', undefined, { authorization: `Bearer ${key}` }),
      ),
    );
    return answers.map(({ status, body }) => [status, body.error].filter(Boolean).join(' '));
  }
  const WORKS = ['200', '200'];
  const both = (outcome: string) => [outcome, outcome];
  const audited = async (action: string): Promise<Json[]> =>
    (await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?action=${action}`)).body;

  describe('are created', () => {
    it('for 90 days, for ever or until the moment that is named, and only their digest is stored', async () => {
      const { api } = await world.member('Viewer');
      const made = await makeKey(api);
      expect(Date.parse(made.expiresAt!)).to.equal(app.clock.now() + 90 * DAY_MS);
      expect((await makeKey(api, { expiresAt: null })).expiresAt).to.equal(null);
      expect((await makeKey(api, { expiresAt: '2027-06-01T00:00:00+02:00' })).expiresAt).to.equal(
        '2027-05-31T22:00:00.000Z',
      );
      const [row] = await app.sql('SELECT hash, prefix FROM api_key WHERE id = $1', [made.id]);
      expect(row).to.deep.equal({
        hash: createHash('sha256').update(made.key).digest(),
        prefix: made.key.slice(0, 16),
      });
      expect(await findTraces(app, [made.key, made.key.slice(17)])).to.deep.equal([]);
    });

    it('with all faults of the request named at once', async () => {
      const { status, body } = await world.api('POST', PATH, { name: ' ', scopes: [], expiresAt: 'soon', more: 1 });
      expect(status).to.equal(400);
      expect(body.details.map(({ path }: Json) => path)).to.have.members(['name', 'scopes', 'expiresAt', 'more']);
      for (const scopes of [['monitor.delete'], ['monitor.read', ''], 'monitor.read', undefined]) {
        const answer = await world.api('POST', PATH, { name: 'CI', scopes });
        expect([answer.status, answer.body.error], JSON.stringify(scopes)).to.deep.equal([400, 'validation_failed']);
      }
      const past = await world.api('POST', PATH, {
        name: 'CI',
        scopes: ['monitor.read'],
        expiresAt: new Date(app.clock.now()).toISOString(),
      });
      expect([past.status, past.body.details[0].path]).to.deep.equal([400, 'expiresAt']);
    });

    it('with scopes that the caller has or that follow from these, and no others', async () => {
      const { owner } = world;
      const api = world.as(owner, { scope: 'account.write monitor.admin' });
      await makeKey(api, { scopes: ['monitor.write', 'monitor.read', 'account.read', 'monitor.read'] });
      for (const scope of ['incident.read', 'user.read', 'statuspage.write']) {
        const { status, body } = await api('POST', PATH, { name: 'CI', scopes: ['monitor.read', scope] });
        expect([status, body.error]).to.deep.equal([403, 'insufficient_scope']);
        expect(body.message).to.include(scope);
      }
      const { body } = await api('GET', PATH);
      expect(body.map(({ scopes }: Json) => scopes)).to.deep.equal([['monitor.write', 'monitor.read', 'account.read']]);
    });

    it('at most 50 live ones for each member, and expired ones make room', async () => {
      const member = await world.member('Editor');
      const soon = new Date(app.clock.now() + MINUTE_MS).toISOString();
      // A few at once: all of them would wait for one row at all connections, for longer than a busy machine has.
      const make49 = async (options = {}) => {
        for (let made = 0; made < 49; made += 7)
          await Promise.all(Array.from({ length: 7 }, () => makeKey(member.api, options)));
      };
      await make49({ expiresAt: soon });
      await makeKey(member.api);
      const full = await Promise.all(
        [1, 2, 3].map(() => member.api('POST', PATH, { name: 'X', scopes: ['alert.read'] })),
      );
      for (const { status, body } of full) {
        expect([status, body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
        const detail = { path: '', message: body.message, limit: 'apiKeys', value: 50, plan: null };
        expect(body.details).to.deep.equal([detail]);
      }
      await makeKey(world.api);
      app.clock.advance(MINUTE_MS);
      await make49();
      expect((await member.api('POST', PATH, { name: 'X', scopes: ['alert.read'] })).status).to.equal(403);
    });

    it('once for one idempotency key, and the repeated answer does not contain the key', async () => {
      const ask = () =>
        world.api('POST', PATH, { name: 'CI', scopes: ['alert.read'] }, { 'idempotency-key': nobodysId() + '-once' });
      const headers = { 'idempotency-key': 'the-same' };
      const body = { name: 'CI', scopes: ['alert.read'] };
      const first = await world.api('POST', PATH, body, headers);
      const again = await world.api('POST', PATH, body, headers);
      expect([first.status, again.status]).to.deep.equal([201, 201]);
      const { key, ...shown } = first.body;
      expect(again.body).to.deep.equal(shown);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(key).to.be.a('string');
      await ask();
      expect((await world.api('GET', PATH)).body).to.have.length(2);
    });
  });

  describe('are used', () => {
    it('up to a rate of their own, and all those in the workspaces of one owner up to ten times that rate', async () => {
      const calls = { ofKey: 20, ofOwner: 200 };
      const apis = [world.api, app.as(world.owner.sub)];
      const keys = await Promise.all(apis.flatMap((api) => Array.from({ length: 8 }, () => makeKey(api))));
      const call = ({ key }: NewKey) =>
        callApi(`${second.baseUrl}/api/v1/monitor`, 'GET', undefined, { authorization: `Bearer ${key}` });
      const answers: Awaited<ReturnType<typeof call>>[] = [];
      for (const key of keys) for (let count = 0; count < calls.ofKey; count++) answers.push(await call(key));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(calls.ofOwner);
      const refusal = answers.at(-1)!;
      expect([refusal.status, refusal.body.error]).to.deep.equal([429, 'rate_limited']);
      expect(refusal.headers.get('ratelimit')).to.match(/^"default";r=\d+;t=\d+, "owner";r=0;t=\d+$/);
      const other = await makeWorld(app);
      expect((await call(await makeKey(other.api))).status, 'the key of another owner').to.equal(200);
    });

    it('on REST and MCP within their scopes and the role of their owner', async () => {
      const { id: monitorId } = await seedMonitor(world);
      const incidentId = await seedIncident(world, monitorId);
      const { key } = await makeKey((await world.member('Responder')).api, {
        scopes: ['monitor.read', 'incident.write'],
      });
      const api = app.withToken(key);
      expect((await api('GET', '/api/v1/monitor')).body.map(({ id }: Json) => id)).to.deep.equal([monitorId]);
      expect((await api('GET', '/api/v1/teams')).body.error).to.equal('insufficient_scope');
      expect((await api('POST', '/api/v1/monitor', { url: 'https://a.example/' })).body.error).to.equal(
        'insufficient_scope',
      );
      const client = new RpcClient(app.baseUrl, { token: key });
      const listed = await client.tool('list_monitors', {});
      expect(JSON.parse(listed.result.content[0].text).map(({ id }: Json) => id)).to.deep.equal([monitorId]);
      const noted = await client.tool('add_incident_note', { incidentId, note: 'seen' });
      expect(noted.result.isError, JSON.stringify(noted)).to.not.equal(true);
      const reading = new RpcClient(app.baseUrl, { token: (await makeKey(world.api)).key });
      const refused = await reading.tool('add_incident_note', { incidentId, note: 'seen' });
      expect(JSON.stringify(refused)).to.include('insufficient_scope');
      const foreign = await makeWorld(app);
      const outside = new RpcClient(app.baseUrl, {
        token: key,
        headers: { 'x-workspace-id': foreign.workspaceId },
      });
      expect(JSON.stringify(await outside.tool('list_monitors', {}))).to.include('no_workspace_context');
    });

    it('in their own workspace only, which needs no name, and which is the only one that they list', async () => {
      const foreign = await makeWorld(app);
      const [mine, theirs] = [await seedMonitor(world), await seedMonitor(foreign)];
      const { key } = await makeKey(world.api, { scopes: ['monitor.admin', 'account.read'] });
      // The person works elsewhere meanwhile, and goes on doing so.
      const personal = world.owner.workspaceId;
      await world.owner.api('GET', '/api/v1/monitor', undefined, { 'x-workspace-id': personal });
      const api = app.withToken(key);
      const ids = async (headers = {}) =>
        (await api('GET', '/api/v1/monitor', undefined, headers)).body.map(({ id }: Json) => id);
      expect(await ids()).to.deep.equal([mine.id]);
      expect(await ids({ 'x-workspace-id': world.workspaceId.toUpperCase() })).to.deep.equal([mine.id]);
      expect(await ids({ cookie: `workspace_id=${personal}` })).to.deep.equal([mine.id]);
      expect((await api('GET', `/api/v1/monitor/${theirs.id}`)).status).to.equal(404);
      for (const other of [personal, foreign.workspaceId, nobodysId()]) {
        const named = await api('GET', '/api/v1/monitor', undefined, { 'x-workspace-id': other });
        expect([named.status, named.body.error]).to.deep.equal([403, 'no_workspace_context']);
        expect((await api('GET', `/api/v1/workspaces/${other}`)).status).to.equal(404);
      }
      const { body, headers } = await api('GET', '/api/v1/workspaces');
      expect(body.map(({ id }: Json) => id)).to.deep.equal([world.workspaceId]);
      expect(headers.get('x-total-count')).to.equal('1');
      const { body: ownMonitors } = await world.owner.api('GET', '/api/v1/monitor');
      expect(ownMonitors, 'the default of the person').to.deep.equal([]);
    });

    it('with the time of the last use to the minute, and without a statement for each request', async () => {
      const { key, id } = await makeKey(world.api);
      const lastUsed = async () => (await world.api('GET', PATH)).body.find((one: Json) => one.id === id).lastUsedAt;
      expect(await lastUsed()).to.equal(null);
      const ask = () => app.withToken(key)('GET', '/api/v1/product');
      app.clock.advance(17 * SECOND_MS + 3);
      expect(await countQueries(ask), 'looks it up and notes the use').to.be.within(2, 3);
      const minute = new Date(Math.floor(app.clock.now() / MINUTE_MS) * MINUTE_MS).toISOString();
      expect(await lastUsed()).to.equal(minute);
      expect(await countQueries(ask)).to.equal(0);
      app.clock.advance(4 * SECOND_MS);
      expect(await countQueries(ask), 'looks up the key and the suspension again').to.equal(2);
      app.clock.advance(MINUTE_MS);
      await ask();
      expect(Date.parse(await lastUsed())).to.equal(Date.parse(minute) + MINUTE_MS);
    });

    it('by many requests at once, each found by one indexed lookup or remembered for a moment', async () => {
      const { key } = await makeKey(world.api);
      const plan = await app.db.transaction(async (tx) => {
        await tx.query('SET LOCAL enable_seqscan = off');
        return tx.query<{ 'QUERY PLAN': string }>('EXPLAIN SELECT id FROM api_key WHERE prefix = $1', [
          key.slice(0, 16),
        ]);
      });
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).to.include('api_key_prefix_key');
      const answers = await Promise.all(Array.from({ length: 40 }, () => app.withToken(key)('GET', '/api/v1/monitor')));
      expect(answers.every(({ status }) => status === 200)).to.equal(true);
      expect(await outcomes(key)).to.deep.equal(WORKS);
      expect(await outcomes(key)).to.deep.equal(WORKS);
      expect(await outcomes(`${key}A`)).to.deep.equal(both('401 invalid_token'));
      const metrics = await second.registry.metrics();
      for (const outcome of ['cached', 'verified', 'refused'])
        expect(metrics).to.match(new RegExp(`watchpost_api_key_verifications_total\\{outcome="${outcome}"\\} [1-9]`));
    });

    it('and count towards a rate limit of their own', async () => {
      const [one, other] = [await makeKey(world.api), await makeKey(world.api)];
      const ask = (token: string) =>
        callApi(`${second.baseUrl}/api/v1/product`, 'GET', undefined, { authorization: `Bearer ${token}` });
      const answers = await Promise.all(Array.from({ length: 25 }, () => ask(one.key)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(20);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(5);
      expect((await ask(other.key)).status).to.equal(200);
      expect((await ask(await app.token(world.owner.sub))).status).to.equal(200);
    });

    it('and every change names them in the audit log', async () => {
      const { key, id, prefix } = await makeKey(world.api, { name: 'Deployments', scopes: ['monitor.write'] });
      await seedMonitor({ api: app.withToken(key) });
      const [created] = await audited('monitor.created');
      expect(created.actor).to.deep.equal({ type: 'apiKey', id, name: 'Deployments' });
      expect(created.via).to.equal('rest');
      const [made] = await audited('api_key.created');
      expect(made.actor).to.deep.include({ type: 'user', id: world.owner.userId });
      expect(made.target).to.deep.equal({ type: 'api_key', id, name: 'Deployments' });
      expect(made.changes).to.deep.include({
        prefix: { from: null, to: prefix },
        key: { from: null, to: '***' },
        scopes: { from: null, to: ['monitor.write'] },
      });
      const byKey = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?actorId=${id}`);
      expect(byKey.body.map(({ action }: Json) => action)).to.deep.equal(['monitor.created']);
    });

    it('and refused with 401 where they are malformed, wrong, unknown or of no known kind', async () => {
      const { key } = await makeKey(world.api);
      const last = key.at(-1) === 'A' ? 'B' : 'A';
      for (const text of [
        `${key.slice(0, -1)}${last}`,
        `wpk_000000000000${key.slice(16)}`,
        key.slice(0, -1),
        `${key}A`,
        key.toUpperCase(),
        'wpk_',
        'wpk_x',
        key.slice(0, 16),
      ]) {
        const answer = await app.withToken(text)('GET', '/api/v1/monitor');
        expect([answer.status, answer.body.error], text).to.deep.equal([401, 'invalid_token']);
        expect(answer.headers.get('www-authenticate')).to.match(/^Bearer error="invalid_token"/);
        expect(JSON.stringify(answer.body)).to.not.include(key.slice(17, 40));
      }
      expect(await outcomes(key)).to.deep.equal(WORKS);
    });
  });

  describe('end in every process within 5 s', () => {
    let member: TestMember;
    let made: NewKey;
    beforeEach(async () => {
      member = await world.member('Editor');
      made = await makeKey(member.api, { scopes: ['monitor.write', 'account.read', 'user.read'] });
      expect(await outcomes(made.key)).to.deep.equal(WORKS);
    });
    const members = () => `/api/v1/workspaces/${world.workspaceId}/members`;

    it('when they are revoked, by their owner', async () => {
      expect((await member.api('DELETE', `${PATH}/${made.id}`)).status).to.equal(204);
      app.clock.advance(PROMISED_MS);
      expect(await outcomes(made.key)).to.deep.equal(both('401 invalid_token'));
      const [entry] = await audited('api_key.revoked');
      expect([entry.actor.id, entry.target.id]).to.deep.equal([member.userId, made.id]);
      expect(entry.changes.prefix).to.deep.equal({ from: made.prefix, to: null });
    });

    it('when they are revoked, by an Admin who sees them with their owners, and by nobody else', async () => {
      const [admin, viewer] = [await world.member('Admin'), await world.member('Viewer')];
      expect((await viewer.api('DELETE', `${PATH}/${made.id}`)).status).to.equal(404);
      expect((await viewer.api('GET', `${PATH}?all=true`)).body.error).to.equal('insufficient_workspace_role');
      expect((await viewer.api('GET', PATH)).body).to.deep.equal([]);
      expect((await admin.api('GET', PATH)).body).to.deep.equal([]);
      const { body } = await admin.api('GET', `${PATH}?all=true`);
      expect(body.map(({ id, owner }: Json) => [id, owner.userId])).to.deep.equal([[made.id, member.userId]]);
      const foreign = await makeWorld(app);
      expect((await foreign.api('DELETE', `${PATH}/${made.id}`)).status).to.equal(404);
      expect((await admin.api('DELETE', `${PATH}/${made.id}`)).status).to.equal(204);
      app.clock.advance(PROMISED_MS);
      expect(await outcomes(made.key)).to.deep.equal(both('401 invalid_token'));
    });

    it('when they expire, at that moment', async () => {
      const { key } = await makeKey(member.api, { expiresAt: new Date(app.clock.now() + 2_000).toISOString() });
      expect(await outcomes(key)).to.deep.equal(WORKS);
      app.clock.advance(1_999);
      expect(await outcomes(key)).to.deep.equal(WORKS);
      app.clock.advance(1);
      expect(await outcomes(key)).to.deep.equal(both('401 invalid_token'));
      app.clock.advance(29 * DAY_MS);
      await purgeApiKeys(app);
      expect((await member.api('GET', PATH)).body).to.have.length(2);
      app.clock.advance(DAY_MS);
      await purgeApiKeys(app);
      expect((await member.api('GET', PATH)).body.map(({ id }: Json) => id)).to.deep.equal([made.id]);
    });

    it('when their owner is removed, for good, also where the person comes back', async () => {
      expect((await world.api('DELETE', `${members()}/${member.memberId}`)).status).to.equal(204);
      expect(await outcomes(made.key)).to.deep.equal(both('403 no_workspace_context'));
      app.clock.advance(PROMISED_MS);
      expect(await outcomes(made.key, '/api/v1/user')).to.deep.equal(both('401 invalid_token'));
      const [entry] = await audited('api_key.revoked');
      expect([entry.actor.id, entry.target.id]).to.deep.equal([world.owner.userId, made.id]);
      await app.sql(
        `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used)
         VALUES ($1, $2, $3, 'Admin', $4, $4)`,
        [nobodysId(), world.workspaceId, member.userId, new Date(app.clock.now())],
      );
      expect(await outcomes(made.key)).to.deep.equal(both('401 invalid_token'));
    });

    it('when their owner leaves, deletes the account, or the workspace is deleted', async () => {
      expect((await member.api('DELETE', `${members()}/me`)).status).to.equal(204);
      expect((await audited('api_key.revoked')).map(({ target }) => target.id)).to.deep.equal([made.id]);
      const viewer = await world.member('Viewer');
      const ofViewer = await makeKey(viewer.api);
      const account = app.as(viewer.sub, { scope: 'user.write' });
      expect((await account('DELETE', `/api/v1/user/${viewer.userId}`)).status).to.equal(204);
      expect((await audited('api_key.revoked')).map(({ target }) => target.id)).to.have.members([ofViewer.id, made.id]);
      const ofOwner = await makeKey(world.api);
      expect(await outcomes(ofOwner.key)).to.deep.equal(WORKS);
      expect((await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}`)).status).to.equal(204);
      app.clock.advance(PROMISED_MS);
      for (const { key } of [made, ofViewer, ofOwner])
        expect(await outcomes(key)).to.deep.equal(both('401 invalid_token'));
      const [left] = await app.sql('SELECT count(*) AS count FROM api_key WHERE workspace_id = $1', [
        world.workspaceId,
      ]);
      expect(left).to.deep.equal({ count: 0 });
    });

    it('while the membership or the account is suspended, and not afterwards', async () => {
      const of = `${members()}/${member.memberId}`;
      await world.api('PATCH', of, { status: 'suspended' });
      app.clock.advance(PROMISED_MS);
      for (const path of ['/api/v1/monitor', '/api/v1/user'])
        expect(await outcomes(made.key, path)).to.deep.equal(both('403 member_suspended'));
      await world.api('PATCH', of, { status: 'active' });
      expect(await outcomes(made.key)).to.deep.equal(WORKS);
      for (const { email } of [member, world.owner]) {
        const suspend = (isSuspended: boolean) =>
          setSuspension(
            { db: app.db, clock: app.clock, suspensionListeners: suspensionListeners(app) },
            email,
            isSuspended,
          );
        await suspend(true);
        app.clock.advance(PROMISED_MS);
        for (const path of ['/api/v1/monitor', '/api/v1/user'])
          expect(await outcomes(made.key, path)).to.deep.equal(both('403 member_suspended'));
        await suspend(false);
        app.clock.advance(PROMISED_MS);
        expect(await outcomes(made.key)).to.deep.equal(WORKS);
      }
    });

    it('as far as another role of their owner permits less', async () => {
      const api = app.withToken(made.key);
      expect((await api('POST', '/api/v1/monitor', { url: 'https://a.example/' })).status).to.equal(201);
      await world.api('PATCH', `${members()}/${member.memberId}`, { role: 'Viewer' });
      const refused = await api('POST', '/api/v1/monitor', { url: 'https://b.example/' });
      expect([refused.status, refused.body.error]).to.deep.equal([403, 'insufficient_workspace_role']);
      expect((await api('GET', '/api/v1/monitor')).status).to.equal(200);
    });
  });
});
