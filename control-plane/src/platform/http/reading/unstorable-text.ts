import type { FaultDetail } from '@watchpost/shared/fault';

/** PostgreSQL takes neither NUL in text nor half a surrogate pair in JSON. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const MAX_FAULTS = 100;

/** Whether a text holds characters that cannot be stored. */
export function isUnstorable(text: string): boolean {
  return UNSTORABLE.test(text);
}

/**
 * The places in a parsed JSON value that cannot be stored, and keys named `__proto__`, which could
 * reach a prototype where such a value is copied carelessly.
 */
export function unstorableText(value: unknown, path = '', faults: FaultDetail[] = []): FaultDetail[] {
  if (faults.length >= MAX_FAULTS) return faults;
  if (typeof value === 'string') {
    if (isUnstorable(value)) faults.push({ path, message: 'must not hold NUL or unpaired surrogate characters' });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) unstorableText(item, join(path, String(index)), faults);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || isUnstorable(key))
        faults.push({ path: join(path, key), message: 'has a name that is not accepted' });
      else unstorableText((value as Record<string, unknown>)[key], join(path, key), faults);
    }
  }
  return faults;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
