import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { readOrMakeEncryptionKeys } from './encryption-key-file.js';
import { createSecretBox, parseEncryptionKey, parseEncryptionKeys, SecretBoxError } from './secret-box.js';

const key = randomBytes(32);

describe('secret box', () => {
  it('opens what it sealed, and never seals the same way twice', () => {
    const box = createSecretBox(key);
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, context) => {
        const plain = Buffer.from(bytes);
        const sealed = box.seal(plain, context);
        expect(box.open(sealed, context).equals(plain)).to.equal(true);
        expect(box.seal(plain, context).equals(sealed)).to.equal(false);
      }),
    );
  });

  it('signs the same way each time, and nothing else opens with that signature', () => {
    const [box, other] = [createSecretBox(key), createSecretBox(randomBytes(32))];
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.nat(), (bytes, context, at) => {
        const value = Buffer.from(bytes);
        const tag = box.sign(value, context);
        expect(tag).to.have.length(16);
        expect(box.sign(value, context).equals(tag)).to.equal(true);
        expect(box.isSigned(value, tag, context)).to.equal(true);
        const changed = Buffer.from(tag);
        changed[at % 16]! ^= 1 << (at % 8);
        expect(box.isSigned(value, changed, context)).to.equal(false);
        expect(box.isSigned(value, tag.subarray(1), context)).to.equal(false);
        expect(box.isSigned(value, Buffer.alloc(0), context)).to.equal(false);
        expect(box.isSigned(Buffer.concat([value, Buffer.of(0)]), tag, context)).to.equal(false);
        expect(box.isSigned(value, tag, `${context} `)).to.equal(false);
        expect(other.isSigned(value, tag, context)).to.equal(false);
      }),
    );
    expect(box.isSigned(Buffer.from('b'), box.sign(Buffer.from('ab'), ''), 'a'), 'where one ends counts').to.equal(
      false,
    );
  });

  it('knows what a key signed that is behind another now', () => {
    const tag = createSecretBox(key).sign(Buffer.from('1'), 'x');
    const next = randomBytes(32);
    expect(createSecretBox([next, key]).isSigned(Buffer.from('1'), tag, 'x')).to.equal(true);
    expect(createSecretBox([next]).isSigned(Buffer.from('1'), tag, 'x')).to.equal(false);
  });

  it('takes text as UTF-8', () => {
    const box = createSecretBox(key);
    expect(box.open(box.seal('Bearer schlüssel')).toString()).to.equal('Bearer schlüssel');
  });

  it('refuses a value of which any single byte was changed, and any shortened one', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('Bearer 1234', 'monitor-1');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => box.open(changed, 'monitor-1'), `byte ${at}`).to.throw(SecretBoxError);
      expect(() => box.open(sealed.subarray(0, at), 'monitor-1'), `${at} bytes`).to.throw(SecretBoxError);
    }
  });

  it('refuses a value that was copied to another place', () => {
    const box = createSecretBox(key);
    expect(() => box.open(box.seal('secret', 'monitor-1'), 'monitor-2')).to.throw(SecretBoxError);
  });

  it('goes on opening old values after a new key was put first', () => {
    const before = createSecretBox(key);
    const next = randomBytes(32);
    const after = createSecretBox([next, key]);
    expect(after.open(before.seal('old')).toString()).to.equal('old');
    expect(createSecretBox(next).open(after.seal('new')).toString()).to.equal('new');
    expect(() => before.open(after.seal('new'))).to.throw(SecretBoxError, 'not among');
  });

  it('reads a key as hex or base64, and names the accepted formats for anything else', () => {
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      key.toString('base64url'),
      ` ${key.toString('base64')}\n`,
    ]) {
      expect(parseEncryptionKey(text).equals(key)).to.equal(true);
    }
    for (const text of [
      '',
      'secret',
      key.subarray(1).toString('hex'),
      randomBytes(33).toString('base64'),
      `${'A'.repeat(42)}B=`,
    ]) {
      expect(() => parseEncryptionKey(text)).to.throw(SecretBoxError, 'base64 or hex');
    }
    expect(parseEncryptionKeys(`${key.toString('hex')},${key.toString('base64')}`)).to.have.length(2);
  });

  it('takes no short key', () => {
    expect(() => createSecretBox(randomBytes(16))).to.throw(SecretBoxError);
    expect(() => createSecretBox([])).to.throw(SecretBoxError);
  });
});

describe('encryption key file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchpost-key-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is made once, for its owner alone, and is the same for everybody who starts at once', async () => {
    const data = join(folder, 'fresh', 'data');
    const all = await Promise.all(Array.from({ length: 8 }, () => readOrMakeEncryptionKeys(data)));
    expect(new Set(all.map((keys) => keys[0]!.toString('hex'))).size).to.equal(1);
    expect((await stat(join(data, 'encryption.key'))).mode & 0o777).to.equal(0o600);
    expect(await readdir(data)).to.deep.equal(['encryption.key']);
    expect((await readOrMakeEncryptionKeys(data))[0]!.equals(all[0]![0]!)).to.equal(true);
  });

  it('may hold several keys, and is never silently replaced when it is damaged', async () => {
    const path = join(folder, 'encryption.key');
    await writeFile(path, `${randomBytes(32).toString('hex')}\n${key.toString('base64')}\n`);
    expect(await readOrMakeEncryptionKeys(folder)).to.have.length(2);
    await writeFile(path, 'half a k');
    let fault: unknown;
    await readOrMakeEncryptionKeys(folder).catch((error: unknown) => (fault = error));
    expect(fault).to.be.instanceOf(SecretBoxError);
  });
});
