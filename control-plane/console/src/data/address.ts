/** Addresses of screens have no origin; this one is never seen. */
const ORIGIN = 'http://console';

/** @returns the query of an address such as `useLocation().url` */
export function paramsOf(url: string): URLSearchParams {
  return new URL(url, ORIGIN).searchParams;
}

/** @returns which page of a list the query names, from 1; 1 if it names none, or what is no page */
export function pageOf(params: URLSearchParams): number {
  return Math.max(1, Math.floor(Number(params.get('page'))) || 1);
}

/** @returns the address with these parameters in its query, and without those that are undefined or empty */
export function addressWith(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const { pathname, searchParams } = new URL(url, ORIGIN);
  for (const [name, value] of Object.entries(changes)) {
    if (value) searchParams.set(name, value);
    else searchParams.delete(name);
  }
  const text = searchParams.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
}
