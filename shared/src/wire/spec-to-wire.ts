import { CHECK_KIND_CODES, type CheckKey, type CheckSpec } from '../check.js';
import type { CheckKey as WireKey, CheckSpec as WireSpec } from '../gen/watchpost/agent/v1/agent.js';
import { targetToWire } from './target-to-wire.js';

/** A check's key as the wire contract has it. */
export function keyToWire({ monitorKey, kind }: CheckKey): WireKey {
  return { monitorKey: BigInt(monitorKey), kind: CHECK_KIND_CODES[kind] };
}

/** A check as the wire contract has it. */
export function specToWire(spec: CheckSpec): WireSpec {
  return {
    key: keyToWire(spec.key),
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs,
    changedAtMs: BigInt(spec.changedAtMs),
    ownerKey: spec.ownerKey,
    siteKey: spec.siteKey,
    target: targetToWire(spec.target),
  };
}
