import type { z } from 'zod';
import { mixHash } from './mix-hash.js';
import type { Tenancy } from './fair-share.js';
import type { TargetOf } from './checks/define-check.js';
import type { CheckFault } from './checks/fault-kind.js';
import { dnsCheck } from './checks/dns.js';
import { grpcCheck } from './checks/grpc.js';
import { ALWAYS_MS, httpCheck } from './checks/http.js';
import { pingCheck } from './checks/ping.js';
import { sslCheck } from './checks/ssl.js';
import { tcpUdpCheck } from './checks/tcp-udp.js';
import { webSocketCheck } from './checks/web-socket.js';
import { factsOf, MONITOR_TYPES, type MonitorType } from './monitor-types.js';
import type { Place } from './region.js';

/** Every kind of check. Several monitor types can share one: availability and latency are one HTTP check. */
export const CHECKS = [httpCheck, sslCheck, dnsCheck, tcpUdpCheck, grpcCheck, webSocketCheck, pingCheck] as const;
type Definition = (typeof CHECKS)[number];

export type CheckKind = Definition['kind'];
export const CHECK_KINDS = CHECKS.map(({ kind }): CheckKind => kind);
/** Stored as numbers, and sent as such. */
export const CHECK_KIND_CODES = Object.fromEntries(CHECKS.map(({ kind, code }) => [kind, code])) as Readonly<
  Record<CheckKind, number>
>;

const BY_KIND = new Map<string, Definition>(CHECKS.map((check) => [check.kind, check]));
const BY_CODE = new Map<number, CheckKind>(CHECKS.map(({ kind, code }) => [code, kind]));

/** @returns undefined for an unknown code, which a newer version may know */
export function checkKindOfCode(code: number): CheckKind | undefined {
  return BY_CODE.get(code);
}

export type CheckFaultKey = { [Check in Definition as Check['kind']]: keyof Check['faults'] }[CheckKind];
export const CHECK_FAULTS = Object.assign({}, ...CHECKS.map(({ faults }) => faults)) as Readonly<
  Record<CheckFaultKey, CheckFault>
>;

export function checkKindsOf(types: readonly MonitorType[]): CheckKind[] {
  return [...new Set(types.flatMap((type): CheckKind | [] => factsOf(type).kind ?? []))];
}

export function checkKindsOfIncident(incidentType: string): CheckKind[] {
  return checkKindsOf(
    MONITOR_TYPES.filter((type) =>
      [factsOf(type).incidentType, factsOf(type).warningType].includes(incidentType as never),
    ),
  );
}

/** The monitor type that needs a kind, or the first of them. */
export function typeOfKind(kind: CheckKind): MonitorType {
  return MONITOR_TYPES.find((type) => factsOf(type).kind === kind)!;
}

/** The kinds of check that determine whether the target can be reached. */
export const AVAILABILITY_KINDS: readonly CheckKind[] = checkKindsOfIncident('Availability');
export const AVAILABILITY_CODES = AVAILABILITY_KINDS.map((kind): number => CHECK_KIND_CODES[kind]);

/** Identifies a check within a region. `monitorKey` is the monitor's internal key, a safe integer. */
export interface CheckKey {
  monitorKey: number;
  kind: CheckKind;
}

/** More than any code of a kind: sets of kinds are the bits of one number. */
const KINDS_PER_MONITOR = 32;

/** The code of a kind. One that only newer versions know is named by its code. */
export function codeOfKind(kind: CheckKind): number {
  return CHECK_KIND_CODES[kind] ?? Number(kind);
}

/**
 * A check's key as one safe integer, for maps and sets: a set of them costs a tenth of a set of objects or strings. Exact
 * while monitor keys stay below 2^48. Nothing on disk or on the wire contains it.
 */
export function checkCode(key: CheckKey): number {
  return key.monitorKey * KINDS_PER_MONITOR + codeOfKind(key.kind);
}

/** The inverse of `checkCode`. */
export function keyOfCode(code: number): CheckKey {
  return { monitorKey: monitorKeyOf(code), kind: checkKindOfCode(kindCodeOf(code))! };
}

export function monitorKeyOf(code: number): number {
  return Math.floor(code / KINDS_PER_MONITOR);
}

