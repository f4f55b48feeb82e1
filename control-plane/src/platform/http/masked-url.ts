import { MASK } from '@watchpost/shared/secrets/secret-header';

const MASKED_QUERY = `?${MASK}`;
const MASKED = /^https?:\/\/[^/]+\/\*\*\*.{0,4}$/i;
/** The last four characters of a shorter path would reveal too much. */
const MIN_LENGTH_FOR_TAIL = 16;

/** Masks a secret URL: its host and, if it is long enough, the last 4 characters remain. */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const tail = pathname + search;
  return `${origin}/***${tail.length < MIN_LENGTH_FOR_TAIL ? '' : tail.slice(-4)}`;
}

export function isMaskedUrl(url: string): boolean {
  return MASKED.test(url);
}

/** Masks the query of a URL, where receivers of webhooks have their keys, and leaves out its fragment. */
export function maskQuery(url: string): string {
  const at = url.search(/[?#]/);
  return at < 0 ? url : `${url.slice(0, at)}${url[at] === '?' ? MASKED_QUERY : ''}`;
}

export function hasMaskedQuery(url: string): boolean {
  return url.endsWith(MASKED_QUERY);
}
