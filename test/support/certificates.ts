import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  Extension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { isIP } from 'node:net';
import { DAY_MS } from '@watchpost/shared/time';

/** What a TLS server presents, as PEM. */
export interface ServerCertificate {
  key: string;
  /** The leaf, followed by `chain`. */
  cert: string;
}

export interface IssueOptions {
  /** Names and addresses. Default: `localhost`, `127.0.0.1` and `::1`; with none, only a common name, `nobody`. */
  names?: readonly string[];
  notBefore?: Date;
  notAfter?: Date;
  /**
   * `full` sends the intermediate too, as a server should; `leaf` forgets it; `duplicate` sends an expired certificate of the
   * intermediate before the valid one. Default `full`.
   */
  chain?: 'full' | 'leaf' | 'duplicate';
  /** The digest of the issuer's signature. Default `SHA-256`. */
  digest?: Digest;
  /** RSA takes longer to make. Default `P-256`. */
  key?: 'P-256' | 'RSA-2048' | 'RSA-1024' | 'RSA-768';
  /** What the certificate may be used for. Default `serverAuth`. */
  usage?: 'serverAuth' | 'clientAuth';
  /** With a critical extension that no client knows. */
  isStrange?: boolean;
}

export type Digest = 'SHA-1' | 'SHA-256';

/** A certificate authority of the tests' own: a root, and an intermediate that signs. */
export interface TestAuthority {
  /** The root as PEM: what a client must trust. */
  rootPem: string;
  issue(options?: IssueOptions): Promise<ServerCertificate>;
}

const signing = (hash: Digest = 'SHA-256') => ({ name: 'ECDSA', hash });
const KEYS = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'RSA-2048': {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  },
  'RSA-768': {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 768,
  },
  'RSA-1024': {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 1024,
  },
} as const;

/** How the intermediate of an authority differs from a good one. */
export interface IntermediateOptions {
  notBefore?: Date;
  notAfter?: Date;
  /** The digest of the root's signature. */
  digest?: Digest;
}

export async function createAuthority(
  name = 'Watchpost Test',
  options: IntermediateOptions = {},
): Promise<TestAuthority> {
  const root = await makeKeys('P-256');
  const middle = await makeKeys('P-256');
  const years = { notBefore: new Date(Date.now() - 700 * DAY_MS), notAfter: new Date(Date.now() + 700 * DAY_MS) };
  const caUsage = new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true);
  const rootCertificate = await X509CertificateGenerator.createSelfSigned({
    ...years,
    name: `CN=${name} Root`,
    keys: root,
    signingAlgorithm: signing(),
    extensions: [new BasicConstraintsExtension(true, undefined, true), caUsage],
  });
  const makeIntermediate = ({ digest, ...validity }: IntermediateOptions): Promise<X509Certificate> =>
    X509CertificateGenerator.create({
      ...years,
      ...validity,
      subject: `CN=${name} Intermediate`,
      issuer: rootCertificate.subject,
      publicKey: middle.publicKey,
      signingKey: root.privateKey,
      signingAlgorithm: signing(digest),
      extensions: [new BasicConstraintsExtension(true, 0, true), caUsage],
    });
  const intermediate = await makeIntermediate(options);
  const expired = await makeIntermediate({ notAfter: new Date(Date.now() - DAY_MS) });
  return {
    rootPem: rootCertificate.toString('pem'),
    async issue(options = {}) {
      const keys = await makeKeys(options.key ?? 'P-256');
      const leaf = await X509CertificateGenerator.create({
        subject: `CN=${subjectOf(options)}`,
        issuer: intermediate.subject,
        publicKey: keys.publicKey,
        signingKey: middle.privateKey,
        signingAlgorithm: signing(options.digest),
        ...validity(options),
        extensions: [
          ...leafExtensions(options),
          new AuthorityInfoAccessExtension({ caIssuers: 'http://ca.test/intermediate.crt' }),
        ],
      });
      return {
        key: await pemOf(keys),
        cert: join(
          leaf,
          ...{ leaf: [], full: [intermediate], duplicate: [expired, intermediate] }[options.chain ?? 'full'],
        ),
      };
    },
  };
}

/** A certificate that signs itself, as devices make them. */
export async function selfSigned(options: IssueOptions = {}): Promise<ServerCertificate> {
  const keys = await makeKeys(options.key ?? 'P-256');
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${subjectOf(options)}`,
    keys,
    signingAlgorithm: { ...KEYS[options.key ?? 'P-256'], ...(options.digest ? { hash: options.digest } : {}) },
    ...validity(options),
    extensions: leafExtensions(options),
  });
  return { key: await pemOf(keys), cert: certificate.toString('pem') };
}

const namesOf = (options: IssueOptions): readonly string[] => options.names ?? ['localhost', '127.0.0.1', '::1'];
const subjectOf = (options: IssueOptions): string => namesOf(options)[0]?.replaceAll('*', 'wildcard') ?? 'nobody';
const join = (...certificates: X509Certificate[]): string =>
  certificates.map((certificate) => certificate.toString('pem')).join('\n');

function validity(options: IssueOptions): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: options.notBefore ?? new Date(Date.now() - DAY_MS),
    notAfter: options.notAfter ?? new Date(Date.now() + 90 * DAY_MS),
  };
}

function leafExtensions(options: IssueOptions): Extension[] {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage[options.usage ?? 'serverAuth']]),
    ...(options.isStrange ? [new Extension('1.2.3.4.5', true, new Uint8Array([5, 0]))] : []),
    ...(namesOf(options).length === 0
      ? []
      : [
          new SubjectAlternativeNameExtension(
            namesOf(options).map((name) => ({ type: isIP(name) === 0 ? 'dns' : 'ip', value: name })),
          ),
        ]),
  ];
}

async function makeKeys(kind: keyof typeof KEYS): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEYS[kind], true, ['sign', 'verify']);
}

async function pemOf(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}