export function kindCodeOf(code: number): number {
  return code % KINDS_PER_MONITOR;
}

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
  /** A one-off test, whose evidence has the answer whatever it is. Not sent: the request for a run has its purpose. */
  isTest?: boolean;
  /** Of the kind of the key, or unsupported. */
  target: ProbeTarget | UnsupportedTarget;
}

export type ProbeTargets = { [Check in Definition as Check['kind']]: TargetOf<Check> };
export type ProbeTarget = ProbeTargets[CheckKind];

/** What an agent got that it cannot run: a kind or a setting that only a newer version knows. */
export interface UnsupportedTarget {
  kind: 'unsupported';
  json: string;
}

/** The host of a target; '' where this version does not know it. */
export function hostOfTarget(target: ProbeTarget | UnsupportedTarget): string {
  return target.kind === 'unsupported' ? '' : BY_KIND.get(target.kind)!.hostOf(target as never);
}

/** True if a check makes a handshake of TLS, which takes milliseconds of the processor. */
export function usesTls(target: ProbeTarget | UnsupportedTarget): boolean {
  return BY_KIND.get(target.kind)?.usesTls?.(target as never) ?? false;
}

export function encodeTarget(target: ProbeTarget | UnsupportedTarget): string {
  return target.kind === 'unsupported' ? target.json : BY_KIND.get(target.kind)!.encode(target);
}

/** The fields of the targets of a kind; an optional one is left out where it has no value. */
export function targetFieldsOf(kind: CheckKind): { name: string; isOptional: boolean }[] {
  return Object.entries<z.ZodType>(BY_KIND.get(kind)!.target.shape).map(([name, schema]) => {
    const absent = schema.safeParse(undefined);
    return { name, isOptional: absent.success && absent.data === undefined };
  });
}

export function decodeTarget(kind: string, json: string): ProbeTarget | UnsupportedTarget {
  return (
    (BY_KIND.get(kind)?.target.safeParse(parsed(json)).data as ProbeTarget | undefined) ?? { kind: 'unsupported', json }
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The purpose of an on-demand run: a one-off test, a second opinion, or a test of a visitor without an account. */
export type RunPurpose = 'test' | 'secondOpinion' | 'public';

/** The least time between `changedAtMs` and the first regular scheduled time. */
export const SETTLE_MS = 10_000;

/** The time that a check may take beyond its timeout, for steps that always run. Each of many addresses is checked in one of two rounds. */
export function alwaysMs(target: CheckSpec['target']): number {
  if (target.kind !== 'http' || !target.steps.some(({ always }) => always)) return 0;
  return target.addresses === 'each' ? 2 * ALWAYS_MS : ALWAYS_MS;
}

/**
 * How long a conclusive result is the state of its region: two intervals and the timeout. A check whose steps always run can
 * take longer than its interval and skip a scheduled time, so that it has twice their time in addition.
 */
export function freshMs({ intervalMs, timeoutMs, target }: Pick<CheckSpec, 'intervalMs' | 'timeoutMs' | 'target'>) {
  return 2 * intervalMs + timeoutMs + 2 * alwaysMs(target);
}

/**
 * The phase of a check's schedule: FNV-1a over monitor, kind and region, folded into the interval. The
 * same for every agent, and different for each region, so that regions are staggered.
 * @returns whole ms, 0 <= phase < intervalMs
 */
export function schedulePhaseMs(key: CheckKey, region: Place, intervalMs: number): number {
  let hash = 0x811c9dc5;
  const digits = String(key.monitorKey);
  for (let index = 0; index < digits.length; index++) hash = Math.imul(hash ^ digits.charCodeAt(index), 0x01000193);
  for (const byte of phaseSuffix(key.kind, region)) hash = Math.imul(hash ^ byte, 0x01000193);
  // FNV's low bits alone are weak for short keys.
  return mixHash(hash) % intervalMs;
}

const phaseSuffixes = new Map<string, Map<Place, Uint8Array>>();

/** The ASCII bytes that follow the monitor's key, kept: every result is compared with its scheduled time. */
function phaseSuffix(kind: CheckKind, region: Place): Uint8Array {
  const known = phaseSuffixes.get(kind)?.get(region);
  if (known) return known;
  const suffix = new TextEncoder().encode(`/${kind}/${region}`);
  phaseSuffixes.set(kind, new Map(phaseSuffixes.get(kind)).set(region, suffix));
  return suffix;
}
