import { parseUrl } from '@watchpost/shared/parse-url';
import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';

/** Decides whether the value of a field, such as a header, is a secret. */
export type IsSecret = (name: string, value: unknown) => boolean;

export interface SplitFields<Value> {
  /** As stored and answered, with secrets as `***`. */
  fields: Record<string, Value | typeof MASK>;
  /** By lower-case name. */
  secrets: Record<string, string>;
  /** Fields given as `***` for which no secret is stored. */
  unknown: string[];
}

/** Fields as answered; also masks headers that were stored before their name counted as secret. */
export function maskFields<Value>(
  fields: Readonly<Record<string, Value>>,
  isSecret: IsSecret = isSecretHeader,
): Record<string, Value | typeof MASK> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isSecret(name, value) ? MASK : value]),
  );
}

/** Separates the secrets from a caller's fields; `***` keeps the stored secret of that name. */
export function splitFields<Value>(
  given: Readonly<Record<string, Value>>,
  stored: Readonly<Record<string, string>>,
  isSecret: IsSecret = isSecretHeader,
): SplitFields<Value> {
  const result: SplitFields<Value> = { fields: maskFields(given, isSecret), secrets: {}, unknown: [] };
  for (const [name, value] of Object.entries(given)) {
    if (!isSecret(name, value)) continue;
    const lower = name.toLowerCase();
    if (value !== MASK) result.secrets[lower] = value as string;
    else if (Object.hasOwn(stored, lower)) result.secrets[lower] = stored[lower]!;
    else result.unknown.push(name);
  }
  return result;
}

/** The fault of a stored secret where a change of the URL would send it to another host. */
export const SECRET_NOT_FORWARDED =
  'is a stored secret, which is not sent to another host or without TLS: send its value again, or leave it out';

export function keptSecrets(
  given: Readonly<Record<string, unknown>> | undefined,
  stored: Readonly<Record<string, string>>,
): string[] {
  if (given === undefined) return Object.keys(stored);
  return Object.keys(given).filter((name) => given[name] === MASK && Object.hasOwn(stored, name.toLowerCase()));
}

/** Inserts the secrets: the fields as the probe uses them. */
export function joinFields<Value>(
  fields: Readonly<Record<string, Value>>,
  secrets: Readonly<Record<string, string>>,
): Record<string, Value | string> {
  // hasOwn, because a header may have the name of an inherited property.
  const joined = Object.entries(fields).map(([name, value]): [string, Value | string] => {
    const lower = name.toLowerCase();
    return [name, Object.hasOwn(secrets, lower) ? secrets[lower]! : value];
  });
  return Object.fromEntries(joined);
}

/**
 * Decides whether a change of URL leads to another host or port, or away from TLS. Secrets stored for the former destination must not
 * be sent to the new one, unless the caller sends them again.
 */
export function changesDestination(before: string, after: string): boolean {
  const [from, to] = [destinationOf(before), destinationOf(after)];
  return from.host !== to.host || (from.isSecret && !to.isSecret);
}

/** Accepts bare host names, as for DNS. */
function destinationOf(text: string): { host: string; isSecret: boolean } {
  const url = parseUrl(text);
  // Schemes over TLS end with an s.
  return { host: (url?.host ?? text).toLowerCase(), isSecret: url?.protocol.endsWith('s:') ?? false };
}
