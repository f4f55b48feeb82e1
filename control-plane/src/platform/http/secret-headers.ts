import { parseUrl } from '@watchpost/shared/parse-url';
import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';

export interface SplitHeaders {
  /** As stored and answered, with secrets as `***`. */
  headers: Record<string, string>;
  /** By lower-case name. */
  secrets: Record<string, string>;
  /** Headers given as `***` for which no secret is stored. */
  unknown: string[];
}

/** Headers as answered; also masks headers that were stored before their name counted as secret. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? MASK : value]),
  );
}

/** Separates the secrets from a caller's headers; `***` keeps the stored secret of that name. */
export function splitHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): SplitHeaders {
  const result: SplitHeaders = { headers: {}, secrets: {}, unknown: [] };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!isSecretHeader(name)) {
      result.headers[name] = value;
      continue;
    }
    result.headers[name] = MASK;
    if (value !== MASK) result.secrets[lower] = value;
    else if (Object.hasOwn(stored, lower)) result.secrets[lower] = stored[lower]!;
    else result.unknown.push(name);
  }
  return result;
}

/** The fault of a stored secret where a change of the URL would send it to another host. */
export const SECRET_NOT_FORWARDED =
  'is a stored secret, which is not sent to another host or without TLS: send its value again, or leave it out';

/** The names of the stored secrets that a change keeps. */
export function keptSecrets(
  given: Readonly<Record<string, string>> | undefined,
  stored: Readonly<Record<string, string>>,
): string[] {
  if (given === undefined) return Object.keys(stored);
  return Object.keys(given).filter((name) => given[name] === MASK && Object.hasOwn(stored, name.toLowerCase()));
}

/** Inserts the secrets: the headers that the probe sends. */
export function joinHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): { name: string; value: string }[] {
  // hasOwn, because a header may have the name of an inherited property.
  return Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    return { name, value: Object.hasOwn(secrets, lower) ? secrets[lower]! : value };
  });
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
