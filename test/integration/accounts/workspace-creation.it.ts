import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBuiltConsole } from '@watchpost/control-plane/capabilities/sign-in/index';
import { runAdminCommand } from '../../support/admin-command.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { writeBuild } from '../../support/console-build.js';
import { ConsoleBrowser } from '../sign-in/console-browser.js';

describe('An installation in which only operators create workspaces', () => {
  let app: TestApp;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-console-'));
    await writeBuild(folder);
    app = await startTestApp({
      env: {
        OIDC_CONSOLE_CLIENT_ID: 'console',
        CREATE_WORKSPACES: 'operators',
        SIGN_IN_CONTACT: 'ops@acme.example',
      },
      builtConsole: await readBuiltConsole(folder),
    });
  });
  after(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  const admin = (...args: string[]) =>
    runAdminCommand(['workspaces', 'create', ...args], { DATABASE_URL: app.databaseUrl });

  it('refuses people with whom to ask, who keep their personal workspace', async () => {
    const { status, body } = await app.api('POST', '/api/v1/workspaces', { name: 'Skunkworks' });
    expect([status, body.error]).to.deep.equal([403, 'not_invited']);
    expect(body.message).to.include('only operators create workspaces: ask ops@acme.example.');
    expect((await app.api('GET', '/api/v1/workspaces')).body).to.have.length(1);
  });

  it('has a console that does not offer it', async () => {
    const browser = new ConsoleBrowser(app.baseUrl);
    await browser.signIn(app, app.owner.sub);
    expect((await browser.send('/console')).text).to.include('"mayCreateWorkspaces":false');
  });

  it('has a command that creates a workspace for an account, which is in the audit log', async () => {
    const user = await app.user('pat');
    const made = JSON.parse(await admin('--user', user.email, '--name', ' Shop ', '--json')) as Record<string, string>;
    expect(made).to.deep.include({ name: 'Shop', ownerId: user.userId });
    const path = `/api/v1/workspaces/${made['workspaceId']}`;
    expect((await user.api('GET', path)).body).to.include({ name: 'Shop', role: 'Owner', isPersonal: false });
    const [entry] = (await user.api('GET', `${path}/audit`)).body;
    expect(entry).to.include({ action: 'workspace.created', via: 'admin' });
    expect(await admin('--user', user.userId, '--name', 'Second')).to.include(`${user.email} owns the new workspace`);
  });

  it('has a command that refuses what it does not know', async () => {
    for (const args of [
      ['--name', 'Shop'],
      ['--user', app.owner.email],
      ['--user', 'a@b.c', '--name', ' '],
    ])
      expect(await admin(...args).catch(String)).to.match(/ended with 2: .*\nusage: /s);
    expect(await admin('--user', 'nobody@example.test', '--name', 'Shop').catch(String)).to.include('ended with 1');
  });
});
