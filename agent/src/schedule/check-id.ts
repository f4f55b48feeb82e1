import { CHECK_KIND_CODES, type CheckKey } from '@watchpost/shared/check';

/** One number for a check, for maps: exact as long as monitor keys stay below 2^49. */
export function checkId(key: CheckKey): number {
  return key.monitorKey * 16 + CHECK_KIND_CODES[key.kind];
}
