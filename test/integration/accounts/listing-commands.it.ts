import { expect } from 'chai';
import { runAdminCommand } from '../../support/admin-command.js';
import { makeWorld, seedMonitor } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

describe('The operators’ lists of accounts and workspaces', () => {
  const app = appForSuite();

  const admin = (...args: string[]) => runAdminCommand(args, { DATABASE_URL: app.databaseUrl });
  const json = async (...args: string[]) => JSON.parse(await admin(...args, '--json')) as Record<string, unknown>[];

  it('show an account with its plan, its state and what it owns', async () => {
    const world = await makeWorld(app, 'Growth');
    await seedMonitor(world);
    await seedMonitor(world);
    const { userId, email } = world.owner;
    const [account, ...others] = await json('users', 'list', '--search', email.toUpperCase());
    expect(others).to.deep.equal([]);
    expect(account).to.include({ id: userId, email, plan: 'Growth', monitors: 2, suspendedAt: null });
    await admin('suspend', '--user', userId);
    const table = await admin('users', 'list', '--search', email);
    expect(table.split('\n')[0]).to.match(/^EMAIL +NAME +PLAN +STATE +WORKSPACES +MONITORS +CREATED +ID$/);
    expect(table)
      .to.include(email)
      .and.match(/Growth +suspended \d{4}-\d\d-\d\d/);
    expect(await json('users', 'list', '--search', '%')).to.deep.equal([]);
  });

  it('show the workspaces of all, or of one account', async () => {
    const world = await makeWorld(app);
    await seedMonitor(world);
    const own = await json('workspaces', 'list', '--user', world.owner.email);
    expect(own.map(({ id }) => id)).to.include(world.workspaceId);
    expect(own.every(({ ownerId }) => ownerId === world.owner.userId)).to.equal(true);
    expect(own.find(({ id }) => id === world.workspaceId)).to.include({ monitors: 1, members: 1, openIncidents: 0 });
    expect((await json('workspaces', 'list')).length).to.be.above(own.length);
    expect(await admin('workspaces', 'list')).to.include('(personal)');
  });

  it('show the limits of each plan', async () => {
    const rows = await json('plans');
    expect(rows.map(({ name }) => name)).to.deep.equal(['Starter', 'Growth', 'Pro', 'Enterprise']);
    expect(rows[3]).to.include({ monitors: 200, teams: null });
    expect(await admin('plans')).to.match(/Enterprise .*unlimited/);
  });

  it('refuse what they do not know, with their usage', async () => {
    for (const args of [
      ['users', 'list', '--serch', 'x'],
      ['workspaces', 'list', 'all'],
      ['plans', '--all'],
    ])
      expect(await admin(...args).catch(String)).to.match(/ended with 2: .*\nusage: /s);
    expect(await admin('workspaces', 'list', '--user', 'nobody@example.test').catch(String)).to.include('ended with 1');
  });
});
