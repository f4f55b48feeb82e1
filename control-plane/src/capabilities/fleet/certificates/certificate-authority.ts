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
import { insertAuthority, lockAuthorities, selectAuthorities } from './authority-store.js';
import type { CertificateAuthorityEntity } from './certificate.entity.js';
import { AUTHORITY_SETTLE_MS } from './certificate-times.js';
import { KEY_ALGORITHM, makeAuthority, newSerial, SIGNING_ALGORITHM } from './make-authority.js';

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
 * The control plane's own certificate authority, shared by all processes on a database. While it is replaced there are two.
 * The older one signs the port's certificate, because every agent can verify it. The newer one signs the agents'
 * certificates, as soon as every process knows it. The keys are stored sealed in the database.
 */
export class CertificateAuthority {
  private constructor(
    /** The trusted authorities, the oldest first. */
    readonly certificates: readonly ParsedCertificate[],
    private readonly signers: readonly Signer[],
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the authority, and makes one if there is none.
   * @throws SecretBoxError if its key was sealed under an encryption key that is not configured
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

  /** Identifies the present set of authorities. */
  get edition(): string {
    return this.signers.map(({ id }) => id).join();
  }

  /** @param publicKey SPKI in DER, a P-256 key; the agent has proved that it has the private key */
  async issueForAgent(agentId: string, publicKey: Buffer, validity: Validity): Promise<IssuedCertificate> {
    const key = await subtle.importKey('spki', publicKey, KEY_ALGORITHM, true, ['verify']);
    const settledMs = this.clock.now() - AUTHORITY_SETTLE_MS;
    const signer = this.signers.findLast(({ created }) => created.getTime() <= settledMs) ?? this.signers[0]!;
    return await issue(signer, key, `CN=${agentId}`, validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'url', value: agentUri(agentId) }]),
    ]);
  }

  /** @returns the certificate, and its new key as PKCS #8 in DER */
  async issueForServer(hosts: readonly string[], validity: Validity): Promise<IssuedCertificate & { key: Buffer }> {
    const keys = await subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
    const names = hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host }));
    const issued = await issue(this.signers[0]!, keys.publicKey, 'CN=Watchpost control plane', validity, [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
    ]);
    return { ...issued, key: Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)) };
  }
}

export function agentUri(agentId: string): string {
  return `urn:watchpost:agent:${agentId}`;
}

async function signerOf(row: CertificateAuthorityEntity, secretBox: SecretBox): Promise<Signer> {
  const pkcs8 = secretBox.open(row.sealedKey, row.id);
  const key = await subtle.importKey('pkcs8', pkcs8, KEY_ALGORITHM, false, ['sign']);
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
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...extensions,
    ],
  });
  return { certificate: Buffer.from(certificate.rawData), serial, authorityId: signer.id };
}
