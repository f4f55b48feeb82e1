import type { Metadata } from '@grpc/grpc-js';
import type { PeerCredential } from '../../../platform/grpc/index.js';
import type { AgentIdentity, StreamEndReason } from '../agents/agent-connection.js';
import { type AgentCertificates, assertCurrent } from '../certificates/agent-certificates.js';
import type { Fleet } from '../fleet.js';

/** No token is longer; longer text is refused without hashing it. */
const MAX_TOKEN_LENGTH = 256;

/** The caller and when its credential expires, or why the caller is refused. */
export type Admission =
  | { agent: AgentIdentity; expiresMs: number | null }
  | { refused: StreamEndReason; message: string };

export interface CallerOfCall {
  readonly metadata: Metadata;
  /** The peer as "address:port". */
  getPeer(): string;
}

/** @throws errors of the database, after which the caller may try again */
export type AuthenticateCall = (call: CallerOfCall) => Promise<Admission>;

const REVOKED: Admission = {
  refused: 'revoked',
  message: 'This agent was revoked: make a new one with `admin agents create`.',
};

/** Authentication without TLS, on loopback only: the token is the credential. */
export function tokenAuthentication(fleet: Pick<Fleet, 'authenticate'>): AuthenticateCall {
  return async ({ metadata }) => {
    const token = agentToken(metadata);
    if (token === undefined)
      return {
        refused: 'unknownAgent',
        message: 'Send the agent token as metadata: authorization: Bearer <token>.',
      };
    const agent = await fleet.authenticate(token);
    if (agent === 'unknown') return { refused: 'unknownAgent', message: 'No agent has this token.' };
    if (agent === 'spent')
      return {
        refused: 'unknownAgent',
        message:
          'This token was used when its agent enrolled. Without TLS the agent needs a new one: `admin agents reissue`.',
      };
    return agent === 'revoked' ? REVOKED : { agent, expiresMs: null };
  };
}

/** Authentication under mutual TLS: only the certificate is a credential. */
export function certificateAuthentication(
  certificates: AgentCertificates,
  credentialOf: (peer: string) => PeerCredential,
): AuthenticateCall {
  return async (call) => {
    const peer = credentialOf(call.getPeer());
    switch (peer.kind) {
      case 'none':
        return { refused: 'noCertificate', message: 'An agent’s certificate is required: call Enroll with its token.' };
      case 'foreign':
        await assertCurrent(certificates, peer);
        return {
          refused: 'noCertificate',
          message: 'The certificate was not issued to an agent by this control plane: enrol again.',
        };
      case 'expired':
        return {
          refused: 'certificateExpired',
          message: `The certificate expired at ${new Date(peer.expiresMs).toISOString()}: renew it by Enroll.`,
        };
      case 'valid': {
        const agent = await certificates.authenticateCertificate(peer.agentId, peer.serial);
        if (agent === 'revoked') return REVOKED;
        if (agent === 'unknown')
          return {
            refused: 'noCertificate',
            message: 'This certificate is not valid any more: the agent has enrolled again since, or is gone.',
          };
        return { agent, expiresMs: peer.expiresMs };
      }
    }
  };
}

/** @returns the token, or undefined if there is none */
function agentToken(metadata: Metadata): string | undefined {
  const header = metadata.get('authorization')[0];
  if (typeof header !== 'string') return undefined;
  const match = /^bearer +(\S+)$/i.exec(header);
  return match && match[1]!.length <= MAX_TOKEN_LENGTH ? match[1] : undefined;
}
