import { mixHash } from './mix-hash.js';
import type { Tenancy } from './fair-share.js';
import { parseUrl } from './parse-url.js';
import type { Region } from './region.js';

/** What a check does. Several monitor types can share one check: availability and latency are one HTTP check. */
export type CheckKind = 'http' | 'ssl' | 'dns' | 'tcpUdp';

/** Stored as numbers, the same as in the wire contract: never change them. */
export const CHECK_KIND_CODES = { http: 1, ssl: 2, dns: 3, tcpUdp: 4 } as const satisfies Record<CheckKind, number>;
export const CHECK_KINDS = Object.keys(CHECK_KIND_CODES) as readonly CheckKind[];
const KINDS_BY_CODE = new Map<number, CheckKind>(CHECK_KINDS.map((kind) => [CHECK_KIND_CODES[kind], kind]));

/** Whether the results of a kind determine if the target can be reached. */
const DECIDES_AVAILABILITY: Readonly<Record<CheckKind, boolean>> = { http: true, ssl: false, dns: false, tcpUdp: true };
/** The kinds of check that determine whether the target can be reached. */
export const AVAILABILITY_KINDS = CHECK_KINDS.filter((kind) => DECIDES_AVAILABILITY[kind]);
export const AVAILABILITY_CODES = AVAILABILITY_KINDS.map((kind): number => CHECK_KIND_CODES[kind]);

/** @returns undefined for an unknown code, which a newer version may know */
export function checkKindOfCode(code: number): CheckKind | undefined {
  return KINDS_BY_CODE.get(code);
}

/** Identifies a check within a region. `monitorKey` is the monitor's internal key, a safe integer. */
export interface CheckKey {
  monitorKey: number;
  kind: CheckKind;
}

/** Kind codes are 1 to 7 here, so that a check code has three bits for them. */
const KINDS_PER_MONITOR = 8;

/**
 * A check's key as one safe integer, for maps and sets: a set of them costs a tenth of a set of objects or strings. Exact
 * while monitor keys stay below 2^50. Nothing on disk or on the wire contains it.
 */
export function checkCode(key: CheckKey): number {
  return key.monitorKey * KINDS_PER_MONITOR + CHECK_KIND_CODES[key.kind];
}

/** The inverse of `checkCode`. */
export function keyOfCode(code: number): CheckKey {
  return { monitorKey: monitorKeyOf(code), kind: checkKindOfCode(kindCodeOf(code))! };
}

/** The monitor's part of a check code. */
export function monitorKeyOf(code: number): number {
  return Math.floor(code / KINDS_PER_MONITOR);
}

/** The kind's part of a check code. */
export function kindCodeOf(code: number): number {
  return code % KINDS_PER_MONITOR;
}

/** The code of every check that a monitor can have. */
export function possibleCodes(monitorKey: number): number[] {
  return CHECK_KINDS.map((kind) => checkCode({ monitorKey, kind }));
}

/** One check of one monitor in one region, as an agent gets it, with the keys for sharing capacity. */
export interface CheckSpec extends Tenancy {
  key: CheckKey;
  intervalMs: number;
  timeoutMs: number;
  /** Scheduled times are `phaseMs + k * intervalMs` since the epoch, 0 <= phaseMs < intervalMs. */
  phaseMs: number;
  /** When the monitor was created, changed or enabled, ms since the epoch: a scheduled time, too. */
  changedAtMs: number;
  /** Has the kind of the key. */
  target: ProbeTarget;
}

export interface HttpTarget {
  kind: 'http';
  url: string;
  method: string;
  headers: readonly { name: string; value: string }[];
  body: string | null;
  /** Inclusive ranges. */
  expectedStatus: readonly { from: number; to: number }[];
  followRedirects: boolean;
  keyword: { text: string; mode: 'present' | 'absent' } | null;
  verifyCertificate: boolean;
  egress: EgressPolicyName;
}

