import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { purgeAudit } from '@watchpost/control-plane/capabilities/audit/index';
import { planListeners } from '@watchpost/control-plane/app/compose-owner-changes';
import { endTrials } from '@watchpost/control-plane/capabilities/plans/index';
import type { Json } from '../../support/product.js';
import { create, nobodysId, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { RpcClient } from '../mcp/rpc-client.js';

/** They are their REST routes, whose entries the tests of these routes are about. */
const TWINS = [
  'run_check',
  'silence_monitor',
  'create_maintenance_window',
  'change_monitors',
  'publish_status_post',
  'apply_config',
];

describe('the audit log, whichever way a change comes in', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  beforeEach(async () => {
    app.clock.advance(1_000);
  });

  async function audit(workspaceId = world.workspaceId, api = world.api): Promise<Json[]> {
    const { status, body } = await api('GET', `/api/v1/workspaces/${workspaceId}/audit`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  /** What `work` adds to the log, the latest first. */
  async function added(work: () => Promise<unknown>): Promise<Json[]> {
    const before = new Set((await audit()).map(({ id }) => id));
    app.clock.advance(1_000);
    await work();
    return (await audit()).filter(({ id }) => !before.has(id));
  }

  it('every write tool of assistants makes one entry, and none where it is refused or changes nothing', async () => {
    const { id: monitorId } = await seedMonitor(world);
    const args: Record<string, Json> = {
      acknowledge_incident: { acknowledged: true },
      add_incident_note: { note: 'seen' },
      close_incident: {},
    };
    const actions: Record<string, string> = {
      acknowledge_incident: 'incident.acknowledged',
      add_incident_note: 'incident.note_added',
      close_incident: 'incident.closed',
    };
    const writing = app.plane.mcp.tools.filter(({ effect }) => !effect.readOnlyHint).map(({ name }) => name);
    expect(writing).to.have.members([...Object.keys(actions), ...TWINS]);
    const incidentId = await seedIncident(world, monitorId);
    const responder = await world.member('Responder');
    const client = async (user: { sub: string }) =>
      new RpcClient(app.baseUrl, {
        token: await app.token(user.sub),
        headers: { 'x-workspace-id': world.workspaceId, 'x-request-id': 'by-assistant' },
      });
    const [allowed, forbidden] = [await client(responder), await client(await world.member('Viewer'))];
    await allowed.initialize('2025-11-25');
    for (const [name, action] of Object.entries(actions)) {
      const refused = () => forbidden.tool(name, { incidentId, ...args[name] });
      expect(await added(refused), `${name} by a Viewer`).to.deep.equal([]);
      const missing = () => allowed.tool(name, { incidentId: nobodysId(), ...args[name] });
      expect(await added(missing), `${name} of nothing`).to.deep.equal([]);
      const [entry, ...more] = await added(() => allowed.tool(name, { incidentId, ...args[name] }));
      expect(more).to.deep.equal([]);
      expect(entry).to.deep.include({ action, via: 'mcp', requestId: 'by-assistant', remoteAddress: '127.0.0.1' });
      expect(entry.actor).to.deep.include({ type: 'user', id: responder.userId });
      expect(entry.assistant).to.deep.equal({ client: 'bare 1.0', tool: name });
      expect(entry.target).to.deep.equal({ type: 'incident', id: incidentId, name: 'Shop' });
      if (name !== 'acknowledge_incident') continue;
      const again = () => allowed.tool(name, { incidentId, ...args[name] });
      expect(await added(again), 'acknowledged already').to.deep.equal([]);
    }
  });

  it('a plan set by the operator makes one entry in each workspace of the owner, and none where it is the same', async () => {
    const set = () => app.setPlan('Growth', { monitors: 77 }, world.owner);
    const personal = () => audit(world.owner.workspaceId, app.as(world.owner.sub));
    const before = await personal();
    const [entry, ...more] = await added(set);
    expect(more).to.deep.equal([]);
    expect(entry).to.deep.include({
      action: 'workspace.plan_changed',
      actor: { type: 'operator', id: null, name: null },
      via: 'admin',
      target: { type: 'workspace', id: world.workspaceId, name: 'Acme' },
    });
    expect(entry.assistant).to.equal(null);
    expect(entry.changes).to.deep.include({ plan: { from: 'Enterprise', to: 'Growth' } });
    expect(entry.changes['limits.monitors'].to).to.equal(77);
    expect(await personal()).to.have.length(before.length + 1);
    expect(await added(set)).to.deep.equal([]);
  });

  it('a trial that ends is a change by the service itself', async () => {
    await app.setPlan('Starter', {}, world.owner);
    const path = `/api/v1/user/${world.owner.userId}/trial`;
    const [started] = await added(() => create(world.api, path, { plan: 'Growth' }, 'PUT'));
    expect(started).to.deep.include({ action: 'workspace.trial_started', via: 'rest' });
    expect(started.changes.plan).to.deep.equal({ from: 'Starter', to: 'Growth' });
    const { clock, db } = app;
    clock.advance(15 * DAY_MS);
    const [ended] = await added(() => endTrials({ db, clock, planListeners: planListeners({ clock }) }));
    expect(ended).to.deep.include({ action: 'workspace.trial_ended', via: null });
    expect(ended.actor).to.deep.equal({ type: 'system', id: null, name: null });
    expect(ended.changes.plan).to.deep.equal({ from: 'Growth', to: 'Starter' });
  });

  it('what a smaller plan pauses and disables is a change by the service itself', async () => {
    await seedMonitor(world, { name: 'First' });
    const group = { name: 'Ops', recipients: ['ops@example.test'] };
    await create(world.api, '/api/v1/action-groups/email', group);
    const entries = await added(() => app.setPlan('Starter', { monitors: 0, emailGroups: 0 }, world.owner));
    const paused = entries.find(({ action }) => action === 'monitor.updated');
    expect(paused).to.deep.include({ actor: { type: 'system', id: null, name: null }, via: null });
    expect(paused.target.name).to.equal('First');
    expect(paused.changes).to.deep.equal({ monitoringStatus: { from: 'enabled', to: 'paused' } });
    const disabled = entries.find(({ action }) => action === 'action_group.updated');
    expect(disabled.changes).to.deep.equal({ isEnabled: { from: true, to: false } });
    expect(entries.filter(({ action }) => action === 'workspace.plan_changed')).to.have.length(1);
  });

  it('routing a service group is recorded once, and so is the end of it', async () => {
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    const group = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const path = `/api/v1/teams/${team.id}/service-groups/${group.id}`;
    const route = () => create(world.api, path, undefined, 'PUT');
    const [routed] = await added(route);
    expect(routed).to.deep.include({ action: 'team.group_routed' });
    expect(routed.changes).to.deep.equal({ serviceGroupId: { from: null, to: group.id } });
    expect(await added(route)).to.deep.equal([]);
    const [unrouted] = await added(() => create(world.api, path, undefined, 'DELETE'));
    expect(unrouted).to.deep.include({ action: 'team.group_unrouted' });
  });

  it('a suspension, another role and a replaced invitation have actions of their own', async () => {
    const { memberId } = await world.member('Editor');
    const member = `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`;
    const change = (body: object) => added(() => create(world.api, member, body, 'PATCH'));
    const [suspended] = await change({ status: 'suspended' });
    expect(suspended).to.deep.include({ action: 'member.suspended' });
    expect(suspended.target.id).to.equal(memberId);
    expect(suspended.target.name).to.be.a('string');
    const [reactivated] = await change({ status: 'active', role: 'Viewer' });
    expect(reactivated).to.deep.include({ action: 'member.role_changed' });
    expect(reactivated.changes).to.deep.equal({
      role: { from: 'Editor', to: 'Viewer' },
      status: { from: 'suspended', to: 'active' },
    });

    const invitations = `/api/v1/workspaces/${world.workspaceId}/invitations`;
    const invite = () => create(world.api, invitations, { email: 'ann@example.test', role: 'Viewer' });
    const [first] = await added(invite);
    expect(first.changes.link).to.deep.equal({ from: null, to: '***' });
    const replaced = await added(invite);
    expect(replaced.map(({ action }) => action)).to.have.members(['invitation.created', 'invitation.revoked']);
    expect(replaced.find(({ action }) => action === 'invitation.revoked').target.id).to.equal(first.target.id);
  });

  it('no secret of an action group, invitation or calendar link gets into the log', async () => {
    const secrets: string[] = [];
    const keep = (text: string) => {
      secrets.push(text);
      return text;
    };
    const groups = '/api/v1/action-groups';
    const hook = await create(world.api, `${groups}/webhook`, {
      name: 'Hook',
      url: 'https://hooks.example/a',
      headers: { authorization: keep('Bearer one-of-many'), 'x-plain': 'seen' },
    });
    keep(hook['secret'] as string);
    const [changed] = await added(() =>
      create(
        world.api,
        `${groups}/webhook/${hook.id}`,
        { headers: { authorization: keep('Bearer other-one') } },
        'PUT',
      ),
    );
    expect(changed.changes).to.deep.equal({
      'headers.authorization': { from: '***', to: '***' },
      'headers.x-plain': { from: 'seen', to: null },
    });
    const [rotated] = await added(async () =>
      keep((await create(world.api, `${groups}/webhook/${hook.id}/rotate-secret`))['secret'] as string),
    );
    expect(rotated.changes).to.deep.equal({ secret: { from: '***', to: '***' } });
    const chat = await create(world.api, `${groups}/slack`, {
      name: 'Chat',
      webhookUrl: keep('https://hooks.slack.example/services/T0/B0/first-token'),
    });
    const webhookUrl = keep('https://hooks.slack.example/services/T0/B0/other-token');
    const [moved] = await added(() => create(world.api, `${groups}/slack/${chat.id}`, { webhookUrl }, 'PUT'));
    expect(moved.changes).to.have.property('webhookUrl');
    const invitations = `/api/v1/workspaces/${world.workspaceId}/invitations`;
    const invited = await create(world.api, invitations, { email: 'ann@example.test', role: 'Viewer' });
    keep(new URL(invited['link'] as string).searchParams.get('token')!);
    const team = await create(world.api, '/api/v1/teams', { name: 'Night watch' });
    const link = await create(world.api, `/api/v1/teams/${team.id}/calendar-links`, { name: 'Phone' });
    keep((link['url'] as string).split('/').at(-2)!);
    const [rows] = await app.sql<{ text: string }>(
      'SELECT string_agg(entry::text, chr(10)) AS text FROM audit_entry entry',
    );
    for (const secret of secrets) expect(rows!.text).not.to.contain(secret);
    expect(rows!.text).not.to.match(/first-token|other-token|one-of-many|other-one/);
  });

  it('an account that is deleted leaves the other workspaces, which their Admins see', async () => {
    const editor = await world.member('Editor');
    const remove = () => create(app.as(editor.sub), `/api/v1/user/${editor.userId}`, undefined, 'DELETE');
    const [left, ...more] = await added(remove);
    expect(more).to.deep.equal([]);
    expect(left).to.deep.include({ action: 'member.left' });
    expect(left.target).to.deep.equal({ type: 'member', id: editor.memberId, name: null });
    expect(left.actor).to.deep.equal({ type: 'user', id: editor.userId, name: null });
  });

  it('what happened in a deleted workspace is kept for 30 days, out of reach of its members', async () => {
    const { db, clock } = app;
    await seedMonitor(world);
    const count = async () => {
      const sql = 'SELECT count(*) AS count FROM audit_entry WHERE workspace_id = $1';
      return app.value<number>(sql, [world.workspaceId]);
    };
    await create(world.api, `/api/v1/workspaces/${world.workspaceId}`, undefined, 'DELETE');
    expect((await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit`)).status).to.equal(404);
    const kept = await count();
    expect(kept).to.be.at.least(2);
    clock.advance(29 * DAY_MS);
    await purgeAudit({ db, clock });
    expect(await count()).to.equal(kept);
    clock.advance(2 * DAY_MS);
    await purgeAudit({ db, clock });
    expect(await count()).to.equal(0);
  });

  it('a change and its entry are made together or not at all', async () => {
    await app.sql(`ALTER TABLE audit_entry ADD CONSTRAINT refuse_all CHECK (false) NOT VALID`);
    try {
      const answer = await world.api('POST', '/api/v1/service-group', { name: 'Unseen' });
      expect(answer.status).to.equal(500);
    } finally {
      await app.sql('ALTER TABLE audit_entry DROP CONSTRAINT refuse_all');
    }
    const groups = await world.api('GET', '/api/v1/service-group');
    expect(groups.body).to.deep.equal([]);
  });
});
