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
export function unstorableText(value: unknown): FaultDetail[] {
  const faults: FaultDetail[] = [];
  collect(value, [], faults);
  return faults;
}

/** @param path of the value; it is joined only where there is a fault, because most values have none */
function collect(value: unknown, path: (string | number)[], faults: FaultDetail[]): void {
  if (faults.length >= MAX_FAULTS) return;
  if (typeof value === 'string') {
    if (isUnstorable(value))
      faults.push({ path: path.join('.'), message: 'must not hold NUL or unpaired surrogate characters' });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      collect(value[index], path, faults);
      path.pop();
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      path.push(key);
      if (key === '__proto__' || isUnstorable(key))
        faults.push({ path: path.join('.'), message: 'has a name that is not accepted' });
      else collect((value as Record<string, unknown>)[key], path, faults);
      path.pop();
    }
  }
}
