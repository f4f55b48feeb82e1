import { BUILD } from '@watchpost/shared/build';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.js';
import { runCliProcess } from '../../support/run-cli.js';
import { create, seedIncident } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { type CliWorld, makeCliWorld } from './cli-world.js';

describe('The command line with an API key', () => {
  const app = appForSuite();
  let world: CliWorld;
  beforeEach(async () => {
    world = await makeCliWorld(app);
  });
  const monitor = (name: string, more: object = {}) =>
    create<{ id: string }>(world.api, '/api/v1/monitor', { name, url: 'https://shop.example/', ...more });

  it('prints who calls and where, for people and as JSON', async () => {
    const who = await world.json('whoami');
    expect(who).to.deep.equal({
      url: app.baseUrl,
      credential: 'apiKey',
      user: { id: world.owner.userId, email: world.owner.email, name: `The ${world.owner.sub}` },
      workspace: { id: world.workspaceId, name: 'Acme', role: 'Owner' },
    });
    const { stdout, exitCode } = await runCliProcess(['whoami'], { env: world.env });
    expect(exitCode).to.equal(0);
    expect(stdout).to.include(world.owner.email).and.include('Acme');
    expect(await world.json('workspaces'))
      .to.have.length(1)
      .and.nested.property('[0].name', 'Acme');
    expect(await world.json('on-call')).to.deep.equal([]);
  });

  it('lists, pauses and resumes monitors by name, and the audit log names the command line', async () => {
    const { id } = await monitor('Checkout', { tags: ['team:web'] });
    await monitor('Blog');
    const listed = await world.json('monitors', 'list', '--tag', 'team:web');
    expect(listed.map(({ name }: { name: string }) => name)).to.deep.equal(['Checkout']);
    const table = (await world.run(['monitors', 'list'])).stdout.split('\n');
    expect(table[0]).to.match(/^NAME +HEALTH +TYPES +CHECKED +URL +ID$/);
    expect(table).to.have.length(4);

    expect((await world.run(['monitors', 'pause', 'checkout', 'Blog'])).stdout).to.equal('Paused 2 monitors.\n');
    expect(await world.json('monitors', 'get', id)).to.include({ id, monitoringStatus: 'paused' });
    expect(await world.json('monitors', 'resume', 'Checkout')).to.deep.equal({
      matched: 1,
      changed: 1,
      monitorIds: [id],
      closedIncidents: 0,
    });
    const { body } = await world.api<{ via: string }[]>(
      'GET',
      `/api/v1/workspaces/${world.workspaceId}/audit?targetId=${id}&action=monitor.updated`,
    );
    expect(body.map(({ via }) => via)).to.deep.equal(['cli', 'cli']);
  });

  it('cuts a list at its limit, and reports that there are more', async () => {
    for (const name of ['a', 'b', 'c']) await monitor(name);
    const { stdout, stderr } = await world.run(['monitors', 'list', '--limit', '2', '--json']);
    expect(JSON.parse(stdout)).to.have.length(2);
    expect(stderr).to.equal('These are 2 of 3; `--limit 3` prints more.\n');
  });

  it('tests a monitor without its secrets, reports that, and lets nobody send a mask as a secret', async () => {
    const http = {
      auth: { type: 'basic', username: 'robot', password: 'geheim' },
      headers: { Accept: 'text/html', Cookie: 'a=1' },
      steps: [{ name: 'Read', url: 'https://shop.example/read', headers: { Cookie: 'b=1' } }],
    };
    const { url, http: shown } = await create<{ url: string; http: object }>(world.api, '/api/v1/monitor', {
      name: 'Shop',
      url: 'https://shop.example/',
      http,
    });
    const tested = await world.run(['monitors', 'test', 'Shop']);
    expect(tested.stderr).to.include('without http.headers.Cookie, http.auth.password, http.steps.0.headers.Cookie.');
    // No agent of this installation can run it, so that it was accepted.
    expect(tested.stderr).to.include('No agent of northeurope').and.not.include('***');
    const { status, body } = await world.api('POST', '/api/v1/monitor-test', { url, http: shown });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'http.auth.password',
      'http.headers.Cookie',
      'http.steps.0.headers.Cookie',
    ]);
  });

  it('names the next step where a name is that of no monitor or of several', async () => {
    await monitor('Checkout Dublin');
    const none = await world.run(['monitors', 'get', 'checkout']);
    expect(none.exitCode).to.equal(1);
    expect(none.stderr).to.include('There is no monitor "checkout"').and.include('Similar: "Checkout Dublin".');
    await monitor('Checkout Dublin');
    const several = await world.run(['monitors', 'pause', 'Checkout Dublin']);
    expect(several.stderr).to.include('2 monitors are named').and.include('Name one by its id.');
    const nameless = await world.run(['monitors', 'get', '']);
    expect(nameless.stderr).to.equal('name must not be empty\nerror: Correct the fields named above.\n');
  });

  it('reads, acknowledges, notes and closes an incident', async () => {
    const { id: monitorId } = await monitor('Checkout');
    const id = await seedIncident(world, monitorId);
    const [listed] = await world.json('incidents', 'list', '--monitor', 'Checkout');
    expect(listed).to.include({ id, acknowledged: false });
    expect((await world.run(['incidents', 'list'])).stdout).to.include(id);
    expect((await world.run(['incidents', 'ack', id])).stdout).to.equal('Shop: acknowledged. Nobody else is paged.\n');
    expect(
      (await runCliProcess(['incidents', 'note', id, '-'], { env: world.env, input: 'The disk is full.\n' })).exitCode,
    ).to.equal(0);
    expect((await world.run(['incidents', 'close', id])).stdout).to.equal('Shop: closed.\n');
    const incident = await world.json('incidents', 'get', id);
    expect(incident).to.deep.include({ acknowledged: true, isClosed: true });
    expect(incident.notes).to.have.nested.property('[0].note', 'The disk is full.');
    expect((await world.run(['incidents', 'get', id])).stdout).to.include('The disk is full.');
    expect((await world.run(['incidents', 'list'])).stdout).to.equal('No incident is open.\n');
    const late = await world.run(['incidents', 'note', id, 'late', '--json']);
    expect(late.exitCode).to.equal(1);
    expect(JSON.parse(late.stderr)).to.include({ error: 'incident_closed' });
  });

  it('ends wrong usage with 64 and the way to the help', async () => {
    for (const args of [['monitor'], ['whoami', '--url', 'ftp://shop.example']]) {
      const { exitCode, stdout, stderr } = await runCliProcess(args, { env: world.env });
      expect(exitCode, `${args.join(' ')}: ${stderr}`).to.equal(64);
      expect(stdout).to.equal('');
      expect(stderr).to.not.equal('');
    }
    const help = await world.run(['monitors', '--help']);
    expect(help.exitCode).to.equal(0);
    expect(help.stdout).to.include('pause').and.include('--json');
    expect((await world.run(['--version'])).stdout).to.equal(`${BUILD}\n`);
  });

  it('explains a missing address, a missing credential, a wrong key, and a service that is not there', async () => {
    const env = { WATCHPOST_URL: '', WATCHPOST_API_KEY: '' };
    expect((await world.run(['whoami'], { env })).stderr).to.include('`--url` or WATCHPOST_URL');
    const signedOut = await world.run(['whoami'], { env: { WATCHPOST_API_KEY: '' } });
    expect(signedOut.stderr).to.include('`watchpost login`');
    const key = 'wpk_000000000000_0000000000000000000000000000000000000000000';
    const refused = await world.run(['whoami'], { env: { WATCHPOST_API_KEY: key } });
    expect(refused).to.include({ exitCode: 1, stdout: '' });
    expect(refused.stderr).to.include('make a new one').and.not.include(key);
    const damaged = await world.run(['whoami'], { env: { WATCHPOST_API_KEY: 'wpk_first\nwpk_second' } });
    expect(damaged.stderr).to.include('Copy the key again').and.not.include('wpk_');
    const absentUrl = `http://127.0.0.1:${await freePort()}`;
    const absent = await runCliProcess(['whoami', '--url', absentUrl], { env: world.env });
    expect(absent.exitCode).to.equal(1);
    expect(absent.stderr).to.include(`${absentUrl} cannot be reached: the connection was refused.`);
  });

  it('shows what a key without scopes lacks', async () => {
    const reader = await makeCliWorld(app, ['monitor.read']);
    expect(await reader.json('whoami')).to.deep.include({ user: null, workspace: null });
    expect((await reader.run(['monitors', 'pause', 'x'])).stderr).to.include('There is no monitor');
    const { stderr, exitCode } = await reader.run(['workspaces', '--json']);
    expect(exitCode).to.equal(1);
    expect(JSON.parse(stderr)).to.include({ error: 'insufficient_scope' });
  });
});
