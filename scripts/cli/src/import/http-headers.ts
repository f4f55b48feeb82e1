import { headerFaults, trimHeaderValue } from '@watchpost/shared/header-faults';
import { isSecretHeader } from '@watchpost/shared/secrets/secret-header';
import type { Fields } from './rows.js';
import type { Secrets } from './names.js';

/**
 * Headers as a document has them: values of secret names become references. What no request may have is left out.
 * @param key of the monitor or group, for the names of the references
 */
export function documentHeaders(
  headers: ReadonlyMap<string, string>,
  secrets: Secrets,
  key: string,
): { fields: Fields; differences: string[] } {
  const trimmed = Object.fromEntries([...headers].map(([name, value]) => [name, trimHeaderValue(value)]));
  const differences = headerFaults(trimmed).map(({ name, message }) =>
    name === null ? `its headers are not sent: they ${message}` : `its header ${name} is not sent: it ${message}`,
  );
  const faulty = new Set(headerFaults(trimmed).map(({ name }) => name));
  if (faulty.has(null)) return { fields: {}, differences };
  const sound = Object.entries(trimmed).filter(([name]) => !faulty.has(name));
  const fields = sound.map(([name, value]) => [
    name,
    isSecretHeader(name) ? secrets.keep(`${key} ${name}`, value) : value,
  ]);
  return { fields: Object.fromEntries(fields) as Fields, differences };
}

/** Sets a header, unless it is there in any spelling. */
export function addHeader(headers: Map<string, string>, name: string, value: string): void {
  if (!hasHeader(headers, name)) headers.set(name, value);
}

/** Decides whether a header is there in any spelling. */
export function hasHeader(headers: ReadonlyMap<string, string>, name: string): boolean {
  return [...headers.keys()].some((other) => other.toLowerCase() === name.toLowerCase());
}
