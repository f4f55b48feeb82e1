import { FIRST_SCREEN } from '@watchpost/shared/first-screen';

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

/** The parameters of a query; those that are undefined, null or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** @returns `?a=1&b=2&b=3` without what is undefined or empty; '' if nothing is left */
export function queryText(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value as string[]) params.append(name, each);
    else if (value !== undefined && value !== null && value !== '') params.append(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The lists show so many monitors a page: one request for their charts. */
export const MONITORS_PAGE_SIZE = FIRST_SCREEN.monitors;

/** Asks for a whole list, which is chosen from: see `readList`. */
export const WHOLE = { pageSize: 1_000 } as const;

export function chartsAddress(ids: readonly string[]): string {
  return `/api/v1/monitor-charts${queryText({ monitorId: ids })}`;
}

/** The page of monitors that the overview shows, and that its HTML contains. */
export const FIRST_PAGE_ADDRESS = `/api/v1/monitor${queryText({ sort: 'health', pageSize: MONITORS_PAGE_SIZE })}`;

export const GROUPS_PATH = '/api/v1/overview/groups';

/** Asks for the groups of monitors that the overview shows first, and that its HTML contains where its address names a grouping. */
export function groupsQuery(by: string, pageSize: number = FIRST_SCREEN.groups): Query {
  return { by, pageSize };
}

/** The tags that most monitors have: those to choose from. */
export const TAGS_ADDRESS = `/api/v1/tags${queryText({ sort: '-monitorCount', pageSize: 200 })}`;
