import type { CheckKey, CheckKind, CheckSpec, RunPurpose } from '../check.js';
import type { CheckResult } from '../outcome.js';

/** The version of the wire contract that both sides of this build speak. */
export const PROTOCOL_VERSION = 1;

export interface AgentHello {
  agentVersion: string;
  /** Such as `linux-x64`; absent where it is not known. */
  platform?: string;
  /** True if it can trace paths to addresses; absent where it is not known. */
  canTrace?: boolean;
  /** The kinds that it can run; kinds unknown to this build are left out. */
  capabilities: CheckKind[];
  /** 0 where it has applied nothing yet. */
  lastRevision: number;
  epoch: string;
}

/** Whether an agent reaches its reference targets; `unknown` where it has none or has not tried yet. */
export type Visibility = 'unknown' | 'seeing' | 'blind';

export interface AgentHeartbeat {
  /** Results that are not acknowledged yet. */
  spoolDepth: number;
  checks: number;
  lagP99Us: number;
  visibility: Visibility;
}

export type AgentMessage =
  | { kind: 'revisionAck'; revision: number }
  | { kind: 'heartbeat'; heartbeat: AgentHeartbeat }
  /** It is about to stop: its checks go to other agents, and then a drain ends the stream. */
  | { kind: 'leaving' }
  | RunReport;

/** The answer to a `RunRequest`: a result, or the reason why there is none. */
export interface RunReport {
  kind: 'runResult';
  requestId: string;
  result: CheckResult | null;
  refusal: string;
}

/** Everything that an agent sends on its assignment stream; the hello comes first. */
export type PullMessage = { kind: 'hello'; protocolVersion: number; hello: AgentHello } | AgentMessage;

/** A check that moves to an agent: its scheduled times after this one, ms since the epoch, are the agent's to run. */
export interface Handover {
  key: CheckKey;
  /** 0 where none is known to be completed. */
  completedThroughMs: number;
}

export interface Welcome {
  kind: 'welcome';
  agentId: string;
  region: string;
  protocolVersion: number;
  /** `leaveWithinMs`: the longest time from the agent's leaving to its drain; 0 where the control plane does not know leaving. */
  settings: { heartbeatMs: number; maxBatchResults: number; leaveWithinMs: number };
  /** The history of the control plane's database, opaque; '' where it is not known. With another one, results may be lost. */
  databaseHistory: string;
  /** Of an agent of a private location. */
  egress?: PlaceEgress;
}

/** Where the checks of a private location may connect to. */
export interface PlaceEgress {
  allowCidrs: readonly string[];
  denyCidrs: readonly string[];
}

export interface Snapshot {
  kind: 'snapshot';
  revision: number;
  epoch: string;
  /** Position of this part among those of the snapshot. */
  index: number;
  last: boolean;
  checks: readonly CheckSpec[];
  /** null: the agent itself knows which scheduled times it missed. */
  handovers: readonly Handover[] | null;
}

export interface Delta {
  kind: 'delta';
  revision: number;
  epoch: string;
  upserts: readonly CheckSpec[];
  removes: readonly CheckKey[];
  handovers: readonly Handover[];
}

export interface RunRequest {
  kind: 'runNow';
  requestId: string;
  /** null where the receiver cannot run such a check. */
  check: CheckSpec | null;
  /** ms since the epoch, by the server's clock. */
  deadlineMs: number;
  purpose: RunPurpose;
}

/** Everything that the control plane sends on an assignment stream; the welcome comes first. */
export type AssignmentMessage =
  | Welcome
  | Snapshot
  | Delta
  | RunRequest
  | { kind: 'drain'; reason: string }
  | { kind: 'egress'; egress: PlaceEgress };
