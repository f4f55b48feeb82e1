import type { X509Certificate } from 'node:crypto';

/** OpenSSL accepts about 100 KB of them: some servers send every authority that they know. */
const MOST_CERTIFICATES = 100;

/** The certificates that a server presented, in its order. `issuerCertificate` is the next one, whether or not it is the issuer. */
export function peerChain(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let next = leaf; next && chain.length < MOST_CERTIFICATES; next = next.issuerCertificate) chain.push(next);
  return chain;
}
