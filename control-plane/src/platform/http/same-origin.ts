import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser made this request for a page of ours. `Sec-Fetch-Site` (Fetch Metadata §2.2) cannot be set by pages;
 * a browser that does not send it, such as one that came over http from another machine, has to name our `Origin`.
 * @param origin of this service
 */
export function isSameOrigin({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === origin;
}
