import { expect } from 'chai';
import { runAdminCommand } from '../../support/admin-command.js';
import { makeWorld, seedMonitor } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

describe('The operators’ commands for one account', () => {
  const app = appForSuite();

  const admin = (...args: string[]) =>
    runAdminCommand(['users', ...args], {
      DATABASE_URL: app.databaseUrl,
      OIDC_ISSUER: app.issuer.issuer,
      DEFAULT_PLAN: 'Growth',
    });
  const json = async (...args: string[]) => JSON.parse(await admin(...args, '--json')) as Record<string, unknown>;

  it('show who it is and what it belongs to', async () => {
    const world = await makeWorld(app, 'Pro');
    const viewer = await world.member('Viewer');
    const shown = await admin('show', '--user', viewer.email);
    expect(shown)
      .to.match(/^plan: +Starter$/m)
      .and.include(`subject:  ${viewer.sub}`)
      .and.include(app.issuer.issuer);
    expect(shown.split('\n').filter((line) => / (Owner|Viewer) +active /.test(line))).to.have.length(2);
    const { memberships } = await json('show', '--user', viewer.userId);
    expect((memberships as object[])[1]).to.include({ id: world.workspaceId, role: 'Viewer', monitors: 0 });
  });

  it('create it before its person signs in, who then finds it', async () => {
    const made = await json('create', '--subject', 'nora', '--email', 'nora@acme.example', '--name', 'Nora');
    const { body } = await app.as('nora')('GET', '/api/v1/user');
    expect(body).to.include({ id: made['userId'], name: 'Nora', plan: 'Growth' });
    expect((await app.as('nora')('GET', '/api/v1/workspaces')).body[0]).to.include({ isPersonal: true, role: 'Owner' });
    expect(await admin('create', '--subject', 'otto', '--plan', 'pro')).to.include('otto has an account on Pro');
    expect(await admin('create', '--subject', 'nora').catch(String))
      .to.include('ended with 1')
      .and.include('already');
  });

  it('delete it with its workspaces, and record in others that it left', async () => {
    const world = await makeWorld(app);
    const guest = await world.member('Editor');
    await seedMonitor({ api: app.as(guest.sub, { workspaceId: guest.workspaceId }) });
    expect(await admin('delete', '--user', guest.userId).catch(String))
      .to.include('ended with 1')
      .and.include('monitors (1)');
    expect(await admin('delete', '--user', guest.userId, '--force')).to.include('is deleted with 1 workspace.');
    expect(await app.sql('SELECT FROM workspace WHERE id = $1', [guest.workspaceId])).to.deep.equal([]);
    const [entry] = (await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit`)).body;
    expect(entry).to.include({ action: 'member.left', via: 'admin' });
    expect(entry.actor.type).to.equal('operator');
    const running = await app.sql('SELECT FROM monitor WHERE workspace_id = $1 AND deleted_at IS NULL', [
      guest.workspaceId,
    ]);
    expect(running).to.deep.equal([]);
  });

  it('refuse to delete the owner of a workspace with other members, with what to do', async () => {
    const world = await makeWorld(app);
    await world.member('Viewer');
    const refused = await admin('delete', '--user', world.owner.userId, '--force').catch(String);
    expect(refused).to.include('ended with 1').and.include('has other members: transfer its ownership');
    expect(await app.sql('SELECT FROM user_account WHERE id = $1', [world.owner.userId])).to.have.length(1);
  });

  it('refuse what they do not know with all that is wrong', async () => {
    const faults = await admin('create', '--email', 'nobody', '--plan', 'Gold').catch(String);
    expect(faults).to.include('Name the subject').and.include('no email address').and.include('The plans are');
    for (const args of [['show'], ['delete', '--user'], ['show', '--user', 'x', '--force'], ['create']])
      expect(await admin(...args).catch(String)).to.match(/ended with 2: .*\nusage: /s);
    for (const verb of ['show', 'delete'])
      expect(await admin(verb, '--user', 'nobody@example.test').catch(String)).to.include('ended with 1');
  });
});