/** A certificate, inspected in its own TLS handshake. */
export interface SslTarget {
  kind: 'ssl';
  /** Name or address, without brackets. */
  host: string;
  port: number;
  /** Down from this many days before the expiry of any certificate of the chain; null: by the lifetime of each. */
  incidentDays: number | null;
  egress: EgressPolicyName;
}

export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

/** `any`: at least one of the values is there; `all`: each of them is, and others may be; `exact`: these and no others. */
export interface ExpectedRecords {
  type: DnsRecordType;
  match: 'any' | 'all' | 'exact';
  values: readonly string[];
}

export interface DnsTarget {
  kind: 'dns';
  hostname: string;
  recordTypes: readonly DnsRecordType[];
  expectedRecords: readonly ExpectedRecords[];
  /** `host` or `host:port`, tried in order; empty for those of the agent. */
  resolvers: readonly string[];
  /** Query every authoritative server of the zone, too. */
  checkPropagation: boolean;
  egress: EgressPolicyName;
}

export interface TcpUdpTarget {
  kind: 'tcpUdp';
  protocol: 'tcp' | 'udp';
  /** Name or address, without brackets. */
  host: string;
  port: number;
  /** Text, or `hex:` and digits. */
  send: string | null;
  /** The response must contain this; in the same notation as `send`. */
  expect: string | null;
  egress: EgressPolicyName;
}

/** The target of a check of any kind. */
export type ProbeTarget = HttpTarget | SslTarget | DnsTarget | TcpUdpTarget;

/** The purpose of an on-demand run: a one-off test, a second opinion, or a test of a visitor without an account. */
export type RunPurpose = 'test' | 'secondOpinion' | 'public';

/** The host of a target. */
export function hostOfTarget(target: ProbeTarget): string {
  switch (target.kind) {
    case 'http':
      return parseUrl(target.url)?.hostname ?? target.url;
    case 'dns':
      return target.hostname;
    case 'ssl':
    case 'tcpUdp':
      return target.host;
  }
}

/** `monitor`: public addresses and PROBE_ALLOW_CIDRS; `public`: public addresses and PUBLIC_CHECK_ALLOW_CIDRS. */
export type EgressPolicyName = 'monitor' | 'public';

/** The least time between `changedAtMs` and the first regular scheduled time. */
export const SETTLE_MS = 10_000;

/** How long a conclusive result is the state of its region: two intervals and the timeout. */
export function freshMs(check: { intervalMs: number; timeoutMs: number }): number {
  return 2 * check.intervalMs + check.timeoutMs;
}

/**
 * The phase of a check's schedule: FNV-1a over monitor, kind and region, folded into the interval. The
 * same for every agent, and different for each region, so that regions are staggered.
 * @returns whole ms, 0 <= phase < intervalMs
 */
export function schedulePhaseMs(key: CheckKey, region: Region, intervalMs: number): number {
  let hash = 0x811c9dc5;
  const digits = String(key.monitorKey);
  for (let index = 0; index < digits.length; index++) hash = Math.imul(hash ^ digits.charCodeAt(index), 0x01000193);
  for (const byte of phaseSuffix(key.kind, region)) hash = Math.imul(hash ^ byte, 0x01000193);
  // FNV's low bits alone are weak for short keys.
  return mixHash(hash) % intervalMs;
}

const phaseSuffixes = new Map<string, Map<Region, Uint8Array>>();

/** The ASCII bytes that follow the monitor's key, kept: every result is compared with its scheduled time. */
function phaseSuffix(kind: CheckKind, region: Region): Uint8Array {
  const known = phaseSuffixes.get(kind)?.get(region);
  if (known) return known;
  const suffix = new TextEncoder().encode(`/${kind}/${region}`);
  phaseSuffixes.set(kind, new Map(phaseSuffixes.get(kind)).set(region, suffix));
  return suffix;
}

/** The monitor types of the interface specification. */
export const MONITOR_TYPES = ['HttpAvailability', 'SslCertificate', 'Latency', 'Dns', 'TcpUdp', 'Heartbeat'] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];
