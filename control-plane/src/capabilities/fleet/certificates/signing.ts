import { randomBytes } from 'node:crypto';

/** Of authorities, and of what they sign. */
export const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** 126 random bits (RFC 5280 §4.1.2.2: positive); the first byte is never zero, so that its text has one length. */
export function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = 0x40 | (serial[0]! & 0x3f);
  return serial;
}
