import { connect } from 'node:net';
import { parseUrl } from '@watchpost/shared/parse-url';
export interface Reference {
  host: string;
  port: number;
}

/** @param text `host:port`, `[address]:port`, or an http or https URL, whose server is used. @returns undefined for any other text */
export function parseReference(text: string): Reference | undefined {
  const isUrl = /^https?:\/\//i.test(text);
  const url = parseUrl(isUrl ? text : `tcp://${text}`);
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  if (!isUrl && (url.port === '' || url.pathname !== '')) return undefined;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return port > 0 ? { host: url.hostname.replace(/^\[|\]$/g, ''), port } : undefined;
}

/** Whether a TCP connection succeeds. A refusal does not count: a network without a way out can refuse, too. */
export function reachReference({ host, port }: Reference, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reached: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
