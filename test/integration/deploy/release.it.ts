import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../../support/container-file.js';
import { findFormerVersion } from '../../support/former-version.js';

const run = promisify(execFile);
const GIT_USER = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@a.example',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@a.example',
};

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

describe('npm run release', function () {
  let root: string;
  const env = { ...process.env, ...GIT_USER, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = async (...args: string[]) => (await run('git', args, { cwd: root, env })).stdout.trim();
  const release = (...args: string[]): Promise<Answer> =>
    run(process.execPath, ['scripts/release.mjs', ...args], { cwd: root, env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: Answer) => error,
    );
  const versionIn = async (file: string) =>
    (JSON.parse(await readFile(join(root, file), 'utf8')) as { version: string }).version;
  const change = (name: string, text: string) => writeFile(join(root, 'changes', name), text);
  const commit = async () => {
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '-m', 'Change something');
    return git('rev-parse', 'HEAD');
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'watchpost-release-'));
    for (const path of [
      'scripts/release.mjs',
      'scripts/release',
      'scripts/artefact/write-checksums.mjs',
      'scripts/bootstrap',
      'deploy/helm',
      'package.json',
      'package-lock.json',
    ])
      await cp(join(ROOT, path), join(root, path), { recursive: true });
    await writeFile(join(root, 'CHANGELOG.md'), '# Changelog\n\nThe versions.\n');
    for (const folder of ['changes', 'docs/guides', 'test/support'])
      await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, 'docs/guides/upgrade-notes.md'), '# Upgrade notes\n\n## Unreleased\n\nRead this.\n');
    await change('README.md', 'How changes are written.\n');
    await change('mails.fixed.md', 'Mails arrive.\n');
    await change('apples.added.md', 'There are apples.\n');
    for (const name of ['package.json', 'package-lock.json']) {
      const file = join(root, name);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll(/("name": "watchpost",\n\s*"version": )"[^"]*"/g, '$1"0.1.4"'));
    }
    await git('init', '--quiet', '-b', 'main');
    await commit();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('writes the changelog and the version, commits, and tags, and leaves a clean tree', async () => {
    const made = await release('minor', '--no-artefacts');
    expect(made.code, made.stderr).to.equal(0);
    expect(await git('log', '-1', '--format=%s')).to.equal('Release 0.2.0');
    expect(await git('tag', '--points-at', 'HEAD')).to.equal('v0.2.0');
    expect(await git('status', '--porcelain')).to.equal('');
    expect([await versionIn('package.json'), await versionIn('package-lock.json')]).to.deep.equal(['0.2.0', '0.2.0']);
    expect(await readFile(join(root, 'deploy/helm/watchpost/Chart.yaml'), 'utf8')).to.match(/^appVersion: 0\.2\.0$/m);
    const today = await git('log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d');
    expect((await readFile(join(root, 'CHANGELOG.md'), 'utf8')).replace(today, 'today')).to.match(
      /^# Changelog\n\nThe versions\.\n\n## 0\.2\.0 \(\S+\)\n\n### Added\n\n- There are apples\.\n\n### Fixed\n\n- Mails arrive\.\n$/,
    );
    expect(await readdir(join(root, 'changes'))).to.deep.equal(['README.md']);
    expect(await readFile(join(root, 'docs/guides/upgrade-notes.md'), 'utf8')).to.include('\n## 0.2.0\n');
    const again = await release('patch');
    expect(again).to.include({ code: 1 });
    expect(again.stderr).to.include('changes/ has no change since the last release.');
  });

  it('puts the newest version first', async () => {
    await release('patch', '--no-artefacts');
    await change('pears.removed.md', 'There are no pears.\n');
    await commit();
    expect((await release('major', '--no-artefacts')).code).to.equal(0);
    const titles = [...(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).matchAll(/^## (\S+) /gm)];
    expect(titles.map(([, version]) => version)).to.deep.equal(['1.0.0', '0.1.5']);
  });

  it('shows with --dry-run what would happen, and changes nothing', async () => {
    const before = await git('rev-parse', 'HEAD');
    const shown = await release('patch', '--dry-run');
    expect(shown.stderr).to.include('Would release 0.1.5 (now 0.1.4), tag v0.1.5');
    expect(shown.stdout).to.include('- There are apples.');
    expect([await git('rev-parse', 'HEAD'), await git('status', '--porcelain'), await git('tag')]).to.deep.equal([
      before,
      '',
      '',
    ]);
  });

  it('names everything that is in the way, and does nothing', async () => {
    await git('tag', 'v0.1.5');
    await git('switch', '--quiet', '-c', 'work');
    await change('odd.md', ' ');
    const refused = await release('patch');
    expect(refused.code).to.equal(1);
    expect(refused.stderr.split('\n').slice(1, -1)).to.deep.equal([
      '- The branch is work: a release is made of main.',
      '- There are changes that are not committed.',
      '- There is a tag v0.1.5 already.',
      '- changes/odd.md is not named <name>.<kind>.md, with the kind added, changed, fixed, removed, security.',
      '- changes/odd.md is empty.',
    ]);
    for (const args of [[], ['huge'], ['minor', '--fast'], ['minor', 'major']])
      expect(await release(...args), args.join(' ')).to.include({ code: 2 });
    await commit();
    expect((await release('artefacts')).stderr).to.include('no tag of a release');
  });

  it('makes the version that the next one is tested beside', async () => {
    const named = await git('rev-parse', 'HEAD');
    await writeFile(join(root, 'test/support/former-version.txt'), `${named}\n`);
    await commit();
    expect(await findFormerVersion(root), 'before the first release').to.equal(named);
    await release('minor', '--no-artefacts');
    const released = await git('rev-parse', 'HEAD');
    expect(await findFormerVersion(root), 'at a release itself, the one before').to.equal(named);
    await commit();
    expect(await findFormerVersion(root)).to.equal(released);
    await change('more.changed.md', 'More.\n');
    await commit();
    await release('patch', '--no-artefacts');
    expect(await findFormerVersion(root)).to.equal(released);
  });
});
