import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { AgentHello, AgentMessage, AssignmentMessage } from '@watchpost/shared/wire/messages';

/** An agent whose credential was accepted. */
export interface AgentIdentity {
  agentId: string;
  /** What the hot tables call it. */
  agentKey: number;
  name: string;
  region: Region;
}

/** Why the control plane ends a stream; `stream-status.ts` says which status each is. */
export type StreamEndReason =
  | 'unknownAgent'
  | 'noCertificate'
  | 'certificateExpired'
  | 'revoked'
  | 'unsupported'
  | 'malformed'
  | 'replaced'
  | 'slow'
  | 'stopping'
  | 'unavailable'
  | 'internal';

/** Why a credential counts no longer: the agent was revoked, or has begun a new life with a new token. */
export type CredentialEnd = 'revoked' | 'enrolledAgain';

/** The way to one agent. After the end nothing that is sent arrives, and nothing throws. */
export interface AssignmentSink {
  /** Resolves when the message has left for the network, or when the stream is over. */
  send(message: AssignmentMessage): Promise<void>;
  end(reason: StreamEndReason, message: string): void;
}

/** An agent's assignment stream, seen from the stream. */
export interface AssignmentReceiver {
  receive(message: AgentMessage): void;
  /** The stream is over, whoever ended it. */
  closed(): void;
}

/** A result that is not kept, whatever is sent again: its position among those that came, and why. */
export interface RefusedResult {
  index: number;
  /** As in the wire contract. */
  reason: 'not_due';
}

/** What stands behind the gRPC server. */
export interface AgentGateway {
  /** Whose token this is; `spent` where a certificate has taken its place. */
  authenticate(token: string): Promise<AgentIdentity | 'unknown' | 'revoked' | 'spent'>;
  openSession(agent: AgentIdentity, hello: AgentHello, sink: AssignmentSink): AssignmentReceiver;
  /**
   * Calls back once when what the agent has shown of itself counts no longer.
   * @returns a function that ends the watch
   */
  watchRevocation(agent: AgentIdentity, onRevoked: (why: CredentialEnd) => void): () => void;
}

/** Where the results of agents go. */
export interface ResultSink {
  /**
   * Resolves when the results are committed. A rejection is taken as temporary, and the results are tried again.
   * @returns those that were refused
   */
  ingest(agent: AgentIdentity, results: CheckResult[]): Promise<readonly RefusedResult[]>;
}
