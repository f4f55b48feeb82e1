import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../../support/container-file.js';

const run = promisify(execFile);

describe('the commit that a build reports', () => {
  let root: string;
  const user = ['-c', 'user.name=A', '-c', 'user.email=a@a.example'];
  const git = async (cwd: string, ...args: string[]) => (await run('git', [...user, ...args], { cwd })).stdout.trim();
  const stamp = async (folder: string, env: Record<string, string> = {}, account: { uid?: number } = {}) => {
    const script = "import('./scripts/bootstrap/stamp-commit.mjs').then(({ stampCommit }) => stampCommit())";
    await run(process.execPath, ['-e', script], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      ...account,
    });
    const text = await readFile(join(folder, 'shared/dist/commit.json'), 'utf8').catch(() => '{}');
    return (JSON.parse(text) as { commit?: string }).commit;
  };
  const checkout = async (folder: string) => {
    await cp(join(ROOT, 'scripts/bootstrap'), join(folder, 'scripts/bootstrap'), { recursive: true });
    await mkdir(join(folder, 'shared/dist'), { recursive: true });
    await writeFile(join(folder, '.gitignore'), 'dist/\ninner/\n');
  };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'watchpost-stamp-'));
    await checkout(root);
    await git(root, 'init', '--quiet');
    await git(root, 'add', '.');
    await git(root, 'commit', '--quiet', '-m', 'First');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is the one that is checked out, and none where the sources differ from it', async () => {
    const head = await git(root, 'rev-parse', 'HEAD');
    expect(await stamp(root)).to.equal(head);
    await writeFile(join(root, 'new.ts'), '');
    expect(await stamp(root), 'with a new file').to.equal(undefined);
    await git(root, 'add', '.');
    await git(root, 'commit', '--quiet', '-m', 'Second');
    expect(await stamp(root))
      .to.equal(await git(root, 'rev-parse', 'HEAD'))
      .and.to.not.equal(head);
  });

  it('is none without a repository, and not that of a repository around it', async () => {
    const inner = join(root, 'inner');
    await checkout(inner);
    expect(await stamp(inner)).to.equal(undefined);
    await rm(join(root, '.git'), { recursive: true });
    expect(await stamp(root)).to.equal(undefined);
    expect(await stamp(root, { SOURCE_COMMIT: 'f'.repeat(40) }), 'as a container file passes it').to.equal(
      'f'.repeat(40),
    );
  });

  it('stays where the account may not write', async () => {
    const head = await stamp(root);
    await writeFile(join(root, 'new.ts'), '');
    await chmod(root, 0o755);
    await chmod(join(root, 'shared/dist'), 0o555);
    // For root every folder can be written: another account builds there.
    expect(await stamp(root, {}, process.getuid?.() === 0 ? { uid: 65_534 } : {})).to.equal(head);
    await chmod(join(root, 'shared/dist'), 0o755);
  });
});
