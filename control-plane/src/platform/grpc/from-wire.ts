import { CHECK_KINDS, checkKindOfCode, type CheckKey, type CheckKind } from '@watchpost/shared/check';
import {
  OutcomeKind as WireOutcome,
  PullRequest,
  type CheckKey as WireKey,
  type CheckResult as WireResult,
  type Timings as WireTimings,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type {
  CheckResult,
  DownReason,
  FailurePhase,
  InconclusiveReason,
  Outcome,
  Timings,
} from '@watchpost/shared/outcome';
import { readResultBatch } from '@watchpost/shared/wire/read-result-batch';
import type { AgentHello, AgentMessage } from './agent-gateway.js';
import { detailFromWire } from './detail-from-wire.js';
import { evidenceFromWire } from './evidence-from-wire.js';
import { sightFromWire } from './sight-from-wire.js';
import { storableText } from './storable-text.js';
import { WireError } from './wire-error.js';

/** What may come first, and what after it, on an assignment stream. */
export type PullMessage = { kind: 'hello'; protocolVersion: number; hello: AgentHello } | AgentMessage;

/** Results as they came, and the sequence numbers of the first and the last. */
export interface ReceivedBatch {
  spoolId: string;
  firstSequence: number;
  lastSequence: number;
  /** Bytes on the wire. */
  size: number;
  results: CheckResult[];
}

/** A batch with more results is refused. */
export const MAX_BATCH_RESULTS = 1_000;

const RESULT_BATCH = { decode: (frame: Uint8Array) => readResultBatch(frame, MAX_BATCH_RESULTS + 1) };
const INT32_MAX = 0x7fff_ffff;
/** 2000-01-01 and 2200-01-01: a clock that is further off is broken. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 7_258_118_400_000;
const LONGEST_FRESH_MS = 86_400_000;

const KIND_NAMES: ReadonlySet<string> = new Set(CHECK_KINDS);
const PHASES: Readonly<Record<FailurePhase, true>> = {
  egress: true,
  dns: true,
  connect: true,
  tls: true,
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
  too_many_redirects: true,
  bad_redirect: true,
  unexpected_status: true,
  keyword_missing: true,
  keyword_present: true,
  unexpected_answer: true,
  dns_mismatch: true,
};
const INCONCLUSIVE_REASONS: Readonly<Record<InconclusiveReason, true>> = {
  agent_late: true,
  agent_overloaded: true,
  agent_no_network: true,
  agent_no_descriptors: true,
  agent_stopping: true,
};

/** @throws WireError */
export function pullMessageFromWire(frame: Uint8Array): PullMessage {
  const message = decode(PullRequest, frame).message;
  switch (message?.$case) {
    case 'hello': {
      const { protocolVersion, agentVersion, capabilities, lastRevision, assignmentEpoch } = message.value;
      if (capabilities.length > 64) throw new WireError('hello: more than 64 capabilities');
      const known = capabilities.filter((name): name is CheckKind => KIND_NAMES.has(name));
      return {
        kind: 'hello',
        protocolVersion,
        hello: {
          agentVersion: storableText(agentVersion, 64),
          capabilities: [...new Set(known)],
          lastRevision: safe(lastRevision, 'last_revision'),
          epoch: storableText(assignmentEpoch, 64),
        },
      };
    }
    case 'revisionAck':
      return { kind: 'revisionAck', revision: safe(message.value.revision, 'revision') };
    case 'heartbeat': {
      const { spoolDepth, checks, lagP99Us, sight } = message.value;
      const heartbeat = {
        spoolDepth: Math.min(spoolDepth, INT32_MAX),
        checks: Math.min(checks, INT32_MAX),
        lagP99Us: Math.min(lagP99Us, INT32_MAX),
        sight: sightFromWire(sight),
      };
      return { kind: 'heartbeat', heartbeat };
    }
    case 'runResult': {
      const { requestId, result, refusal } = message.value;
      if (requestId.length > 64) throw new WireError('request_id is longer than 64 characters');
      if (result === undefined && refusal === '') throw new WireError('run_result has neither result nor refusal');
      return {
        kind: 'runResult',
        requestId,
        result: result ? resultFromWire(result) : null,
        refusal: storableText(refusal, 1_000),
      };
    }
    case undefined:
      throw new WireError('a message without a known body');
  }
}

/** @throws WireError naming the first result at fault */
export function resultBatchFromWire(frame: Uint8Array): ReceivedBatch {
  const batch = decode(RESULT_BATCH, frame);
  const count = batch.results.length;
  if (count === 0 || count > MAX_BATCH_RESULTS)
    throw new WireError(`a batch has 1 to ${MAX_BATCH_RESULTS} results, not ${count === 0 ? 'none' : 'more'}`);
  if (batch.spoolId.length === 0 || batch.spoolId.length > 64) throw new WireError('spool_id has 1 to 64 characters');
  const firstSequence = safe(batch.firstSequence, 'first_sequence');
  const lastSequence = firstSequence + count - 1;
  if (!Number.isSafeInteger(lastSequence)) throw new WireError('first_sequence is out of range');
  const results: CheckResult[] = [];
  for (let index = 0; index < count; index++) {
    try {
      results.push(resultFromWire(batch.results[index]!));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const sequence = firstSequence + index;
      throw new WireError(`result ${sequence}: ${error.message}`, sequence);
    }
  }
  return { spoolId: batch.spoolId, firstSequence, lastSequence, size: frame.length, results };
}

function resultFromWire(wire: WireResult): CheckResult {
  const { statusCode } = wire;
  if (statusCode !== 0 && (statusCode < 100 || statusCode > 999))
    throw new WireError(`status_code ${statusCode} is out of range`);
  const key = keyFromWire(wire.key);
  const outcome = outcomeFromWire(wire);
  const detail = detailFromWire(key.kind, wire.detail);
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
    evidence: outcome.kind === 'down' ? evidenceFromWire(wire.evidence) : null,
    ...(detail ? { detail } : {}),
    ...(wire.answerVerified && outcome.kind === 'down' ? { answer: 'verified' as const } : {}),
  };
}

