import { isLoopbackHost } from '@watchpost/shared/loopback';
import { parseUrl } from '@watchpost/shared/parse-url';

const MOST = 10;
const TAKES =
  'the address of the control plane’s agent port: https://host:port, or on the same machine http://127.0.0.1:8443; several of one control plane separated by commas';

/**
 * The addresses at which one control plane is reached, each once.
 * @param fault told of each address that is none: what it is, and what is taken
 */
export function parseControlPlanes(text: string, fault: (got: string, takes: string) => void): URL[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) fault('is not set', TAKES);
  const urls = new Map<string, URL>();
  for (const part of parts) {
    const url = parseControlPlane(part);
    if (url) urls.set(url.origin, url);
    else fault(`has ${JSON.stringify(part)}`, TAKES);
  }
  if (urls.size > MOST) fault(`has ${urls.size} addresses`, `at most ${MOST}`);
  // With TLS an agent has a certificate, without it a token that is good for ever: it cannot be both.
  if (new Set([...urls.values()].map(({ protocol }) => protocol)).size > 1)
    fault('has https:// and http://', 'addresses of one kind');
  return [...urls.values()];
}

/** Without TLS the token would be readable on the way: that is for the same machine only. */
function parseControlPlane(text: string): URL | undefined {
  const url = parseUrl(text);
  if (!url) return undefined;
  const bare =
    url.username === '' && url.password === '' && url.pathname === '/' && url.search === '' && url.hash === '';
  return bare && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    ? url
    : undefined;
}
