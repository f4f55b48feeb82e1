import { checkKindOfCode, type CheckKey } from '../check.js';
import {
  OutcomeKind as WireOutcome,
  type CheckKey as WireKey,
  type CheckResult as WireResult,
  type Timings as WireTimings,
} from '../gen/watchpost/agent/v1/agent.js';
import type { DownReason, FailurePhase, InconclusiveReason } from '../checks/fault-kind.js';
import type { CheckResult, Outcome, Timings } from '../outcome.js';
import { decodeDetail } from './decode-detail.js';
import { decodeEvidence } from './decode-evidence.js';
import { decodeFindings } from './decode-findings.js';
import { storableText } from '../storable-text.js';
import { WireError } from './wire-error.js';

export const INT32_MAX = 0x7fff_ffff;
/** 2000-01-01 and 2200-01-01. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 7_258_118_400_000;
const LONGEST_FRESH_MS = 86_400_000;

const PHASES: Readonly<Record<FailurePhase, true>> = {
  egress: true,
  dns: true,
  connect: true,
  tls: true,
  auth: true,
  request: true,
  firstByte: true,
  transfer: true,
  content: true,
};
const DOWN_REASONS: Readonly<Record<DownReason, true>> = {
  address_not_allowed: true,
  invalid_target: true,
  dns_not_found: true,
  dns_failure: true,
  connection_refused: true,
  connection_reset: true,
  host_unreachable: true,
  connection_failed: true,
  tls_failure: true,
  certificate_invalid: true,
  certificate_expiring: true,
  protocol_error: true,
  timeout: true,
  auth_failed: true,
  too_many_redirects: true,
  bad_redirect: true,
  unexpected_status: true,
  keyword_missing: true,
  keyword_present: true,
  assertion_failed: true,
  variable_missing: true,
  unexpected_answer: true,
  dns_mismatch: true,
};
const INCONCLUSIVE_REASONS: Readonly<Record<InconclusiveReason, true>> = {
  agent_late: true,
  agent_overloaded: true,
  agent_no_network: true,
  agent_no_descriptors: true,
  agent_stopping: true,
  unsupported: true,
};

/**
 * Reads a result and checks its ranges and codes; text is truncated to what is stored.
 * @throws WireError
 */
export function resultFromWire(wire: WireResult): CheckResult {
  const { statusCode } = wire;
  if (statusCode !== 0 && (statusCode < 100 || statusCode > 999))
    throw new WireError(`status_code ${statusCode} is out of range`);
  const key = keyFromWire(wire.key);
  const outcome = outcomeFromWire(wire);
  const detail = decodeDetail(key.kind, wire.detail);
  return {
    key,
    scheduledAtMs: moment(wire.scheduledAtMs, 'scheduled_at_ms'),
    startedAtMs: moment(wire.startedAtMs, 'started_at_ms'),
    totalUs: within(wire.totalUs, INT32_MAX, 'total_us'),
    freshMs: within(wire.freshMs, LONGEST_FRESH_MS, 'fresh_ms'),
    outcome,
    statusCode: statusCode === 0 ? null : statusCode,
    timings: timingsFromWire(wire.timings),
    address: wire.address === '' ? null : storableText(wire.address, 100),
    loopLagUs: within(wire.loopLagUs, INT32_MAX, 'loop_lag_us'),
    evidence: outcome.kind === 'inconclusive' ? null : decodeEvidence(wire.evidence),
    ...(detail ? { detail } : {}),
    ...decodeFindings(wire.findings),
    ...(outcome.kind === 'down' ? answerFromWire(wire) : {}),
  };
}

function answerFromWire({ answerVerified, answerDigest }: WireResult): Pick<CheckResult, 'answer' | 'answerDigest'> {
  if (answerVerified) return { answer: 'verified' };
  return answerDigest === 0 ? {} : { answer: 'complete', answerDigest };
}

function keyFromWire(key: WireKey | undefined): CheckKey {
  const kind = key && checkKindOfCode(key.kind);
  if (!kind) throw new WireError(key ? `kind ${key.kind} is not known` : 'a result without a key');
  return { monitorKey: safeInteger(key.monitorKey, 'monitor_key'), kind };
}

function outcomeFromWire({ outcome, phase, reason, message, partial }: WireResult): Outcome {
  switch (outcome) {
    case WireOutcome.OUTCOME_KIND_UP:
      return message === '' ? { kind: 'up' } : { kind: 'up', degraded: storableText(message, 1_000) };
    case WireOutcome.OUTCOME_KIND_DOWN:
      if (!isOneOf(PHASES, phase)) throw new WireError('phase is not known');
      if (!isOneOf(DOWN_REASONS, reason)) throw new WireError('reason is not known');
      return {
        kind: 'down',
        phase,
        reason,
        message: storableText(message, 1_000),
        ...(partial ? { isPartial: true as const } : {}),
      };
    case WireOutcome.OUTCOME_KIND_INCONCLUSIVE:
      if (!isOneOf(INCONCLUSIVE_REASONS, reason)) throw new WireError('reason is not known');
      return { kind: 'inconclusive', reason, message: storableText(message, 1_000) };
    default:
      throw new WireError(`outcome ${outcome} is not known`);
  }
}

function timingsFromWire(timings: WireTimings | undefined): Timings {
  if (!timings) return { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  return {
    dnsUs: within(timings.dnsUs, INT32_MAX, 'dns_us'),
    connectUs: within(timings.connectUs, INT32_MAX, 'connect_us'),
    tlsUs: within(timings.tlsUs, INT32_MAX, 'tls_us'),
    firstByteUs: within(timings.firstByteUs, INT32_MAX, 'first_byte_us'),
    transferUs: within(timings.transferUs, INT32_MAX, 'transfer_us'),
    ...(timings.authUs > 0 ? { authUs: within(timings.authUs, INT32_MAX, 'auth_us') } : {}),
  };
}

function isOneOf<Name extends string>(names: Readonly<Record<Name, true>>, text: string): text is Name {
  return Object.hasOwn(names, text);
}

/** @throws WireError beyond the safe integers */
export function safeInteger(value: bigint, field: string): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new WireError(`${field} is out of range`);
  return Number(value);
}

function moment(value: bigint, field: string): number {
  const ms = safeInteger(value, field);
  if (ms < EARLIEST_MS || ms > LATEST_MS) throw new WireError(`${field} is out of range`);
  return ms;
}

function within(value: number, most: number, field: string): number {
  if (value > most) throw new WireError(`${field} is out of range`);
  return value;
}
