import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { newId } from '@watchpost/shared/id';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { CertificateAuthorityEntity } from './certificate.entity.js';
import { AUTHORITY_LIFE_MS } from './certificate-times.js';

const { subtle } = webcrypto;

/** The algorithms of authorities and of the certificates that they sign. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

export const SEALED_AUTHORITY_KEY: SealedColumn = {
  table: 'certificate_authority',
  column: 'sealed_key',
  reads: ['id'],
  context: ({ id }) => id!,
};

/** Makes an authority. Its key is sealed under its id. */
export async function makeAuthority(secretBox: SecretBox, nowMs: number): Promise<CertificateAuthorityEntity> {
  const id = newId(nowMs);
  const keys = await subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial().toString('hex'),
    // The id makes the name unique, so that the authorities of two installations are not confused.
    name: `CN=Watchpost agents ${id}`,
    notBefore: new Date(nowMs - 86_400_000),
    notAfter: new Date(nowMs + AUTHORITY_LIFE_MS),
    keys,
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey));
  return {
    id,
    certificate: Buffer.from(certificate.rawData),
    sealedKey: secretBox.seal(pkcs8, id),
    created: new Date(nowMs),
  };
}

/** A serial number of 126 random bits (RFC 5280 §4.1.2.2: positive). Its first byte is not zero, so that its text has a fixed length. */
export function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = 0x40 | (serial[0]! & 0x3f);
  return serial;
}
