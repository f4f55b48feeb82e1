import { X509Certificate } from 'node:crypto';
import { isUuid } from '@watchpost/shared/id';
import type { PeerCredential } from '../../../platform/grpc/index.js';
import { agentUri } from './certificate-authority.js';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const URI = `URI:${agentUri('')}`;

/**
 * Classifies an agent's certificate by its issuer, purpose and validity, without the database. The TLS handshake has
 * already proved that the peer has the private key.
 */
export function examineCertificate(
  der: Buffer,
  { certificates, edition }: { certificates: readonly X509Certificate[]; edition: string },
  nowMs: number,
): PeerCredential {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(der);
  } catch {
    return { kind: 'foreign', edition };
  }
  const isTrusted = certificates.some(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
  const name = certificate.subjectAltName ?? '';
  const agentId = name.startsWith(URI) ? name.slice(URI.length) : '';
  const isForAgents = !certificate.ca && (certificate.keyUsage ?? []).join() === CLIENT_AUTH && isUuid(agentId);
  if (!isTrusted || !isForAgents || Date.parse(certificate.validFrom) > nowMs) return { kind: 'foreign', edition };
  const expiresMs = Date.parse(certificate.validTo);
  const serial = Buffer.from(certificate.serialNumber, 'hex');
  return { kind: expiresMs > nowMs ? 'valid' : 'expired', agentId, serial, expiresMs };
}
