import { CHECK_KIND_CODES, CHECK_KINDS, checkKindOfCode, type CheckKey } from '@watchpost/shared/check';

/** Kinds have codes 1 to 7 in here. */
const KINDS_A_MONITOR = 8;

/** A check's key as one safe integer: a set of them costs a tenth of a set of objects or strings. */
export function checkCode(key: CheckKey): number {
  return key.monitorKey * KINDS_A_MONITOR + CHECK_KIND_CODES[key.kind];
}

/** The code of its kind alone. */
export function kindCodeOf(code: number): number {
  return code % KINDS_A_MONITOR;
}

export function keyOfCode(code: number): CheckKey {
  return { monitorKey: Math.floor(code / KINDS_A_MONITOR), kind: checkKindOfCode(kindCodeOf(code))! };
}

/** Every check that a monitor could have. */
export function possibleCodes(monitorKey: number): number[] {
  return CHECK_KINDS.map((kind) => checkCode({ monitorKey, kind }));
}
