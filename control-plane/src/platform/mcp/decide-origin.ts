import { isLoopbackHost } from '@watchpost/shared/loopback';
import { parseUrl } from '@watchpost/shared/parse-url';

export interface OriginRules {
  baseUrl: string;
  /** Origins that browsers may call from; `*` for any. */
  corsOrigins: readonly string[];
  /** Whether only this machine can call: then it is called by a loopback name, and by no other. */
  listensOnLoopback: boolean;
}

/**
 * Whether a request may be what it seems, or was sent by a web page whose name was pointed here (DNS rebinding): MCP
 * 2025-03-26, transports, wants the `Origin` checked. Programs send none. Where only this machine can call, the name by
 * which the service was called is checked too.
 * @param origin the `Origin` header
 * @param host the `Host` header
 */
export function decideOrigin(
  { origin, host }: { origin: string | undefined; host: string | undefined },
  { baseUrl, corsOrigins, listensOnLoopback }: OriginRules,
): 'trusted' | 'foreign' {
  const own = new URL(baseUrl);
  const isLocal = isLoopbackHost(own.hostname);
  if (listensOnLoopback && isLocal && host !== undefined && !isLoopbackHost(hostnameOf(`http://${host}`)))
    return 'foreign';
  if (origin === undefined || corsOrigins.includes('*')) return 'trusted';
  const asked = parseUrl(origin)?.origin ?? origin;
  if (asked === own.origin || corsOrigins.some((allowed) => sameOrigin(allowed, asked))) return 'trusted';
  const isOwnLoopback = isLocal && isLoopbackHost(hostnameOf(origin)) && new URL(origin).port === own.port;
  return isOwnLoopback ? 'trusted' : 'foreign';
}

function hostnameOf(url: string): string {
  return parseUrl(url)?.hostname ?? '';
}

function sameOrigin(allowed: string, asked: string): boolean {
  return parseUrl(allowed)?.origin === asked;
}
