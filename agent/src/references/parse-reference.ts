import { parseUrl } from '@watchpost/shared/parse-url';
/** Where the agent looks to find out whether it has a network. */
export interface Reference {
  host: string;
  port: number;
}

/** @param text `host:port`, `[address]:port`, or an http or https URL, of which the server is meant. @returns undefined where it is none */
export function parseReference(text: string): Reference | undefined {
  const isUrl = /^https?:\/\//i.test(text);
  const url = parseUrl(isUrl ? text : `tcp://${text}`);
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  if (!isUrl && (url.port === '' || url.pathname !== '')) return undefined;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return port > 0 ? { host: url.hostname.replace(/^\[|\]$/g, ''), port } : undefined;
}
