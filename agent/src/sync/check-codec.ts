import { checkKindOfCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import type { CheckKey as WireKey, CheckSpec as WireSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { targetFromWire } from './target-from-wire.js';

/** @returns undefined for a kind that this agent does not know */
export function fromWireKey(key: WireKey | undefined): CheckKey | undefined {
  const kind = checkKindOfCode(key?.kind ?? 0);
  return key && kind && { monitorKey: Number(key.monitorKey), kind };
}

/** @returns undefined for a check that this agent cannot run: of a newer kind, or one that makes no sense */
export function fromWireSpec(spec: WireSpec): CheckSpec | undefined {
  const key = fromWireKey(spec.key);
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
