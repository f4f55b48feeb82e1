import { commonNameOf, signatureAlgorithmOf } from './certificate-summary.js';
import type { ChainVerdict } from './judge-chain.js';
import { ProbeFault } from './probe-fault.js';

const WEAK: readonly { name: RegExp; algorithm: string }[] = [
  { name: /md5/i, algorithm: 'MD5' },
  { name: /sha1/i, algorithm: 'SHA-1' },
];

/**
 * The fault of the first certificate of a path whose signature is forgeable, which OpenSSL refuses on its security level 1 and
 * browsers refuse, too. The signature of a root proves nothing, and does not count.
 */
export function weakSignatureFault({ path, root }: ChainVerdict, host: string): ProbeFault | null {
  for (const certificate of path) {
    if (certificate === root) continue;
    const name = signatureAlgorithmOf(certificate);
    const weak = WEAK.find((one) => one.name.test(name));
    if (!weak) continue;
    const subject = commonNameOf(certificate.subject) ?? 'without a name';
    return new ProbeFault('certificate_weak_signature', { host, subject, algorithm: weak.algorithm });
  }
  return null;
}
