import type { Region } from '@watchpost/shared/region';
import type { Role } from '../draw/fault-kinds.js';

/** A monitor whose settings stay the same for the whole run. All times of observations are ms since the epoch. */
export interface Watched {
  id: string;
  key: number;
  kind: 'http' | 'tcpUdp' | 'dns';
  /** By which its target knows it. */
  subject: string;
  regions: readonly Region[];
  intervalMs: number;
  checksBeforeAlert: number;
  fromMs: number;
}

export interface Disturbance {
  number: number;
  kind: string;
  role: Role;
  subject: string;
  /** Of the agent that was struck. */
  region?: Region;
  fromMs: number;
  /** When the cause was gone. */
  mendedMs: number;
  /** When every process was ready again; null: not in time. */
  recoveredMs: number | null;
}

export interface Outage {
  subject: string;
  mode: string;
  fromMs: number;
  toMs: number;
}

/** What the target saw. */
export interface Request {
  /** Null: the target cannot know. */
  region: Region | null;
  atMs: number;
  isGood: boolean;
}

export interface StoredResult {
  key: number;
  kind: number;
  region: Region;
  scheduledMs: number;
  outcome: number;
}

export interface StoredIncident {
  id: string;
  monitorId: string;
  type: string;
  startedMs: number;
  createdMs: number;
  endedMs: number | null;
  isClosed: boolean;
  reason: string;
}

export interface Message {
  channel: 'webhook' | 'mail';
  /** The same at every attempt. */
  messageId: string;
  incidentId: string;
  type: string;
  atMs: number;
}

/** A change over REST: what the monitor has to be after it. */
export interface Write {
  monitorId: string;
  sentMs: number;
  /** Null: no answer, so it may have happened or not. */
  answeredMs: number | null;
  /** Null: deleted. */
  expected: Partial<MonitorRow> | null;
}

export interface MonitorRow {
  name: string;
  intervalMs: number;
  status: string;
}

export interface Sample {
  process: string;
  pid: number;
  atMs: number;
  rssBytes: number;
  handles: number;
}

export interface QueueSample {
  queue: string;
  atMs: number;
  length: number;
}

/** A violation of a rule, or something that would be one without the fault that explains it. */
export interface Finding {
  rule: string;
  what: string;
  atMs?: number;
  /** The faults that explain it, with the rule by which they do. */
  explanation?: string;
}

export interface Judgement {
  rule: string;
  meaning: string;
  /** How many cases were judged. */
  judged: number;
  findings: Finding[];
}
