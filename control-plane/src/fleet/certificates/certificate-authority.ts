import 'reflect-metadata';
import { randomBytes, webcrypto, X509Certificate as ParsedCertificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { newId } from '@watchpost/shared/id';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../db/database.js';
import type { SecretBox } from '../../db/secret-box.js';
import { insertAuthority, lockAuthorities, selectAuthorities, type AuthorityRow } from './authority-store.js';
import { AUTHORITY_LIFE_MS } from './certificate-times.js';

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;
const { subtle } = webcrypto;

export interface IssuedCertificate {
  /** DER. */
  certificate: Buffer;
  serial: Buffer;
}

interface Validity {
  notBeforeMs: number;
  notAfterMs: number;
}

/** The control plane's own certificate authority: one for all processes on a database. Its key is sealed in there. */
export class CertificateAuthority {
  private constructor(
    /** Whose certificates are trusted, the one that signs first. */
    readonly certificates: readonly ParsedCertificate[],
    private readonly signer: X509Certificate,
    private readonly signingKey: webcrypto.CryptoKey,
  ) {}

  /**
   * Reads the authority, and makes it where there is none.
   * @throws SecretBoxError where its key was sealed under an encryption key that is not among ours
   */
  static async open(deps: { db: Database; clock: Clock; secretBox: SecretBox }): Promise<CertificateAuthority> {
    const { db, clock, secretBox } = deps;
    let rows = await db.read(selectAuthorities);
    if (rows.length === 0) {
      const made = await makeAuthority(secretBox, clock.now());
      rows = await db.transaction(async (tx) => {
        await lockAuthorities(tx);
        const meanwhile = await selectAuthorities(tx);
        if (meanwhile.length > 0) return meanwhile;
        await insertAuthority(tx, made, clock.now());
        return [made];
      });
    }
    const newest = rows[0]!;
    const pkcs8 = secretBox.open(newest.sealedKey, newest.id);
    const signingKey = await subtle.importKey('pkcs8', pkcs8, KEY, false, ['sign']);
    const certificates = rows.map(({ certificate }) => new ParsedCertificate(certificate));
    return new CertificateAuthority(certificates, new X509Certificate(newest.certificate), signingKey);
  }

  /** @param publicKey SPKI in DER, of a P-256 key whose owner has proved to have the other half */
  async issueForAgent(agentId: string, publicKey: Buffer, validity: Validity): Promise<IssuedCertificate> {
    const key = await subtle.importKey('spki', publicKey, KEY, true, ['verify']);
    return await this.issue(key, `CN=${agentId}`, validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'url', value: agentUri(agentId) }]),
    ]);
  }

  /** @returns the certificate, and the key that was made for it, as PKCS #8 in DER */
  async issueForServer(hosts: readonly string[], validity: Validity): Promise<IssuedCertificate & { key: Buffer }> {
    const keys = await subtle.generateKey(KEY, true, ['sign', 'verify']);
    const names = hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host }));
    const issued = await this.issue(keys.publicKey, 'CN=Watchpost control plane', validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
    ]);
    return { ...issued, key: Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)) };
  }

  private async issue(
    publicKey: webcrypto.CryptoKey,
    subject: string,
    { notBeforeMs, notAfterMs }: Validity,
    extensions: (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[],
  ): Promise<IssuedCertificate> {
    const serial = newSerial();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serial.toString('hex'),
      subject,
      issuer: this.signer.subject,
      notBefore: new Date(notBeforeMs),
      notAfter: new Date(notAfterMs),
      publicKey,
      signingKey: this.signingKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        ...extensions,
      ],
    });
    return { certificate: Buffer.from(certificate.rawData), serial };
  }
}

/** How a certificate names its agent. */
export function agentUri(agentId: string): string {
  return `urn:watchpost:agent:${agentId}`;
}

async function makeAuthority(secretBox: SecretBox, nowMs: number): Promise<AuthorityRow> {
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
  return { id, certificate: Buffer.from(certificate.rawData), sealedKey: secretBox.seal(pkcs8, id) };
}

/** 126 random bits (RFC 5280 §4.1.2.2: positive); the first byte is never zero, so that its text has one length. */
function newSerial(): Buffer {
  const serial = randomBytes(16);
  serial[0] = 0x40 | (serial[0]! & 0x3f);
  return serial;
}