function keyFromWire(key: WireKey | undefined): CheckKey {
  const kind = key && checkKindOfCode(key.kind);
  if (!kind) throw new WireError(key ? `kind ${key.kind} is not known` : 'a result without a key');
  return { monitorKey: safe(key.monitorKey, 'monitor_key'), kind };
}

function outcomeFromWire({ outcome, phase, reason, message }: WireResult): Outcome {
  switch (outcome) {
    case WireOutcome.OUTCOME_KIND_UP:
      return { kind: 'up' };
    case WireOutcome.OUTCOME_KIND_DOWN:
      if (!isOneOf(PHASES, phase)) throw new WireError('phase is not known');
      if (!isOneOf(DOWN_REASONS, reason)) throw new WireError('reason is not known');
      return { kind: 'down', phase, reason, message: storableText(message, 1_000) };
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
  };
}

function decode<T>(type: { decode(frame: Uint8Array): T }, frame: Uint8Array): T {
  try {
    return type.decode(frame);
  } catch (error) {
    // The reader throws RangeError and plain Error alike on bytes that are no message of this type.
    throw new WireError(`not a message of the contract: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isOneOf<Name extends string>(names: Readonly<Record<Name, true>>, text: string): text is Name {
  return Object.hasOwn(names, text);
}

function safe(value: bigint, field: string): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new WireError(`${field} is out of range`);
  return Number(value);
}

function moment(value: bigint, field: string): number {
  const ms = safe(value, field);
  if (ms < EARLIEST_MS || ms > LATEST_MS) throw new WireError(`${field} is out of range`);
  return ms;
}

function within(value: number, most: number, field: string): number {
  if (value > most) throw new WireError(`${field} is out of range`);
  return value;
}
