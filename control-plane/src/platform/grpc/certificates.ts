export type PeerCredential =
  | { kind: 'none' }
  /** Issued by another authority, for another purpose, or not valid yet. `edition`: the authorities it was compared with. */
  | { kind: 'foreign'; edition: string }
  | { kind: 'expired'; agentId: string; serial: Buffer; expiresMs: number }
  | { kind: 'valid'; agentId: string; serial: Buffer; expiresMs: number };

/** The certificate chain and key of a TLS server, as PEM. `expiresMs` belongs to the first certificate. */
export interface ServerCertificate {
  certificate: string;
  key: string;
  expiresMs: number;
}

export interface Certificates {
  /** The authorities that issue agents' certificates, in DER. */
  readonly authorities: readonly Buffer[];
  /** Identifies the present set of authorities. */
  readonly edition: string;
  /** Reads the authorities again. */
  refresh(): Promise<void>;
  /** Classifies a certificate without the database, so that a revoked one is still valid. */
  examine(certificate: Buffer): PeerCredential;
  /** Issues a certificate for the gRPC port, with a new key. */
  issueServerCertificate(hosts: readonly string[]): Promise<ServerCertificate>;
}
