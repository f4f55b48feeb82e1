import { parseUrl } from '@watchpost/shared/parse-url';
/**
 * Whether a URL leads to other ears than the one before: to another host or port, or out of TLS. What was stored as a
 * secret for the one must not be sent to the other, unless whoever changes the URL knows it.
 */
export function leadsElsewhere(before: string, after: string): boolean {
  const [from, to] = [placeOf(before), placeOf(after)];
  return from.host !== to.host || (from.isSecret && !to.isSecret);
}

/** Bare host names, as for DNS, are no URLs. */
function placeOf(text: string): { host: string; isSecret: boolean } {
  const url = parseUrl(text);
  return { host: (url?.host ?? text).toLowerCase(), isSecret: url?.protocol === 'https:' };
}
