import { CHECK_KIND_CODES, type CheckKey, type CheckKind, type CheckSpec } from '@watchpost/shared/check';
import type { CheckKey as WireKey, CheckSpec as WireSpec } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { targetFromWire } from './target-from-wire.js';
import { targetToWire } from '@watchpost/shared/wire/target-to-wire';

const KINDS = new Map<number, CheckKind>(
  Object.entries(CHECK_KIND_CODES).map(([kind, code]) => [code, kind as CheckKind]),
);

/** @returns undefined for a kind that this agent does not know */
export function fromWireKey(key: WireKey | undefined): CheckKey | undefined {
  const kind = KINDS.get(key?.kind ?? 0);
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
    target,
  };
}

export function toWireSpec(spec: CheckSpec): WireSpec {
  return {
    key: { monitorKey: BigInt(spec.key.monitorKey), kind: CHECK_KIND_CODES[spec.key.kind] },
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs,
    changedAtMs: BigInt(spec.changedAtMs),
    target: targetToWire(spec.target),
  };
}
