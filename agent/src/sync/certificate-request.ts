import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const ATTRIBUTES = 0xa0;
/** ecdsa-with-SHA256 (RFC 5758 §3.2). */
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');

/** A key pair on P-256, the private half as PKCS #8 in PEM. */
export function newAgentKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * A certificate request for a key (PKCS #10, RFC 2986 §4), in DER. It proves the possession of the key; the control plane
 * decides the content of the certificate. Written out here, because a library for this one structure costs 15 MB of memory.
 */
export function certificateRequest(privateKey: KeyObject): Buffer {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const info = der(SEQUENCE, der(INTEGER, Buffer.of(0)), der(SEQUENCE), publicKey, der(ATTRIBUTES));
  const signature = sign('sha256', info, privateKey);
  return der(SEQUENCE, info, der(SEQUENCE, ECDSA_SHA256), der(BIT_STRING, Buffer.of(0), signature));
}

/** Tag, length (X.690 §8.1.3) and content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}
