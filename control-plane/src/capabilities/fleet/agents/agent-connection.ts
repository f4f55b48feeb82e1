import type { Place } from '@watchpost/shared/region';
import type { AgentMessage, AssignmentMessage, PlaceEgress } from '@watchpost/shared/wire/messages';

export interface AgentIdentity {
  agentId: string;
  /** Identifies the agent in hot tables. */
  agentKey: number;
  name: string;
  /** The place whose checks it runs. */
  region: Place;
  /** The code of the place in results. That of a private location names it within its workspace only. */
  code: number;
  /** The workspace of an agent of a private location. */
  workspaceId: string | null;
  /** Where the checks of its private location may connect to. */
  egress: PlaceEgress | null;
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

export interface AssignmentReceiver {
  receive(message: AgentMessage): void;
  /** Called once when the stream is over. */
  closed(): void;
}
