import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY_BYTES, parseEncryptionKeys } from './secret-box.js';

const FILE = 'encryption.key';

/**
 * The encryption keys of an installation without `ENCRYPTION_KEY`: read from `encryption.key` under
 * `dataDir` (a key a line, the one that seals first), made on first use and readable by its owner only.
 * Two processes that start at once end with the same key.
 * @throws SecretBoxError where the file holds something else
 */
export async function readOrMakeEncryptionKeys(dataDir: string): Promise<Buffer[]> {
  const path = join(dataDir, FILE);
  return (await readKeys(path)) ?? (await makeKey(dataDir, path));
}

async function readKeys(path: string): Promise<Buffer[] | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return parseEncryptionKeys(text.trim().replaceAll(/\s+/g, ','));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeKey(dataDir: string, path: string): Promise<Buffer[]> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Written and synced under another name first: a crash in between never leaves half a key in place.
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // link, not rename: it fails where another process was first, whose key then holds.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readKeys(path))!;
}
