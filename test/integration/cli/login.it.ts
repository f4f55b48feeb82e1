import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli, runCliProcess } from '../../support/run-cli.js';
import { appForSuite, startedForSuite } from '../../support/suite.js';
import { FormBrowser } from '../identity/form-browser.js';
import { startProviderWorld } from '../identity/provider-world.js';

describe('Signing in on the command line', () => {
  let home: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'watchpost-cli-home-'));
    env = { XDG_CONFIG_HOME: home };
  });
  afterEach(() => rm(home, { recursive: true, force: true }));
  const settingsFile = () => join(home, 'watchpost/settings.json');
  const readSettings = async () => JSON.parse(await readFile(settingsFile(), 'utf8'));

  describe('at the embedded provider', () => {
    const world = startedForSuite(() => startProviderWorld());

    /** The person, as soon as the command shows its link. */
    function inTheBrowser(answer: (link: string, code: string) => Promise<unknown>) {
      let done: Promise<unknown> | undefined;
      return (stderr: string): void => {
        const link = /^Open +(\S+)$/m.exec(stderr)?.[1];
        const code = /code +([A-Z]{4}-[A-Z]{4})$/m.exec(stderr)?.[1];
        if (link && code) done ??= answer(link, code);
      };
    }

    it('takes a code in the browser, renews its tokens by itself, and ends with a logout', async () => {
      const url = world.service.url;
      const otherHome = { XDG_CONFIG_HOME: join(home, 'other') };
      const [signedIn, refused] = await Promise.all([
        runCliProcess(['login', '--url', url], {
          env,
          onReport: inTheBrowser(async (link, code) => {
            const entry = await new FormBrowser(url).open(link);
            expect(entry.fields['user_code']).to.equal(code);
            const consent = await world.signIn(await (await entry.submit({})).submit({}));
            await consent.submit({ action: 'allow' });
          }),
        }),
        runCliProcess(['login', '--url', url, '--json'], {
          env: otherHome,
          onReport: inTheBrowser(async (link) => {
            const entry = await new FormBrowser(url).open(link);
            await (await entry.submit({})).submit({ abort: 'yes' });
          }),
        }),
      ]);
      expect(signedIn, signedIn.stderr).to.include({ exitCode: 0 });
      expect(signedIn.stdout).to.equal(`Signed in at ${url} as demo@watchpost.example.\n`);
      expect(refused.exitCode).to.equal(1);
      expect(refused.stderr).to.include('"error": "access_denied"');
      expect((await runCli(['whoami', '--url', url], { env: otherHome })).stderr).to.include('You are not signed in');

      expect((await stat(settingsFile())).mode & 0o777).to.equal(0o600);
      expect((await stat(join(home, 'watchpost'))).mode & 0o777).to.equal(0o700);
      // The address is kept, too.
      const who = await runCliProcess(['whoami', '--json'], { env });
      expect(JSON.parse(who.stdout)).to.deep.include({ url, credential: 'login' });

      const before = await readSettings();
      before.installations[url].login.expiresAt = 0;
      await writeFile(settingsFile(), JSON.stringify(before));
      // A refresh token is good once: of commands at the same time one renews it.
      const both = await Promise.all([1, 2].map(() => runCliProcess(['workspaces', '--json'], { env })));
      for (const { stdout, stderr } of both) expect(JSON.parse(stdout), stderr).to.have.length(1);
      const { login } = (await readSettings()).installations[url];
      expect(login.refreshToken).to.not.equal(before.installations[url].login.refreshToken);

      expect((await runCli(['logout'], { env })).stdout).to.equal(`Signed out at ${url}.\n`);
      expect(await readFile(settingsFile(), 'utf8')).to.not.include('Token');
      const late = await world.post('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: login.clientId,
        refresh_token: login.refreshToken,
      });
      expect(late.body).to.include({ error: 'invalid_grant' });
      expect((await runCli(['whoami', '--url', url], { env })).exitCode).to.equal(1);
    });
  });

  describe('at a provider of another maker', () => {
    const app = appForSuite();
    const login = (...more: string[]) => runCli(['login', '--url', app.baseUrl, ...more], { env });

    it('finds its endpoints by the metadata, and keeps the workspace', async () => {
      app.issuer.person = { sub: 'owner' };
      const { stdout, stderr, exitCode } = await login('--workspace', app.owner.workspaceId, '--json');
      expect(exitCode, stderr).to.equal(0);
      expect(stderr).to.include(`Open  ${app.issuer.issuer}/device-page`).and.include('WDJB-MJHT');
      expect(JSON.parse(stdout)).to.deep.equal({
        url: app.baseUrl,
        user: { id: app.owner.userId, email: app.owner.email, name: 'The owner' },
        workspaceId: app.owner.workspaceId,
      });
      const who = await runCli(['whoami', '--json'], { env });
      expect(JSON.parse(who.stdout).workspace).to.include({ id: app.owner.workspaceId });
      const settings = await readSettings();
      const kept = settings.installations[app.baseUrl].login;
      for (const secret of [kept.accessToken, kept.refreshToken])
        expect(stdout + stderr + who.stdout).to.not.include(secret);

      // The provider has ended the sign-in: the next step is another one.
      kept.refreshToken = 'used already';
      kept.accessToken = 'expired';
      kept.expiresAt = 0;
      await writeFile(settingsFile(), JSON.stringify(settings));
      const ended = await runCli(['workspaces'], { env });
      expect(ended.exitCode).to.equal(1);
      expect(ended.stderr).to.include('`watchpost login`');
    });

    it('prefers an API key in the environment, and reports that it does', async () => {
      app.issuer.person = { sub: 'owner' };
      const { stderr } = await runCli(['login', '--url', app.baseUrl], { env: { ...env, WATCHPOST_API_KEY: 'wpk_x' } });
      expect(stderr).to.include('WATCHPOST_API_KEY is set');
      const refused = await runCli(['whoami'], { env: { ...env, WATCHPOST_API_KEY: 'wpk_x' } });
      expect(refused.stderr).to.include('The key in WATCHPOST_API_KEY');
    });

    it('that refuses, fails or cannot be trusted is an error with a next step, and nothing is kept', async () => {
      app.issuer.person = { sub: 'owner', error: 'expired_token' };
      expect((await login()).stderr)
        .to.include('The code has expired')
        .and.include('Start again with `watchpost login`');
      app.issuer.broken = true;
      const broken = await login();
      app.issuer.broken = false;
      expect(broken.exitCode).to.equal(1);
      expect(broken.stderr).to.include('does not publish its metadata').and.include('WATCHPOST_API_KEY');
      const plain = await runCli(['login', '--url', 'http://watchpost.example'], { env });
      expect(plain.stderr).to.include('is not encrypted');
      expect(await readFile(settingsFile(), 'utf8').catch(() => 'absent')).to.equal('absent');
    });
  });
});
