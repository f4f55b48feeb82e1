import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SettingsStore } from '@watchpost/cli/settings/settings-store';
import { runCli } from '../../support/run-cli.js';

describe('The settings of the command line', () => {
  let home: string;
  let folder: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'watchpost-cli-settings-'));
    folder = join(home, 'watchpost');
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('lose no change of commands that run at the same time, and only their owner can read them', async () => {
    const urls = Array.from({ length: 20 }, (_, number) => `https://watchpost-${number}.example`);
    await Promise.all(
      urls.map((url) =>
        new SettingsStore(folder).change(({ installations }) => {
          installations[url] = { workspaceId: null, login: null };
        }),
      ),
    );
    expect(Object.keys((await new SettingsStore(folder).read()).installations)).to.have.members(urls);
    expect((await stat(join(folder, 'settings.json'))).mode & 0o777).to.equal(0o600);
  });

  it('are not locked for good by a command that was killed', async () => {
    await mkdir(folder);
    const lock = join(folder, 'settings.lock');
    await writeFile(lock, '');
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(lock, longAgo, longAgo);
    await new SettingsStore(folder).change((settings) => {
      settings.url = 'https://watchpost.example';
    });
    expect((await new SettingsStore(folder).read()).url).to.equal('https://watchpost.example');
  });

  it('stay as they are when a change fails, or when they are damaged', async () => {
    const store = new SettingsStore(folder);
    await store.change((settings) => {
      settings.url = 'https://watchpost.example';
    });
    const failing = store.change((settings) => {
      settings.url = null;
      throw new Error('no');
    });
    expect(await failing.catch(({ message }: Error) => message)).to.equal('no');
    expect((await store.read()).url).to.equal('https://watchpost.example');

    await writeFile(join(folder, 'settings.json'), '{ "url"');
    const { exitCode, stderr } = await runCli(['logout'], { env: { XDG_CONFIG_HOME: home } });
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('its content is damaged').and.include('Correct or remove the file');
    expect(await readFile(join(folder, 'settings.json'), 'utf8')).to.equal('{ "url"');
  });
});
