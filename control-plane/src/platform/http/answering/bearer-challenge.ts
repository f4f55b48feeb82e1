import type { Fault } from '@watchpost/shared/fault';

/**
 * The `WWW-Authenticate` of a fault, or undefined where it has none. RFC 6750 §3: a request without
 * any token gets no error code; RFC 9728 §5.1: `resource_metadata` leads to where tokens are issued.
 * @param resourcePath of a resource that has metadata of its own (RFC 9728 §3.1)
 */
export function bearerChallenge(
  fault: Fault,
  { baseUrl, scopes, resourcePath = '' }: { baseUrl: string; scopes: readonly string[]; resourcePath?: string },
): string | undefined {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${resourcePath}"`;
  switch (fault.code) {
    case 'missing_token':
      return `Bearer ${metadata}`;
    case 'invalid_token':
      return `Bearer error="invalid_token", error_description="${quotable(fault.message)}", ${metadata}`;
    case 'insufficient_scope':
      return `Bearer error="insufficient_scope", scope="${quotable(scopes.join(' '))}", ${metadata}`;
    default:
      return undefined;
  }
}

/** Leaves what RFC 6750 §3 allows in `error_description` and `scope`. */
function quotable(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
