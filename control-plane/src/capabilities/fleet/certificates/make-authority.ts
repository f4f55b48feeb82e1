import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
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
import type { AuthorityRow } from './authority-store.js';
import { AUTHORITY_LIFE_MS } from './certificate-times.js';
import { KEY, newSerial, SIGNING } from './signing.js';

const { subtle } = webcrypto;

export const SEALED_AUTHORITY_KEY: SealedColumn = {
  table: 'certificate_authority',
  column: 'sealed_key',
  reads: ['id'],
  context: ({ id }) => id!,
};

/** A new authority, its key sealed under its id. */
export async function makeAuthority(secretBox: SecretBox, nowMs: number): Promise<AuthorityRow> {
  const id = newId(nowMs);
  const keys = await subtle.generateKey(KEY, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial().toString('hex'),
    // A name of its own: two installations' authorities are never taken for each other.
    name: `CN=Watchpost agents ${id}`,
    notBefore: new Date(nowMs - 86_400_000),
    notAfter: new Date(nowMs + AUTHORITY_LIFE_MS),
    keys,
    signingAlgorithm: SIGNING,
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
