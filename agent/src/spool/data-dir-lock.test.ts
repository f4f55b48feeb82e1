import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataDirUnusable, lockDataDir } from './data-dir-lock.js';

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'watchpost-lock-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('creates the folder and can be taken again after its release', () => {
    const dataDir = join(folder, 'new', 'spool');
    lockDataDir(dataDir)();
    lockDataDir(dataDir)();
  });

  it('reports the setting and the folder if it cannot be created or written to', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'below')])
      expect(() => lockDataDir(dataDir), dataDir).to.throw(DataDirUnusable, `DATA_DIR ${dataDir} cannot be used`);
  });

  it('reports a full disk in the same way, and leaves no file behind at each attempt', function () {
    if (!existsSync('/dev/full')) this.skip();
    symlinkSync('/dev/full', join(folder, `agent.lock.${process.pid}`));
    expect(() => lockDataDir(folder)).to.throw(DataDirUnusable, `DATA_DIR ${folder} cannot be used (ENOSPC)`);
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
