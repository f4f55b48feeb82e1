import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataDirUnusable, lockDataDir } from './data-dir-lock.js';

describe("The folder of an agent's own", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'watchpost-lock-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made, and taken again once it was given back', () => {
    const dataDir = join(folder, 'new', 'spool');
    lockDataDir(dataDir)();
    lockDataDir(dataDir)();
  });

  it('is named, with the setting that named it, where it cannot be made or written to', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'below')])
      expect(() => lockDataDir(dataDir), dataDir).to.throw(DataDirUnusable, `DATA_DIR ${dataDir} cannot be used`);
  });
});
