import 'reflect-metadata';
import { webcrypto, X509Certificate as ParsedCertificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Clock } from '@watchpost/shared/clock';
import type { Database } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { insertAuthority, lockAuthorities, selectAuthorities, type AuthorityRow } from './authority-store.js';
import { AUTHORITY_SETTLE_MS } from './certificate-times.js';
import { makeAuthority } from './make-authority.js';
import { KEY, newSerial, SIGNING } from './signing.js';

const { subtle } = webcrypto;

export interface IssuedCertificate {
  /** DER. */
  certificate: Buffer;
  serial: Buffer;
  authorityId: string;
}

interface Validity {
  notBeforeMs: number;
  notAfterMs: number;
}

interface Signer {
  id: string;
  created: Date;
  certificate: X509Certificate;
  key: webcrypto.CryptoKey;
}

interface AuthorityDeps {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
}

/**
 * The control plane's own certificate authority: one for all processes on a database, two while it is replaced. Its key
 * is sealed in there. The older one signs the port's certificate, which every agent can verify; the newer one those of
 * agents, once every process has had time to learn of it.
 */
export class CertificateAuthority {
  private constructor(
    /** Whose certificates are trusted, the one first that signs the port's. */
    readonly certificates: readonly ParsedCertificate[],
    private readonly signers: readonly Signer[],
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the authority, and makes it where there is none.
   * @throws SecretBoxError where its key was sealed under an encryption key that is not among ours
   */
  static async open({ db, clock, secretBox }: AuthorityDeps): Promise<CertificateAuthority> {
    let rows = await db.read(selectAuthorities);
    if (rows.length === 0) {
      const made = await makeAuthority(secretBox, clock.now());
      rows = await db.transaction(async (tx) => {
        await lockAuthorities(tx);
        const meanwhile = await selectAuthorities(tx);
        if (meanwhile.length > 0) return meanwhile;
        await insertAuthority(tx, made);
        return [made];
      });
    }
    const signers = await Promise.all(rows.map((row) => signerOf(row, secretBox)));
    return new CertificateAuthority(
      rows.map(({ certificate }) => new ParsedCertificate(certificate)),
      signers,
      clock,
    );
  }

  /** Changes with every authority that comes or goes. */
  get edition(): string {
    return this.signers.map(({ id }) => id).join();
  }

  /** @param publicKey SPKI in DER, of a P-256 key whose owner has proved to have the other half */
  async issueForAgent(agentId: string, publicKey: Buffer, validity: Validity): Promise<IssuedCertificate> {
    const key = await subtle.importKey('spki', publicKey, KEY, true, ['verify']);
    const known = this.clock.now() - AUTHORITY_SETTLE_MS;
    const signer = this.signers.findLast(({ created }) => created.getTime() <= known) ?? this.signers[0]!;
    return await issue(signer, key, `CN=${agentId}`, validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'url', value: agentUri(agentId) }]),
    ]);
  }

  /** @returns the certificate, and the key that was made for it, as PKCS #8 in DER */
  async issueForServer(hosts: readonly string[], validity: Validity): Promise<IssuedCertificate & { key: Buffer }> {
    const keys = await subtle.generateKey(KEY, true, ['sign', 'verify']);
    const names = hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host }));
    const issued = await issue(this.signers[0]!, keys.publicKey, 'CN=Watchpost control plane', validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
    ]);
    return { ...issued, key: Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)) };
  }
}

/** How a certificate names its agent. */
export function agentUri(agentId: string): string {
  return `urn:watchpost:agent:${agentId}`;
}

async function signerOf(row: AuthorityRow, secretBox: SecretBox): Promise<Signer> {
  const pkcs8 = secretBox.open(row.sealedKey, row.id);
  const key = await subtle.importKey('pkcs8', pkcs8, KEY, false, ['sign']);
  return { id: row.id, created: row.created, certificate: new X509Certificate(row.certificate), key };
}

async function issue(
  signer: Signer,
  publicKey: webcrypto.CryptoKey,
  subject: string,
  { notBeforeMs, notAfterMs }: Validity,
  extensions: (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[],
): Promise<IssuedCertificate> {
  const serial = newSerial();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serial.toString('hex'),
    subject,
    issuer: signer.certificate.subject,
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(notAfterMs),
    publicKey,
    signingKey: signer.key,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  return { certificate: Buffer.from(certificate.rawData), serial, authorityId: signer.id };
}
