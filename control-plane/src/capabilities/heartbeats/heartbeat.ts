import type { HeartbeatSettings } from '../monitors/index.js';
import type { ReceptionOutage } from './decide-expected-by.js';

/** Stored as numbers: never change them. */
export const PING_KIND_CODES = { success: 1, start: 2, fail: 3, log: 4 } as const;
export type PingKind = keyof typeof PING_KIND_CODES;
export const PING_KINDS = Object.keys(PING_KIND_CODES) as readonly PingKind[];

export interface Ping {
  /** When it was received, ms since the epoch. */
  atMs: number;
  kind: PingKind;
  exitCode: number | null;
  /** Pairs a start with its end. */
  rid: string | null;
  remoteAddress: string;
  userAgent: string | null;
  /** The last part of what was sent with it. */
  body: string | null;
}

/** A run that has started and not ended. */
export interface Run {
  rid: string | null;
  startedMs: number;
}

/** Why a heartbeat is unavailable, until the next success. */
export type HeartbeatFailure =
  | {
      kind: 'reported';
      atMs: number;
      exitCode: number | null;
      rid: string | null;
      runtimeMs: number | null;
      body: string | null;
    }
  /** No success until `atMs`. */
  | { kind: 'late'; atMs: number; lastSuccessMs: number | null }
  /** A run was not over at `atMs`. */
  | { kind: 'overrun'; atMs: number; startedMs: number; rid: string | null };

/** The state of a heartbeat between pings. Moments in ms since the epoch. */
export interface HeartbeatState {
  /** Failures before this do not count: it was paused then, or did not exist. */
  countsFromMs: number;
  lastPingMs: number | null;
  /** The ping after which the next due time is counted; null before the first one. */
  dueFromMs: number | null;
  succeededMs: number | null;
  /** The last ones, oldest first. */
  runs: Run[];
  failure: HeartbeatFailure | null;
  expectedByMs: number | null;
}

export interface HeartbeatSubject {
  monitorKey: number;
  state: HeartbeatState;
  settings: HeartbeatSettings;
  /** When the schedule was last changed. */
  scheduleSinceMs: number;
  /** Until when pings were received for certain: no deadline after it has passed. */
  receivedUntilMs: number;
  /** By time. */
  outages: readonly ReceptionOutage[];
}
