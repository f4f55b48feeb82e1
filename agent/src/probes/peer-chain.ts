import { X509Certificate } from 'node:crypto';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';

const MOST_CERTIFICATES = 12;

/** The certificates that a server presented, leaf first, and the authorities above them. */
export function peerChain(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  // The method of the class: a check of HTTP replaces that of its socket.
  let certificate: DetailedPeerCertificate | undefined = TLSSocket.prototype.getPeerCertificate.call(socket, true) as
    | DetailedPeerCertificate
    | undefined;
  const seen = new Set<string>();
  // Node links each certificate to its issuer; a root is its own issuer.
  while (certificate?.raw && !seen.has(certificate.fingerprint256) && chain.length < MOST_CERTIFICATES) {
    seen.add(certificate.fingerprint256);
    chain.push(new X509Certificate(certificate.raw));
    certificate = certificate.issuerCertificate;
  }
  return chain;
}
