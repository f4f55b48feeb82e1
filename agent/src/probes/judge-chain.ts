import { X509Certificate } from 'node:crypto';
import { isCurrent, publicKeyOf } from './certificate-summary.js';

/** A fault of the chain itself, beside dates and names. */
export type ChainFault = 'selfSigned' | 'noIntermediate' | 'unknownAuthority';

export interface ChainVerdict {
  fault: ChainFault | null;
  /** The certificates from the leaf towards a trusted root, without the root; as far as they are complete. */
  path: readonly X509Certificate[];
  /** The trusted root at the end; null without one. */
  root: X509Certificate | null;
}

/** Authorities by their subject: several may share one. */
export type TrustedRoots = ReadonlyMap<string, readonly X509Certificate[]>;

export function indexRoots(pems: readonly string[]): TrustedRoots {
  const roots = new Map<string, X509Certificate[]>();
  for (const pem of pems) {
    const root = new X509Certificate(pem);
    const same = roots.get(root.subject);
    if (same) same.push(root);
    else roots.set(root.subject, [root]);
  }
  return roots;
}

/**
 * Whether the presented certificates lead to a trusted root. OpenSSL's own verification reports one fault only, and an
 * expired date hides an unknown authority. The path is the one that OpenSSL takes: it ends at the first trusted root, and of
 * several certificates of one issuer it has the first that is valid now. Further certificates do not matter.
 */
export function judgeChain(presented: readonly X509Certificate[], roots: TrustedRoots, nowMs: number): ChainVerdict {
  const path: X509Certificate[] = [];
  let current = presented[0];
  while (current) {
    // The dates of a certificate count even if it is trusted itself.
    if (isTrustedRoot(current, roots))
      return { fault: null, path: path.length === 0 ? [current] : path, root: current };
    path.push(current);
    const root = issuerAmong(roots.get(current.issuer) ?? [], current, nowMs);
    if (root) return { fault: null, path, root };
    const others = presented.filter((one) => !path.includes(one) && one.ca);
    current = issuerAmong(others, current, nowMs);
  }
  return { fault: faultOf(path), path, root: null };
}

function issuerAmong(
  candidates: readonly X509Certificate[],
  subject: X509Certificate,
  nowMs: number,
): X509Certificate | undefined {
  const issuers = candidates.filter((one) => isIssuedBy(subject, one));
  return (
    issuers.find((one) => isCurrent(one, nowMs)) ??
    issuers.toSorted((one, other) => Date.parse(other.validTo) - Date.parse(one.validTo))[0]
  );
}

function faultOf(path: readonly X509Certificate[]): ChainFault {
  const last = path.at(-1);
  // Devices sign themselves with keys that must not sign certificates: `checkIssued` would reject that.
  const signsItself = last !== undefined && last.subject === last.issuer && isSignedBy(last, last);
  if (path.length === 1 && signsItself) return 'selfSigned';
  // A single leaf with the address of its issuer's certificate has an intermediate above it.
  return path.length === 1 && !signsItself && last?.infoAccess?.includes('CA Issuers')
    ? 'noIntermediate'
    : 'unknownAuthority';
}

function isTrustedRoot(certificate: X509Certificate, roots: TrustedRoots): boolean {
  return (roots.get(certificate.subject) ?? []).some((root) => root.fingerprint256 === certificate.fingerprint256);
}

function isIssuedBy(subject: X509Certificate, issuer: X509Certificate): boolean {
  return subject.checkIssued(issuer) && isSignedBy(subject, issuer);
}

function isSignedBy(subject: X509Certificate, issuer: X509Certificate): boolean {
  const key = publicKeyOf(issuer);
  return key !== null && subject.verify(key);
}
