import type { AgentIdentity, StreamEndReason } from './agent-gateway.js';

/** What a connection has shown of itself in the TLS handshake. */
export type PeerCredential =
  | { kind: 'none' }
  /** Of another authority, for another purpose, or not valid yet. */
  | { kind: 'foreign'; edition: string }
  | { kind: 'expired'; agentId: string; serial: Buffer; expiresMs: number }
  | { kind: 'valid'; agentId: string; serial: Buffer; expiresMs: number };

/** A certificate that an agent was given. */
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

/** What a TLS server presents, as PEM; `expiresMs` of its first certificate. */
export interface ServerCertificate {
  certificate: string;
  key: string;
  expiresMs: number;
}

/** The authority behind mutual TLS, as the gRPC server sees it. */
export interface CertificateGateway {
  /** DER of the authorities that agents' certificates come from. */
  readonly authorities: readonly Buffer[];
  /** Another text where there are other authorities. */
  readonly edition: string;
  /** Reads again which authorities there are. */
  refresh(): Promise<void>;
  /** Judges a certificate by itself; whether its agent is still wanted only `authenticateCertificate` knows. */
  examine(certificate: Buffer): PeerCredential;
  authenticateCertificate(agentId: string, serial: Buffer): Promise<AgentIdentity | 'unknown' | 'revoked'>;
  enroll(request: { token: string; csr: Buffer }, peer: PeerCredential): Promise<Enrolled | EnrolmentRefusal>;
  /** A certificate for the gRPC port, with a key of its own. */
  issueServerCertificate(hosts: readonly string[]): Promise<ServerCertificate>;
}

/**
 * Whether a certificate that was found to be foreign was judged by what is so now.
 * @throws Error where it was not: of an authority that was made meanwhile, perhaps. The next handshake tells
 */
export async function assertCurrent(certificates: CertificateGateway, { edition }: { edition: string }): Promise<void> {
  await certificates.refresh();
  if (certificates.edition !== edition) throw new Error('The authorities have changed.');
}
