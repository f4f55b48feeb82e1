import {
  checkKindOfCode,
  codeOfKind,
  decodeTarget,
  encodeTarget,
  type CheckKey,
  type CheckKind,
  type CheckSpec,
} from '../check.js';
import type { CheckKey as WireKey, CheckSpec as WireSpec } from '../gen/watchpost/agent/v1/agent.js';

export function keyToWire({ monitorKey, kind }: CheckKey): WireKey {
  return { monitorKey: BigInt(monitorKey), kind: codeOfKind(kind) };
}

/** A kind that this build does not know is named by its code: an agent reports that it does not support it. */
export function keyFromWire({ monitorKey, kind }: WireKey): CheckKey {
  return { monitorKey: Number(monitorKey), kind: checkKindOfCode(kind) ?? (String(kind) as CheckKind) };
}

export function specToWire(spec: CheckSpec): WireSpec {
  return {
    key: keyToWire(spec.key),
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs,
    changedAtMs: BigInt(spec.changedAtMs),
    ownerKey: spec.ownerKey,
    siteKey: spec.siteKey,
    target: encodeTarget(spec.target),
  };
}

/** @returns undefined for a check that is not complete */
export function specFromWire(spec: WireSpec): CheckSpec | undefined {
  if (!spec.key || spec.intervalMs === 0 || spec.timeoutMs === 0) return undefined;
  const key = keyFromWire(spec.key);
  return {
    key,
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs % spec.intervalMs,
    changedAtMs: Number(spec.changedAtMs),
    ownerKey: spec.ownerKey,
    siteKey: spec.siteKey,
    target: decodeTarget(key.kind, spec.target),
  };
}
