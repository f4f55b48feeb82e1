import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { setPlanCommand } from '@watchpost/control-plane/app/admin/set-plan-command';
import { endTrials } from '@watchpost/control-plane/capabilities/plans/index';
import { seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, startedForEach } from '../../support/suite.js';

describe('The trial of an account', () => {
  const app = appForSuite();
  const user = startedForEach(() => app.user());
  let path: string;

  beforeEach(() => {
    path = `/api/v1/user/${user.userId}/trial`;
  });

  const end = () => app.plane.jobs.find(({ name }) => name === 'end_trials')!.run();
  const planOf = async () => (await user.api('GET', '/api/v1/user')).body.plan as string;
  const statuses = async () => {
    const rows = await app.sql<{ monitoring_status: string }>(
      'SELECT monitoring_status FROM monitor WHERE workspace_id = $1 ORDER BY created, id',
      [user.workspaceId],
    );
    return rows.map((row) => row.monitoring_status);
  };

  it('has not begun at first', async () => {
    expect((await user.api('GET', path)).body).to.deep.equal({
      status: 'none',
      plan: null,
      started: null,
      ends: null,
      daysRemaining: null,
    });
  });

  it('gives the plan at once, for fourteen days', async () => {
    const { status, body } = await user.api('PUT', path, { plan: 'Growth' });
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'active', plan: 'Growth', daysRemaining: 14 });
    expect(Date.parse(body.ends) - Date.parse(body.started)).to.equal(14 * DAY_MS);
    expect(await planOf()).to.equal('Growth');
    app.clock.advance(DAY_MS + 1);
    expect((await user.api('GET', '/api/v1/user')).body.trial.daysRemaining).to.equal(13);
    app.clock.advance(13 * DAY_MS - 2);
    await end();
    expect([(await user.api('GET', path)).body.status, await planOf()]).to.deep.equal(['active', 'Growth']);
    app.clock.advance(1);
    await end();
    expect((await user.api('GET', path)).body).to.include({ status: 'expired', plan: 'Growth', daysRemaining: 0 });
    expect(await planOf()).to.equal('Starter');
  });

  it('is there once, however many ask at once', async () => {
    const answers = await Promise.all(
      ['Growth', 'Pro', 'Enterprise', 'Pro'].map((plan) => user.api('PUT', path, { plan })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error).to.equal('trial_already_used');
    app.clock.advance(15 * DAY_MS);
    await end();
    expect((await user.api('PUT', path, { plan: 'Pro' })).status).to.equal(409);
  });

  it('is of a paid plan', async () => {
    for (const plan of ['Starter', 'Gold', null]) {
      const { status, body } = await user.api('PUT', path, { plan });
      expect([status, body.details[0].path]).to.deep.equal([400, 'plan']);
    }
    expect(await planOf()).to.equal('Starter');
  });

  it('pauses what is over the limits when it ends, the newest first, and deletes nothing', async () => {
    await app.sql(`UPDATE user_account SET plan_limits = '{"monitors": 2}' WHERE id = $1`, [user.userId]);
    await user.api('PUT', path, { plan: 'Pro' });
    await app.sql(`UPDATE user_account SET plan_limits = '{}' WHERE id = $1`, [user.userId]);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      app.clock.advance(1_000);
      ids.push((await seedMonitor(user, { name: `m${n}`, checkTimeout: 'PT10S', enabledRegions: ['eastus2'] })).id);
    }
    await user.api('PUT', `/api/v1/monitor/${ids[1]}`, { monitoringStatus: 'disabled' });
    const incident = await seedIncident({ app, workspaceId: user.workspaceId }, ids[4]!);
    const revisions = () =>
      app.sql<{ revision: number }>('SELECT revision FROM monitor WHERE workspace_id = $1 ORDER BY created', [
        user.workspaceId,
      ]);
    const before = await revisions();
    await app.sql(`UPDATE user_account SET plan_limits = '{"monitors": 2}' WHERE id = $1`, [user.userId]);
    app.clock.advance(14 * DAY_MS);
    await end();
    expect(await statuses()).to.deep.equal(['enabled', 'disabled', 'enabled', 'paused', 'paused']);
    for (const [index, { revision }] of (await revisions()).entries()) {
      expect(revision).to.be.greaterThan(before[index]!.revision);
    }
    const { body: kept } = await user.api('GET', `/api/v1/monitor/${ids[0]}`);
    expect(kept).to.deep.include({ enabledRegions: ['eastus2'], planRestricted: ['eastus2', 'checkTimeout'] });
    expect((await user.api('GET', `/api/v1/incident/${incident}`)).body).to.include({ isClosed: true });

    const resumed = await user.api('PUT', `/api/v1/monitor/${ids[4]}`, { monitoringStatus: 'enabled' });
    expect([resumed.status, resumed.body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    await user.api('PUT', `/api/v1/monitor/${ids[0]}`, { monitoringStatus: 'paused' });
    const answers = await Promise.all(
      [ids[3], ids[4]].map((id) => user.api('PUT', `/api/v1/monitor/${id}`, { monitoringStatus: 'enabled' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 403]);
  });

  it('is spent for good: an account that is deleted and made anew has no other', async () => {
    await user.api('PUT', path, { plan: 'Growth' });
    expect((await user.api('DELETE', `/api/v1/user/${user.userId}`)).status).to.equal(204);
    const again = await app.user(user.sub);
    expect(again.userId).not.to.equal(user.userId);
    const { status, body } = await again.api('PUT', `/api/v1/user/${again.userId}/trial`, { plan: 'Pro' });
    expect([status, body.error]).to.deep.equal([409, 'trial_already_used']);
    expect(await planOf()).to.equal('Starter');
    const other = await app.user();
    const theirs = `/api/v1/user/${other.userId}/trial`;
    expect((await other.api('PUT', theirs, { plan: 'Pro' })).status, 'nobody else is held to it').to.equal(200);
  });

  it('takes nothing away from an account that has more', async () => {
    await app.setPlan('Pro', {}, user);
    await user.api('PUT', path, { plan: 'Growth' });
    expect(await planOf()).to.equal('Pro');
    app.clock.advance(14 * DAY_MS);
    await end();
    expect(await planOf()).to.equal('Pro');
  });

  it('ends where the operator gives a plan, which then stays', async () => {
    await user.api('PUT', path, { plan: 'Growth' });
    app.clock.advance(DAY_MS);
    await app.setPlan('Pro', {}, user);
    expect((await user.api('GET', path)).body).to.include({ status: 'expired', plan: 'Growth' });
    app.clock.advance(20 * DAY_MS);
    await end();
    expect(await planOf()).to.equal('Pro');
  });

  it('ends once, in however many processes', async () => {
    await user.api('PUT', path, { plan: 'Growth' });
    app.clock.advance(14 * DAY_MS);
    const deps = { db: app.db, clock: app.clock };
    const ended = await Promise.all([1, 2, 3].map(() => endTrials(deps)));
    expect(ended.reduce((sum, count) => sum + count)).to.equal(1);
  });

  it("is like the operator's set-plan, which pauses what a smaller plan has no room for", async () => {
    await app.setPlan('Growth', {}, user);
    for (let n = 0; n < 3; n++) {
      app.clock.advance(1_000);
      await seedMonitor(user, { name: `m${n}` });
    }
    const deps = { db: app.db, clock: app.clock };
    const lines = await setPlanCommand.run(deps, ['--user', user.email, '--plan', 'Starter', '--limit', 'monitors=1']);
    expect(lines[0]).to.include('monitors=1');
    expect(await statuses()).to.deep.equal(['enabled', 'paused', 'paused']);
    await setPlanCommand.run(deps, ['--user', user.email, '--plan', 'Growth']);
    expect(await statuses(), 'nothing runs again by itself').to.deep.equal(['enabled', 'paused', 'paused']);
  });
});
