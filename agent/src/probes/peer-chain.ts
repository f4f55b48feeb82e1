import type { X509Certificate } from 'node:crypto';

const MOST_CERTIFICATES = 12;

/** The certificates that a server presented, in its order. `issuerCertificate` is the next one, whether or not it is the issuer. */
export function peerChain(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let next = leaf; next && chain.length < MOST_CERTIFICATES; next = next.issuerCertificate) chain.push(next);
  return chain;
}
