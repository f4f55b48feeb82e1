import { expect } from 'chai';
import { suspensionListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { setSuspension } from '@watchpost/control-plane/capabilities/users/suspend-user';
import type { Outcome } from '@watchpost/shared/outcome';
import { DAY_MS, SECOND_MS } from '@watchpost/shared/time';
import { file, linkTo } from '../incidents/seed-evidence.js';
import { openIncident, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { AgentClient } from '../fleet/agent-client.js';
import { DOWN, resultOf, resultsDeps, UP } from '../results/seed.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { type Api, type Product, startProduct } from '../../support/product.js';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

describe('A suspended account', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);
  const hook = receiverForEach();

  const suspend = (isSuspended: boolean, email = world.owner.email) =>
    setSuspension({ db: app.db, clock: app.clock, suspensionListeners: suspensionListeners(app) }, email, isSuspended);
  /** As long as another process may go by what it knew. */
  const pass = () => app.clock.advance(2 * SECOND_MS);
  const run = () => app.plane.delivery.runDue();

  it('is refused within two seconds, its members too, and nobody else', async () => {
    const member = await world.member('Editor');
    expect((await world.api('GET', '/api/v1/monitor')).status).to.equal(200);
    await suspend(true);
    pass();
    for (const path of ['/api/v1/user', '/api/v1/workspaces', '/api/v1/monitor']) {
      const { status, body } = await world.owner.api('GET', path);
      expect([status, body.error], path).to.deep.equal([403, 'member_suspended']);
    }
    expect((await member.api('GET', '/api/v1/monitor')).body.error).to.equal('member_suspended');
    const own = await app.as(member.sub)('GET', '/api/v1/monitor');
    expect(own.status, 'a member works on in the own workspace').to.equal(200);
    expect((await (await makeWorld(app)).api('GET', '/api/v1/monitor')).status).to.equal(200);

    await suspend(false);
    pass();
    expect((await world.api('GET', '/api/v1/user')).status).to.equal(200);
    expect((await member.api('GET', '/api/v1/monitor')).status).to.equal(200);
  });

  it('is named by its id where it has no email', async () => {
    const { userId } = world.owner;
    await app.sql('UPDATE user_account SET email = NULL WHERE id = $1', [userId]);
    expect(await suspend(true, userId)).to.deep.equal({ account: userId, isChanged: true, workspaces: 2 });
    expect(await suspend(false, userId)).to.include({ isChanged: true });
  });

  it('is found by an email that others claim without having verified it', async () => {
    const { email, userId } = world.owner;
    for (let index = 0; index < 25; index++) {
      const claimant = await app.user();
      await app.sql(
        `UPDATE user_account SET email = $2, email_verified = false, created = created - interval '1 day' WHERE id = $1`,
        [claimant.userId, email],
      );
    }
    await suspend(true);
    const suspended = await app.sql('SELECT id FROM user_account WHERE suspended_at IS NOT NULL');
    expect(suspended).to.deep.equal([{ id: userId }]);
    await suspend(false);
  });

  it('is named by its id where its email is that of several accounts, which the refusal lists', async () => {
    const { email, userId } = world.owner;
    const other = await app.user();
    await app.sql('UPDATE user_account SET email = $2, email_verified = true WHERE id = $1', [other.userId, email]);
    const refusal = await suspend(true).catch((error: Error) => error.message);
    expect(refusal).to.include(`2 accounts have the email ${email}`);
    for (const id of [userId, other.userId]) expect(refusal).to.include(`${id}  verified  ${app.issuer.issuer}`);
    expect(await suspend(true, other.userId)).to.include({ account: email, isChanged: true });
    expect((await world.api('GET', '/api/v1/user')).status).to.equal(200);
    await suspend(false, other.userId);
  });

  it('gets no workspace of another account, and its person is not on call there', async () => {
    const [heir, other] = [await world.member('Admin'), await world.member('Responder')];
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    const path = `/api/v1/teams/${teamId}`;
    for (const { userId } of [heir, other]) await create(world.api, `${path}/members`, { userId, teamRole: 'member' });
    const schedule = { rotation: 'weekly', timezone: 'UTC', startDate: '2026-11-01' };
    await create(world.api, `${path}/schedule`, { ...schedule, participants: [heir.userId] }, 'PUT');
    const onCall = async () => (await world.api('GET', `${path}/oncall`)).body.user?.userId ?? null;
    expect(await onCall()).to.equal(heir.userId);

    await suspend(true, heir.email);
    expect(await onCall()).to.equal(null);
    const transfer = () =>
      world.api('POST', `/api/v1/workspaces/${world.workspaceId}/transfer-ownership`, { memberId: heir.memberId });
    const { status, body } = await transfer();
    expect([status, body.details.map((detail: { path: string }) => detail.path)]).to.deep.equal([400, ['memberId']]);
    expect((await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`)).body.role).to.equal('Owner');

    await suspend(false, heir.email);
    expect(await onCall()).to.equal(heir.userId);
    expect((await transfer()).status).to.equal(200);
  });

  it('sends nothing, and what it would have sent goes out afterwards, once and in its order', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    const first = await openIncident(world, monitorId);
    await suspend(true);
    await run();
    expect(hook.calls).to.have.length(0);
    const other = await seedUnnoticed(monitorId);
    app.clock.advance(3 * DAY_MS);
    await run();
    expect(hook.calls).to.have.length(0);

    await suspend(false);
    await run();
    const incidents = hook.calls.map(({ body }) => JSON.parse(body).data.incident.id);
    expect(incidents).to.deep.equal([first, other]);
    app.clock.advance(DAY_MS);
    await run();
    expect(hook.calls).to.have.length(2);
  });

  /** An incident of another monitor of the same groups, opened by a result that was under way. */
  async function seedUnnoticed(monitorId: string): Promise<string> {
    const id = await app.value<string>(
      `INSERT INTO monitor (id, workspace_id, name, url, monitor_types, monitoring_status, check_interval_ms, check_timeout_ms,
         checks_before_alert, checks_before_recovery, enabled_regions, reporting, settings, created,
         last_modified, checks_changed)
       SELECT gen_random_uuid(), workspace_id, 'Second', url, monitor_types, monitoring_status, check_interval_ms,
         check_timeout_ms, checks_before_alert, checks_before_recovery, enabled_regions, reporting, settings, created, last_modified, checks_changed FROM monitor WHERE id = $1 RETURNING id`,
      [monitorId],
    );
    await app.sql(
      `INSERT INTO action_group_monitor (group_id, monitor_key, attached)
       SELECT attached.group_id, second.key, attached.attached FROM action_group_monitor attached
       JOIN monitor first ON first.key = attached.monitor_key, monitor second WHERE first.id = $1 AND second.id = $2`,
      [monitorId, id],
    );
    return openIncident(world, id);
  }

  it('pages nobody, and the ladder goes on where it was', async () => {
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const { id: teamId } = await create(world.api, '/api/v1/teams', { name: 'Web' });
    const ann = await world.member('Responder');
    await create(world.api, `/api/v1/teams/${teamId}/members`, { userId: ann.userId, teamRole: 'member' });
    const plan = { rotation: 'daily', startDate: '2026-11-01', participants: [ann.userId] };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, plan, 'PUT');
    await create(world.api, `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`, undefined, 'PUT');
    const { id: monitorId } = await create(world.api, '/api/v1/monitor', {
      url: 'https://shop.example/',
      serviceGroupId,
    });
    await openIncident(world, monitorId);
    const page = () => app.plane.periodicTasks.find(({ name }) => name === 'page_due')!.run();
    const paged = async () =>
      (await app.sql(`SELECT FROM delivery WHERE workspace_id = $1 AND purpose LIKE 'page%'`, [world.workspaceId]))
        .length;
    await suspend(true);
    await page();
    expect(await paged()).to.equal(0);
    await suspend(false);
    await page();
    expect(await paged()).to.equal(1);
  });

  it('keeps its incidents as they are: silence opens, closes and notifies nothing', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    const settings = { checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
    await create(world.api, `/api/v1/monitor/${monitorId}`, settings, 'PUT');
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    const check = (outcome: Outcome) => {
      app.clock.advance(60 * SECOND_MS);
      return file(app, 'northeurope', [resultOf(key, app.clock.now(), outcome)]);
    };
    const incidents = async () =>
      (await world.api<{ id: string; isClosed: boolean }[]>('GET', '/api/v1/incident')).body;
    await check(UP);
    await check(DOWN);
    await run();
    const [open] = await incidents();
    expect(open).to.include({ isClosed: false });
    await suspend(true);
    for (let day = 0; day < 3; day++) {
      app.clock.advance(DAY_MS);
      await sweepSilence({ ...resultsDeps(app.db), clock: app.clock });
    }
    await suspend(false);
    await run();
    expect(await incidents()).to.have.length(1);
    expect((await incidents())[0]).to.include({ id: open!.id, isClosed: false });
    expect(hook.calls).to.have.length(1);

    await check(UP);
    await run();
    expect((await incidents())[0]).to.include({ id: open!.id, isClosed: true });
    expect(hook.calls).to.have.length(2);
  });

  it('has no public page and no evidence until it is over', async () => {
    const slug = `acme-${app.clock.now()}`;
    const monitorId = await seedWatched(world);
    await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug,
      isPublished: true,
      groups: [{ name: 'Sites', systems: [{ name: 'Shop', monitorId }] }],
    });
    const evidence = await linkTo(app, await openIncident(world, monitorId));
    const statuses = async () => {
      app.clock.advance(60 * SECOND_MS);
      return Promise.all(
        [`${app.baseUrl}/status/${slug}`, `${app.baseUrl}/status/${slug}/feed.atom`, evidence].map(
          async (url) => (await fetch(url)).status,
        ),
      );
    };
    expect(await statuses()).to.deep.equal([200, 200, 200]);
    await suspend(true);
    expect(await statuses()).to.deep.equal([404, 404, 404]);
    await suspend(false);
    expect(await statuses()).to.deep.equal([200, 200, 200]);
  });

  it('is noted in the audit log of each of its workspaces, once', async () => {
    expect(await suspend(true)).to.include({ isChanged: true, workspaces: 2 });
    expect(await suspend(true)).to.include({ isChanged: false });
    pass();
    await suspend(false);
    expect(await suspend(false)).to.include({ isChanged: false });
    pass();
    const { body } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?targetType=workspace`);
    expect(body.map((entry: { action: string; via: string }) => [entry.action, entry.via])).to.deep.equal([
      ['workspace.unsuspended', 'admin'],
      ['workspace.suspended', 'admin'],
    ]);
  });
});

describe('An account that an operator suspends beside a running service', function () {
  let product: Product;
  let agent: AgentClient;
  let api: Api;
  let other: Api;

  before(async () => {
    product = await startProduct();
    agent = new AgentClient(product.grpcPort, (await product.createAgent('northeurope', 'h')).token).connect();
    api = product.apiAs('ann');
    other = product.apiAs('ben');
    for (const each of [api, other]) await create(each, '/api/v1/monitor', { url: 'https://shop.example/' });
    await has(2);
  });
  after(async () => {
    agent.disconnect();
    await product.stop();
  });

  const has = (checks: number) =>
    eventually(`${checks} checks`, () => (agent.checks.size === checks ? true : undefined), PATIENCE_MS, 5);

  it('is not checked by agents until the suspension is over, and nothing of it has changed then', async () => {
    const { body: before } = await api('GET', '/api/v1/monitor');
    const answer = await product.admin('suspend', '--user', 'ann@example.test');
    expect(JSON.stringify(answer)).to.include('is suspended');
    await has(1);
    await eventually('it is refused', async () =>
      (await api('GET', '/api/v1/monitor')).status === 403 ? true : undefined,
    );
    expect((await other('GET', '/api/v1/monitor')).status).to.equal(200);
    const ended = await product.admin('unsuspend', '--user', 'ann@example.test', '--json');
    expect(JSON.parse(ended)).to.include({ account: 'ann@example.test', isSuspended: false, isChanged: true });
    await has(2);
    const { body: after } = await eventually('it is let in', async () => {
      const read = await api('GET', '/api/v1/monitor');
      return read.status === 200 ? read : undefined;
    });
    expect(after).to.deep.equal(before);
  });
});
