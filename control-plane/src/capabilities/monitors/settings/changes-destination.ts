import { parseUrl } from '@watchpost/shared/parse-url';
/**
 * Whether a change of URL leads to another host or port, or away from TLS. Secrets stored for the former destination must not
 * be sent to the new one, unless the caller sends them again.
 */
export function changesDestination(before: string, after: string): boolean {
  const [from, to] = [destinationOf(before), destinationOf(after)];
  return from.host !== to.host || (from.isSecret && !to.isSecret);
}

/** Accepts bare host names, as for DNS. */
function destinationOf(text: string): { host: string; isSecret: boolean } {
  const url = parseUrl(text);
  return {
    host: (url?.host ?? text).toLowerCase(), // Schemes over TLS end with an s.
    isSecret: url?.protocol.endsWith('s:') ?? false,
  };
}
