const INT4_MAX = 2_147_483_647;
export const INT2_MAX = 32_767;

/** Rounds to a whole number within bounds, NaN to 0: no number that an agent sends makes a batch fail. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(Math.round(value) || 0, min), max);
}

/** For columns of non-negative integers. */
export function int4(value: number): number {
  return clamp(value, 0, INT4_MAX);
}
