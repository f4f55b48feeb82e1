import { createHash, randomBytes } from 'node:crypto';

/** A new UUIDv7 (RFC 9562 §5.7): sorts by `nowMs`, 74 random bits. */
export function newId(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  return uuidOf(bytes);
}

/** A UUIDv8 (RFC 9562 §5.8), the same for the same text, which it does not reveal. */
export function derivedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  return uuidOf(bytes);
}

/** Sets the variant. */
function uuidOf(bytes: Buffer): string {
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version in the form of RFC 9562 §4; case-insensitive. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
