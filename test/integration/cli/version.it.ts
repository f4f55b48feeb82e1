import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUILD, COMMIT, VERSION } from '@watchpost/shared/build';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const packageAt = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { version?: string; workspaces: string[] };

describe('the version', () => {
  it('is stated by the package.json of the root alone', () => {
    const { version, workspaces } = packageAt('.');
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(VERSION).to.equal(version);
    for (const folder of workspaces) expect(packageAt(folder), folder).to.not.have.property('version');
    const stating = ['agent/src', 'control-plane/src', 'shared/src', 'scripts', 'deploy'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile() && !/node_modules|\/dist/.test(file.parentPath) && !/\.test\./.test(file.name))
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => new RegExp(`['"\`v]${version!.replaceAll('.', '\\.')}\\b`).test(readFileSync(path, 'utf8'))),
    );
    expect(stating).to.deep.equal([]);
  });

  it('has the commit after a plus sign, if it is known', () => {
    expect(COMMIT).to.match(/^(?:[0-9a-f]{40})?$/);
    expect(BUILD).to.equal(COMMIT ? `${VERSION}+${COMMIT.slice(0, 12)}` : VERSION);
  });

  for (const [file, output] of [
    ['control-plane/dist/main.js', `watchpost-control-plane ${BUILD} (Node.js ${process.versions.node})`],
    ['control-plane/dist/admin.js', `watchpost-admin ${BUILD}`],
    ['agent/dist/main.js', `watchpost-agent ${BUILD} (Node.js ${process.versions.node})`],
    ['scripts/cli/dist/main.js', BUILD],
  ] as const)
    it(`is printed by ${file} without any setting`, async () => {
      const env = { PATH: process.env['PATH'] };
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, file), '--version'], { env });
      expect(stdout).to.equal(`${output}\n`);
    });

  for (const [file, name] of [
    ['control-plane/dist/main.js', 'watchpost-control-plane'],
    ['agent/dist/main.js', 'watchpost-agent'],
  ] as const)
    it(`has beside it the help of ${file}, which starts nothing`, async () => {
      const cwd = mkdtempSync(join(tmpdir(), 'watchpost-help-'));
      const env = { PATH: process.env['PATH'] };
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, file), '--help'], { env, cwd });
      expect(stdout).to.include(`Usage: ${name} [--help | --version]`);
      expect(readdirSync(cwd)).to.deep.equal([]);
      rmSync(cwd, { recursive: true });
    });
});
