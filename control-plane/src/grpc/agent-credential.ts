import type { Metadata } from '@grpc/grpc-js';

/** Longer than any token that this product gives out; more is not even hashed. */
const MAX_TOKEN_LENGTH = 256;

/**
 * What an agent shows to say who it is: its token. Under mutual TLS the peer certificate
 * (`call.getAuthContext().sslPeerCertificate`) is the credential instead, and is read here.
 * @returns the token, or undefined where there is none
 */
export function agentToken(metadata: Metadata): string | undefined {
  const header = metadata.get('authorization')[0];
  if (typeof header !== 'string') return undefined;
  const match = /^bearer +(\S+)$/i.exec(header);
  return match && match[1]!.length <= MAX_TOKEN_LENGTH ? match[1] : undefined;
}
