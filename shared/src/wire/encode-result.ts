import { keyToWire } from './check-spec.js';
import { CheckResult as WireResult } from '../gen/watchpost/agent/v1/agent.js';
import { MAX_RESOLVED, OUTCOME_CODES, type CheckFindings, type CheckResult, type Evidence } from '../outcome.js';
import { cutText } from '../storable-text.js';
import { MAX_FINDINGS_BYTES } from './decode-findings.js';
import { encodeDetail } from './encode-detail.js';
import { encodeHealthy, uint32 } from './encode-healthy.js';

/** Longer evidence is truncated. */
const MAX_EVIDENCE_BYTES = 32 * 1024;
const MAX_TEXT = 1_000;
/** Of findings that are too long: as many as they can be, they fit with texts of this length. */
const MAX_CUT_TEXT = 100;
const NO_BYTES = Buffer.alloc(0);

export function resultToWire(result: CheckResult): WireResult {
  const { outcome } = result;
  return {
    key: keyToWire(result.key),
    scheduledAtMs: BigInt(Math.round(result.scheduledAtMs)),
    startedAtMs: BigInt(Math.round(result.startedAtMs)),
    totalUs: uint32(result.totalUs),
    freshMs: uint32(result.freshMs),
    outcome: OUTCOME_CODES[outcome.kind],
    phase: outcome.kind === 'down' ? outcome.phase : '',
    reason: outcome.kind === 'up' ? '' : outcome.reason,
    message: ((outcome.kind === 'up' ? outcome.degraded : outcome.message) ?? '').slice(0, MAX_TEXT),
    statusCode: uint32(result.statusCode ?? 0),
    timings: {
      dnsUs: uint32(result.timings.dnsUs),
      connectUs: uint32(result.timings.connectUs),
      tlsUs: uint32(result.timings.tlsUs),
      firstByteUs: uint32(result.timings.firstByteUs),
      transferUs: uint32(result.timings.transferUs),
      authUs: uint32(result.timings.authUs ?? 0),
    },
    address: result.address ?? '',
    loopLagUs: uint32(result.loopLagUs),
    evidence: result.evidence && outcome.kind !== 'inconclusive' ? encodeEvidence(result.evidence) : NO_BYTES,
    detail: encodeDetail(result.detail),
    answerVerified: outcome.kind === 'down' && result.answer === 'verified',
    answerDigest: outcome.kind === 'down' ? (result.answerDigest ?? 0) : 0,
    findings: encodeFindings(result),
    partial: outcome.kind === 'down' && outcome.isPartial === true,
  };
}

export function encodeResult(result: CheckResult): Uint8Array {
  return encodeHealthy(result) ?? WireResult.encode(resultToWire(result)).finish();
}

function encodeFindings({ addresses, addressWarnings, steps, ping }: CheckFindings): Buffer {
  if (!addresses && !addressWarnings && !steps && !ping) return NO_BYTES;
  const findings = { addresses, addressWarnings, steps, ping };
  const whole = Buffer.from(JSON.stringify(findings));
  if (whole.length <= MAX_FINDINGS_BYTES) return whole;
  const cut = (_: string, value: unknown) => (typeof value === 'string' ? cutText(value, MAX_CUT_TEXT) : value);
  return Buffer.from(JSON.stringify(findings, cut));
}

function encodeEvidence(evidence: Evidence): Buffer {
  const { headers: _headers, certificate: _certificate, resolved, bodyStart, ...rest } = evidence;
  const hops = evidence.hops?.map(({ isDecisive: _isDecisive, ...hop }) => hop);
  const decisive = evidence.hops?.findIndex(({ isDecisive }) => isDecisive) ?? -1;
  const failed = hops?.at(decisive);
  const short = { ...rest, resolved: resolved?.slice(0, 16), bodyStart: bodyStart?.slice(0, 1_024) };
  const shorter = [
    { ...evidence, hops, resolved: resolved?.slice(0, MAX_RESOLVED) },
    { ...short, hops: hops?.filter((hop, index) => hop === failed || index >= hops.length - 3) },
    { ...short, hops: failed && [failed] },
    ...(failed ? [{ hops: [failed] }] : []),
  ];
  for (const one of shorter) {
    const bytes = Buffer.from(JSON.stringify(one));
    if (bytes.length <= MAX_EVIDENCE_BYTES) return bytes;
  }
  return NO_BYTES;
}
