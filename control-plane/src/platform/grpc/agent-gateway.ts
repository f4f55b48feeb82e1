import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { AgentHello, AgentMessage, AssignmentMessage } from '@watchpost/shared/wire/messages';

/** An agent whose credential was accepted. */
export interface AgentIdentity {
  agentId: string;
  /** Identifies the agent in hot tables. */
  agentKey: number;
  name: string;
  region: Region;
}

/** Why the control plane ends a stream; `stream-status.ts` maps each reason to a gRPC status. */
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

/** Why a credential is not valid any more: the agent was revoked, or enrolled again with a new token. */
export type CredentialEnd = 'revoked' | 'enrolledAgain';

/** Sends to one agent. After the end of the stream, messages are dropped without an error. */
export interface AssignmentSink {
  /** Resolves when the message has left for the network, or when the stream is over. */
  send(message: AssignmentMessage): Promise<void>;
  end(reason: StreamEndReason, message: string): void;
}

/** Receives what an agent sends on its assignment stream. */
export interface AssignmentReceiver {
  receive(message: AgentMessage): void;
  /** Called once when the stream is over. */
  closed(): void;
}

/** A result that is acknowledged but not kept. */
export interface RefusedResult {
  /** Its position among the ingested results. */
  index: number;
  /** As in the wire contract. */
  reason: 'not_due';
}

/** The part of the control plane that the gRPC server calls. */
export interface AgentGateway {
  /** Finds the agent of a token; `spent` if the token was used for an enrolment. */
  authenticate(token: string): Promise<AgentIdentity | 'unknown' | 'revoked' | 'spent'>;
  openSession(agent: AgentIdentity, hello: AgentHello, sink: AssignmentSink): AssignmentReceiver;
  /**
   * Calls back once when the agent's credential is not valid any more.
   * @returns a function that ends the watch
   */
  watchRevocation(agent: AgentIdentity, onRevoked: (reason: CredentialEnd) => void): () => void;
}

/** Stores the results of agents. */
export interface ResultSink {
  /**
   * Resolves when the results are committed. After a rejection the results are ingested again.
   * @param onRest called when the next results of the agent need not wait for the rest of these
   * @returns the refused results
   */
  ingest(agent: AgentIdentity, results: CheckResult[], onRest: () => void): Promise<readonly RefusedResult[]>;
}
