import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../../support/run-cli.js';

const ADDRESS = ['--url', 'http://127.0.0.1:1'];

describe('Files that the command line cannot use', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-cli-files-'));
    await mkdir(at('folder'));
    await symlink('circle', at('circle'));
    await writeFile(at('wide'), Buffer.from('\uFEFF{"users":[]}', 'utf16le'));
    await writeFile(at('latin'), Buffer.from('{"users":[{"fullName":"J\u00fcrg"}]}', 'latin1'));
    await writeFile(at('cut'), '{"users":[{"id":"a"');
    await writeFile(at('empty'), '');
    await writeFile(at('marked'), '\uFEFF{"users":[]}');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const MISSING = [
    ['missing', 'it does not exist.'],
    ['circle', 'its links lead in a circle.'],
    ['empty/below', 'a part of its path is a file, and no folder.'],
  ];
  const UNREADABLE = [
    ...MISSING,
    ['folder', 'it is a folder.'],
    ['wide', 'which it is not.'],
    ['latin', 'which it is not.'],
    ['cut', 'It ends too early'],
    ['empty', 'It ends too early'],
  ];
  const CASES: readonly (readonly [command: readonly string[], files: readonly string[][]])[] = [
    [['import', 'opsgenie'], UNREADABLE],
    [['import', 'grafana-oncall'], UNREADABLE],
    [['import', 'uptime-kuma'], UNREADABLE],
    [
      ['validate', '-f'],
      [...MISSING, ['folder', 'has no file that ends in'], ['wide', 'is no text'], ['latin', 'is no text in UTF-8.']],
    ],
  ];

  it('are named with the reason in words, and what to do', async () => {
    for (const [command, files] of CASES)
      for (const [name, reason] of files) {
        const { exitCode, stdout, stderr } = await runCli([...command, at(name!), ...ADDRESS]);
        const title = `${command.join(' ')} ${name}: ${stderr}`;
        expect([exitCode, stdout], title).to.deep.equal([1, '']);
        expect(stderr, title)
          .to.include(reason!)
          .and.not.match(/E[A-Z]{3,}|fault of the command line/);
      }
  });

  it('are none where they begin with a byte order mark', async () => {
    const { exitCode, stdout } = await runCli(['import', 'opsgenie', at('marked')]);
    expect([exitCode, stdout]).to.deep.equal([0, 'apiVersion: watchpost/v1\nproject: opsgenie\n']);
  });

  it('are named where secrets or settings cannot be written', async () => {
    for (const [name, reason] of [
      ['empty', 'it exists already. Remove it, or choose another name.'],
      ['missing/secrets', 'it does not exist.'],
    ] as const) {
      const { exitCode, stdout, stderr } = await runCli([
        'import',
        'opsgenie',
        at('marked'),
        '--secrets-file',
        at(name),
      ]);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      expect(stderr.replace('\n', ' '))
        .to.include(reason)
        .and.not.match(/E[A-Z]{3,}/);
    }
    await mkdir(at('home/watchpost/settings.json'), { recursive: true });
    for (const [home, reason] of [
      ['empty', 'a part of its path is a file, and no folder.'],
      ['home', 'it is a folder.'],
    ] as const) {
      const { exitCode, stderr } = await runCli(['logout', ...ADDRESS], { env: { XDG_CONFIG_HOME: at(home) } });
      expect(exitCode).to.equal(1);
      expect(stderr)
        .to.include(reason)
        .and.include('set XDG_CONFIG_HOME to another folder')
        .and.not.match(/E[A-Z]{4,}:/);
    }
    // There are none yet, and nothing can be made there.
    await mkdir(at('lost'));
    await symlink('nowhere/below', at('lost/watchpost'));
    const { exitCode, stderr } = await runCli(['logout', ...ADDRESS], { env: { XDG_CONFIG_HOME: at('lost') } });
    expect([exitCode, stderr]).to.deep.equal([
      1,
      `error: The settings in ${at('lost/watchpost/settings.json')} cannot be used: it does not exist.\n` +
        'Change that, or set XDG_CONFIG_HOME to another folder.\n',
    ]);
  });

  it('are damaged settings, whatever JSON they have', async () => {
    await mkdir(at('other/watchpost'), { recursive: true });
    for (const content of ['null', '{"url":5}', '{"installations":null}', '{"installations":5}', '{']) {
      await writeFile(at('other/watchpost/settings.json'), content);
      const { exitCode, stderr } = await runCli(['logout', ...ADDRESS], { env: { XDG_CONFIG_HOME: at('other') } });
      expect(exitCode, content).to.equal(1);
      expect(stderr, content).to.include('its content is damaged.\nCorrect or remove the file');
    }
  });
});
