import { queryText } from './query-text.js';

/** How many monitors the lists show a page: one request for their charts. */
export const MONITORS_PAGE_SIZE = 50;

/** The address of the charts of these monitors. */
export function chartsAddress(ids: readonly string[]): string {
  return `/api/v1/monitor-charts${queryText({ monitorId: ids })}`;
}

/** The page of monitors that the overview shows, and that its HTML contains. */
export const FIRST_PAGE_ADDRESS = `/api/v1/monitor${queryText({ sort: 'health', pageSize: MONITORS_PAGE_SIZE })}`;
