import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { ROOT } from '../../support/container-file.js';

interface Licences {
  checkLicences(root?: string): Promise<string[]>;
  describeThirdParty(more: string[][], root: string): Promise<string>;
}

describe('the licences of packages in artefacts', () => {
  let root: string;
  let licences: Licences;
  before(async () => {
    licences = (await import(pathToFileURL(join(ROOT, 'scripts/verify/licences.mjs')).href)) as Licences;
    root = await mkdtemp(join(tmpdir(), 'watchpost-licences-'));
    const packages: Record<string, object> = { 'scripts/cli': { devDependencies: { bundled: '1' } } };
    const install = async (name: string, manifest: object, lock = {}) => {
      packages[`node_modules/${name}`] = lock;
      const folder = join(root, 'node_modules', name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }));
      await writeFile(join(folder, 'LICENSE'), `The licence of ${name}.\n`);
    };
    await install('plain', { license: 'MIT' });
    await install('choice', { license: '(GPL-3.0-only OR Apache-2.0)' });
    await install('old', { licenses: [{ type: 'BSD-3-Clause' }] });
    await install('both', { license: 'MIT AND AGPL-3.0-only' });
    await install('silent', {});
    await install('tool', { license: 'GPL-3.0-only' }, { dev: true });
    await install('bundled', { license: 'GPL-2.0-only' }, { dev: true });
    await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('are refused where one is unknown or incompatible, and only of packages that are shipped', async () => {
    const faults = await licences.checkLicences(root);
    expect(faults.map((fault) => fault.replace(/\. Artefacts.*/, ''))).to.have.members([
      'both 1.0.0: MIT AND AGPL-3.0-only',
      'silent 1.0.0: no licence is stated',
      'bundled 1.0.0: GPL-2.0-only',
    ]);
  });

  it('go along with artefacts as texts', async () => {
    const text = await licences.describeThirdParty([['Node.js', 'Its licence.']], root);
    expect(text).to.include('choice 1.0.0, (GPL-3.0-only OR Apache-2.0)\n\nThe licence of choice.\n');
    expect(text).to.match(/\n\nNode\.js\n\nIts licence\.\n$/);
    expect(text).to.not.include('tool');
  });
});
