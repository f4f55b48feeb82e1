import { CHECK_KIND_CODES, checkKindOfCode, type CheckKey, type CheckSpec } from '../check.js';
import type { CheckKey as WireKey, CheckSpec as WireSpec } from '../gen/watchpost/agent/v1/agent.js';
import { targetFromWire, targetToWire } from './target.js';

export function keyToWire({ monitorKey, kind }: CheckKey): WireKey {
  return { monitorKey: BigInt(monitorKey), kind: CHECK_KIND_CODES[kind] };
}

/** @returns undefined for a kind that this build does not know */
export function keyFromWire(key: WireKey | undefined): CheckKey | undefined {
  const kind = checkKindOfCode(key?.kind ?? 0);
  return key && kind && { monitorKey: Number(key.monitorKey), kind };
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
    target: targetToWire(spec.target),
  };
}

/** @returns undefined for a check that this build cannot run: of a newer kind, or not complete */
export function specFromWire(spec: WireSpec): CheckSpec | undefined {
  const key = keyFromWire(spec.key);
  const target = targetFromWire(spec.target);
  if (!key || target?.kind !== key.kind || spec.intervalMs === 0 || spec.timeoutMs === 0) return undefined;
  return {
    key,
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs % spec.intervalMs,
    changedAtMs: Number(spec.changedAtMs),
    ownerKey: spec.ownerKey,
    siteKey: spec.siteKey,
    target,
  };
}
