import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypts values that must not be readable from a copy of the database. */
export interface SecretBox {
  /**
   * AES-256-GCM (NIST SP 800-38D) under the first key, with a random nonce.
   * @param context what the secret belongs to, such as a row's id: the same must be given to `open`, so that
   *   a sealed value copied into another row does not open there
   */
  seal(plain: string | Buffer, context?: string): Buffer;
  /** The prefix of every value that the first key sealed, and of no other value. */
  readonly sealPrefix: Buffer;
  /** @throws SecretBoxError where the value was changed, belongs to another context, or its key is not among the keys */
  open(sealed: Buffer, context?: string): Buffer;
  /**
   * A signature of 16 bytes, the same for equal values: HMAC-SHA-256 under a key that is derived from the first one
   * (RFC 5869), truncated as RFC 2104 §5 allows. For links of which nothing is stored.
   */
  sign(value: Buffer, context: string): Buffer;
  /** Whether one of the keys signed it, in constant time. */
  isSigned(value: Buffer, tag: Buffer, context: string): boolean;
}

/** An invalid key, or a sealed value that does not open. The message contains neither the key nor the value. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

export const KEY_BYTES = 32;
/** 128 bits: infeasible to guess, and short enough for an SMS. */
export const SIGNATURE_BYTES = 16;

// version (1) · key id (4) · nonce (12) · tag (16) · ciphertext
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const TEXT_AT = TAG_AT + TAG_BYTES;

/**
 * @param keys one key, or several: the first seals, all open. To rotate, put the new key first and keep
 *   the old one behind it until everything was sealed anew.
 * @throws SecretBoxError for a key that is not 32 bytes, as a Buffer, base64 or hex
 */
export function createSecretBox(keys: Buffer | string | readonly (Buffer | string)[]): SecretBox {
  const ring = (Array.isArray(keys) ? (keys as readonly (Buffer | string)[]) : [keys as Buffer | string]).map((key) => {
    const bytes = typeof key === 'string' ? parseEncryptionKey(key) : key;
    if (bytes.length !== KEY_BYTES)
      throw new SecretBoxError(`An encryption key has ${KEY_BYTES} bytes, this one ${bytes.length}.`);
    return { bytes, id: keyId(bytes), signing: Buffer.from(hkdfSync('sha256', bytes, '', 'watchpost signing', 32)) };
  });
  const [first] = ring;
  if (!first) throw new SecretBoxError('There is no encryption key.');
  // The length marks the end of the context, so that no two pairs are signed alike.
  const signBy = (signing: Buffer, value: Buffer, context: string) =>
    createHmac('sha256', signing)
      .update(`${Buffer.byteLength(context)}:${context}`)
      .update(value)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    sealPrefix: Buffer.concat([Buffer.of(VERSION), first.id]),
    sign: (value, context) => signBy(first.signing, value, context),
    isSigned: (value, tag, context) =>
      tag.length === SIGNATURE_BYTES &&
      ring.some(({ signing }) => timingSafeEqual(signBy(signing, value, context), tag)),
    seal(plain, context = '') {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce, { authTagLength: TAG_BYTES });
      const head = Buffer.concat([Buffer.of(VERSION), first.id]);
      cipher.setAAD(Buffer.concat([head, Buffer.from(context)]));
      const text = Buffer.concat([cipher.update(plain as Buffer), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, context = '') {
      if (sealed.length < TEXT_AT || sealed[0] !== VERSION) throw new SecretBoxError('This is not a sealed value.');
      const id = sealed.subarray(1, NONCE_AT);
      const key = ring.find((candidate) => candidate.id.equals(id));
      if (!key)
        throw new SecretBoxError(
          'The key that sealed this value is not among those of ENCRYPTION_KEY: name it there too, behind the first and a comma.',
        );
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(NONCE_AT, TAG_AT), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.concat([sealed.subarray(0, NONCE_AT), Buffer.from(context)]));
      decipher.setAuthTag(sealed.subarray(TAG_AT, TEXT_AT));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(TEXT_AT)), decipher.final()]);
      } catch {
        throw new SecretBoxError('The sealed value was changed, or belongs somewhere else.');
      }
    },
  };
}

/**
 * Reads one key: 32 bytes as hex (64 digits) or base64 (also the URL-safe alphabet, padded or not).
 * @throws SecretBoxError for anything else
 */
export function parseEncryptionKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  // 43 digits hold 258 bits: the last two must be zero, else two spellings would be one key.
  if (/^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new SecretBoxError(
    `An encryption key takes ${KEY_BYTES} bytes as base64 or hex, for example from \`openssl rand -base64 ${KEY_BYTES}\`.`,
  );
}

/** Reads a comma-separated list of keys, the one that seals first. @throws SecretBoxError */
export function parseEncryptionKeys(text: string): Buffer[] {
  return text.split(',').map(parseEncryptionKey);
}

/** Identifies a key, and reveals nothing that helps to find it. */
function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('watchpost key id').update(key).digest().subarray(0, KEY_ID_BYTES);
}
