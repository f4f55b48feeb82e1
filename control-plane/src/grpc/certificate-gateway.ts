import type { AgentIdentity, StreamEndReason } from './agent-gateway.js';

/** What a connection has shown of itself in the TLS handshake. */
export type PeerCredential =
  | { kind: 'none' }
  /** Of another authority, for another purpose, or not valid yet. */
  | { kind: 'foreign' }
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
  /** Judges a certificate by itself; whether its agent is still wanted only `authenticateCertificate` knows. */
  examine(certificate: Buffer): PeerCredential;
  authenticateCertificate(agentId: string, serial: Buffer): Promise<AgentIdentity | 'unknown' | 'revoked'>;
  enroll(request: { token: string; csr: Buffer }, peer: PeerCredential): Promise<Enrolled | EnrolmentRefusal>;
  /** A certificate for the gRPC port, with a key of its own. */
  issueServerCertificate(hosts: readonly string[]): Promise<ServerCertificate>;
}
