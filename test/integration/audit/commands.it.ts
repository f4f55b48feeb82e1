import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runAdminCommand } from '../../support/admin-command.js';
import { makeWorld } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

const PROGRAM = resolve('control-plane/dist/admin.js');

/** What each command that changes something of tenants adds to the log of each workspace of the owner; null: it concerns no tenant. */
const ACTION_OF: Readonly<Record<string, string | null>> = {
  'agents create': null,
  'agents reissue': null,
  'agents list': null,
  'agents drain': null,
  'agents resume': null,
  'agents revoke': null,
  'agents delete': null,
  'authority list': null,
  'authority rotate': null,
  'authority retire': null,
  'users list': null,
  'users show': null,
  'users create': null,
  // Its workspaces go with their logs; those that it only belongs to have this.
  'users delete': 'member.left',
  'workspaces list': null,
  // In the workspace that it creates.
  'workspaces create': 'workspace.created',
  plans: null,
  'set-plan': 'workspace.plan_changed',
  reseal: null,
  migrate: null,
  suspend: 'workspace.suspended',
  unsuspend: 'workspace.unsuspended',
  token: null,
  mailbox: null,
  notices: null,
};

describe('the audit log of the operators’ commands', function () {
  const app = appForSuite();

  const env = () => ({ DATABASE_URL: app.databaseUrl });
  const admin = (...args: string[]) => runAdminCommand(args, env());
  async function entries(): Promise<{ id: string; action: string; actor: string; via: string; workspaceId: string }[]> {
    return app.sql(
      `SELECT id, action, actor_type AS actor, via, workspace_id AS "workspaceId" FROM audit_entry
       WHERE actor_type = 'operator' ORDER BY id`,
    );
  }

  it('is decided for every command that there is', async () => {
    const program = await promisify(execFile)(process.execPath, [PROGRAM, 'help'], { env: env() });
    const usages = [...program.stdout.matchAll(/^ {2}(\S.*)$/gm)].map(([, usage]) => usage!);
    const names = Object.keys(ACTION_OF);
    const unknown = usages.filter((usage) => !names.some((name) => usage === name || usage.startsWith(`${name} `)));
    expect(unknown, 'commands that ACTION_OF does not name').to.deep.equal([]);
  });

  it('has one entry in each workspace of the owner, and none where the command changes nothing', async () => {
    const world = await makeWorld(app, 'Pro');
    const own = [world.workspaceId, world.owner.workspaceId];
    const user = ['--user', world.owner.email];
    for (const [action, ...args] of [
      ['workspace.plan_changed', 'set-plan', ...user, '--plan', 'Growth'],
      ['workspace.suspended', 'suspend', ...user],
      ['workspace.unsuspended', 'unsuspend', ...user],
    ]) {
      const before = await entries();
      await admin(...args);
      const added = (await entries()).filter(({ id }) => !before.some((former) => former.id === id));
      expect(added.map(({ workspaceId }) => workspaceId)).to.have.members(own);
      for (const entry of added) expect(entry).to.deep.include({ action, actor: 'operator', via: 'admin' });
      await admin(...args);
      expect(await entries(), `${args[0]} again`).to.have.length(before.length + 2);
    }
  });

  it('has no entry where a command is refused', async () => {
    const before = await entries();
    const refused = await admin('set-plan', '--user', 'nobody@example.test', '--plan', 'Pro').catch(() => 'refused');
    expect(refused).to.equal('refused');
    expect(await entries()).to.deep.equal(before);
  });
});
