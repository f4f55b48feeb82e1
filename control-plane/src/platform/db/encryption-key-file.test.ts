import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readOrMakeEncryptionKeys } from './encryption-key-file.js';

describe('The encryption key of an installation', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'watchpost-key-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  it('is created once by concurrent starts, and is readable only by its owner', async () => {
    const dataDir = join(parent, 'data');
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => readOrMakeEncryptionKeys(dataDir)));
    for (const keys of [...others, await readOrMakeEncryptionKeys(dataDir)]) expect(keys).to.deep.equal(first);
    for (const path of [dataDir, join(dataDir, 'encryption.key')]) {
      expect((await stat(path)).mode & 0o077, path).to.equal(0);
    }
  });
});
