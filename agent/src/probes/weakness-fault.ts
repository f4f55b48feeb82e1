import { commonNameOf, keyOf, signatureAlgorithmOf } from './certificate-summary.js';
import type { ChainVerdict } from './judge-chain.js';
import { ProbeFault } from './probe-fault.js';

const WEAK_DIGESTS: readonly { name: RegExp; algorithm: string }[] = [
  { name: /md5/i, algorithm: 'MD5' },
  { name: /sha1/i, algorithm: 'SHA-1' },
];
/** The shortest keys of OpenSSL's security level 1 (80 bits). */
const LEAST_BITS: Readonly<Record<string, number>> = { rsa: 1_024, 'rsa-pss': 1_024, dsa: 1_024, ec: 160 };

/**
 * The fault of the first certificate of a path whose key or signature can be forged, which OpenSSL refuses on its security
 * level 1, and browsers, too. The signature of a root proves nothing, and does not count.
 */
export function weaknessFault({ path, root }: ChainVerdict, host: string): ProbeFault | null {
  for (const certificate of root && !path.includes(root) ? [...path, root] : path) {
    const subject = commonNameOf(certificate.subject) ?? 'without a name';
    const { keyType, keyBits } = keyOf(certificate);
    if (keyBits !== null && keyBits < (LEAST_BITS[keyType] ?? 0))
      return new ProbeFault('certificate_weak_key', { host, subject, bits: keyBits });
    if (certificate === root) continue;
    const name = signatureAlgorithmOf(certificate);
    const weak = WEAK_DIGESTS.find((one) => one.name.test(name));
    if (weak) return new ProbeFault('certificate_weak_signature', { host, subject, algorithm: weak.algorithm });
  }
  return null;
}
