import { INCIDENT_WORDS } from '@watchpost/shared/incident-types';
import { pageOf } from '../../data/address.js';
import { dayOf, startOfDay } from '../../data/days.js';
import { filterOfQuery, termFault } from '../../parts/filter-text.js';

/** The names of the filter box, which are those of the address. */
export const FILTER_NAMES = ['type', 'status'] as const;
const INCIDENTS_PAGE_SIZE = 50;

const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(INCIDENT_WORDS).map(([type, { label }]) => [label.toLowerCase(), type]),
);
export const TYPE_WORDS = Object.keys(TYPES);
const STATUSES: Readonly<Record<string, string>> = {
  ongoing: 'Ongoing',
  investigating: 'Investigating',
  resolved: 'Resolved',
};
export const STATUS_WORDS = Object.keys(STATUSES);
export const SHOWN = ['open', 'closed', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

/** Reads the address of the list of incidents. Open ones come worst first, others newest first. */
export function readIncidentsQuery(address: URLSearchParams) {
  const filter = filterOfQuery(address, FILTER_NAMES);
  const shown = SHOWN.find((each) => each === address.get('show')) ?? 'open';
  const page = pageOf(address);
  const monitorId = address.get('monitorId') ?? undefined;
  const [from, to] = [dayOf(address.get('from')), dayOf(address.get('to'))];
  const { type = [], status = [] } = filter.terms;
  const fault =
    termFault('An incident', 'type', type, TYPE_WORDS) ?? termFault('An incident', 'status', status, STATUS_WORDS);
  return {
    shown,
    filter,
    page,
    monitorId,
    /** Days in the viewer's zone, `2026-11-22`; '' for no bound. */
    from,
    to,
    /** A sentence on what no incident can match; then there is nothing to ask. */
    fault,
    query: {
      isClosed: shown === 'all' ? undefined : String(shown === 'closed'),
      sort: shown === 'open' ? 'severity' : undefined,
      incidentType: TYPES[type[0]?.toLowerCase() ?? ''],
      status: STATUSES[status[0]?.toLowerCase() ?? ''],
      search: filter.search === '' ? undefined : filter.search,
      monitorId,
      startDate: startOfDay(from),
      endDate: startOfDay(to, 1),
      page: page === 1 ? undefined : page,
      pageSize: INCIDENTS_PAGE_SIZE,
    },
  };
}
