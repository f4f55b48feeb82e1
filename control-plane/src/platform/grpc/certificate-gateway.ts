import type { AgentIdentity, StreamEndReason } from './agent-gateway.js';

/** The client certificate of a TLS connection. */
export type PeerCredential =
  | { kind: 'none' }
  /** Issued by another authority, for another purpose, or not valid yet. `edition`: the authorities it was compared with. */
  | { kind: 'foreign'; edition: string }
  | { kind: 'expired'; agentId: string; serial: Buffer; expiresMs: number }
  | { kind: 'valid'; agentId: string; serial: Buffer; expiresMs: number };

/** A certificate that was issued to an agent. */
export interface Enrolled {
  certificate: Buffer;
  authorities: readonly Buffer[];
  renewAfterMs: number;
  expiresMs: number;
}

export interface EnrolmentRefusal {
  refused: Extract<StreamEndReason, 'unknownAgent' | 'revoked' | 'malformed'>;
  message: string;
}

/** The certificate chain and key of a TLS server, as PEM. `expiresMs` belongs to the first certificate. */
export interface ServerCertificate {
  certificate: string;
  key: string;
  expiresMs: number;
}

/** The certificate authority, as the gRPC server uses it. */
export interface CertificateGateway {
  /** The authorities that issue agents' certificates, in DER. */
  readonly authorities: readonly Buffer[];
  /** Identifies the present set of authorities. */
  readonly edition: string;
  /** Reads the authorities again. */
  refresh(): Promise<void>;
  /** Classifies a certificate without the database. `authenticateCertificate` checks that it is not revoked. */
  examine(certificate: Buffer): PeerCredential;
  authenticateCertificate(agentId: string, serial: Buffer): Promise<AgentIdentity | 'unknown' | 'revoked'>;
  enroll(request: { token: string; csr: Buffer }, peer: PeerCredential): Promise<Enrolled | EnrolmentRefusal>;
  /** Issues a certificate for the gRPC port, with a new key. */
  issueServerCertificate(hosts: readonly string[]): Promise<ServerCertificate>;
}

/**
 * Checks that a foreign certificate was compared with the present authorities.
 * @throws Error if there are others now: the certificate may be of a new one, which the next handshake finds out
 */
export async function assertCurrent(certificates: CertificateGateway, { edition }: { edition: string }): Promise<void> {
  await certificates.refresh();
  if (certificates.edition !== edition) throw new Error('The authorities have changed.');
}
