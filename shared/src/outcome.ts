import type { CheckKey } from './check.js';

/** Stored as numbers, the same as in the wire contract: never change them. */
export const OUTCOME_CODES = { up: 1, down: 2, inconclusive: 3 } as const;
export type OutcomeKind = keyof typeof OUTCOME_CODES;

/** Where a check failed, in the order in which a check goes through them. */
export type FailurePhase = 'egress' | 'dns' | 'connect' | 'tls' | 'request' | 'firstByte' | 'transfer' | 'content';

/** Why a target counts as down. `message` beside it is the sentence for people. */
export type DownReason =
  | 'address_not_allowed'
  | 'invalid_target'
  | 'dns_not_found'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  | 'connection_failed'
  | 'tls_failure'
  | 'certificate_invalid'
  | 'protocol_error'
  | 'timeout'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'unexpected_status'
  | 'keyword_missing'
  | 'keyword_present';

/** Why nobody could tell: the agent is at fault, and the target may be fine. */
export type InconclusiveReason =
  | 'agent_late'
  | 'agent_overloaded'
  | 'agent_no_network'
  | 'agent_no_descriptors'
  | 'agent_stopping';

/** What a check found out. A target that is down is an outcome, never an exception. */
export type Outcome =
  | { kind: 'up' }
  | { kind: 'down'; phase: FailurePhase; reason: DownReason; message: string }
  | { kind: 'inconclusive'; reason: InconclusiveReason; message: string };

/** Microseconds; 0 for a phase that did not happen. Sums over all hops of a redirect chain. */
export interface Timings {
  dnsUs: number;
  connectUs: number;
  tlsUs: number;
  firstByteUs: number;
  transferUs: number;
}

/** One request of an HTTP check; a redirect chain has several. */
export interface HopEvidence {
  url: string;
  address: string | null;
  statusCode: number | null;
  timings: Timings;
}

/** What was seen when it failed, captured at the failing attempt and not after it. */
export interface Evidence {
  hops?: HopEvidence[];
  /** The answer's headers, secrets left out. */
  headers?: Record<string, string>;
  /** The first 2 KiB of the body, as text. */
  bodyStart?: string;
  /** Addresses that the name resolved to. */
  resolved?: string[];
}

/** What a probe returns. */
export interface ProbeReport {
  outcome: Outcome;
  /** Wall-clock start, ms since the epoch. */
  startedAtMs: number;
  totalUs: number;
  timings: Timings;
  statusCode: number | null;
  /** `ip:port` (IPv6 in brackets) really connected to, of the last hop. */
  address: string | null;
  evidence: Evidence | null;
}

/** A scheduled check's result: what is spooled, streamed and stored. */
export interface CheckResult extends ProbeReport {
  key: CheckKey;
  /** The due time, ms since the epoch. (monitor, kind, region, scheduledAt) is unique. */
  scheduledAtMs: number;
  /** How long the result speaks for its region. */
  freshMs: number;
  /** The agent's own event loop delay while the check ran. */
  loopLagUs: number;
}
