import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { pageOf, MONITORS_PAGE_SIZE } from '../../data/address.js';
import { filterOfQuery, termFault } from '../../parts/filter-text.js';
import { stateOf } from '../../parts/state.js';

/** The names of the filter box, which are those of the address. */
export const FILTER_NAMES = ['tag', 'group', 'state', 'status', 'type', 'without'] as const;

/** The states that monitors are counted by, as they are called and as the API names them: each monitor is in one. */
const STATES: Readonly<Record<string, Exclude<keyof Overview['counts'], 'total'>>> = {
  available: 'available',
  degraded: 'degraded',
  down: 'unavailable',
  unknown: 'unknown',
  maintenance: 'maintenance',
  paused: 'paused',
};
export const STATE_WORDS = Object.keys(STATES);
/** The health that the checks have, also during maintenance, and how it is set. */
export const STATUS_WORDS = ['available', 'degraded', 'down', 'unknown', 'paused', 'disabled'] as const;
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  MONITOR_TYPES.map((type) => [factsOf(type).word, type]),
);
export const TYPE_WORDS = Object.keys(TYPES);

const SORTS = ['health', 'name', '-created', 'certificate', 'lastChecked', 'uptime', '-uptime', 'p95', '-p95'] as const;

/** `without` has this for those without a service group; else it has the key of a tag. */
export const SERVICE_GROUP = 'serviceGroup';

export interface Group {
  id: string;
  name: string;
}

/**
 * Reads the address of the list of monitors. What it does not know in it is shown, and never widens the list.
 * @param groups the service groups, which the address has by name; undefined until they are known
 */
export function readListQuery(address: URLSearchParams, groups: readonly Group[] | undefined) {
  const filter = filterOfQuery(address, FILTER_NAMES);
  const page = pageOf(address);
  const sort = SORTS.find((each) => each === address.get('sort')) ?? 'health';
  const { tag = [], group = [], state = [], status = [], type = [], without = [] } = filter.terms;
  const chosen = status[0]?.toLowerCase();
  const isSetting = chosen === 'paused' || chosen === 'disabled';
  const conditions = {
    search: filter.search === '' ? undefined : filter.search,
    healthStatus: isSetting ? undefined : chosen === 'down' ? 'unavailable' : chosen,
    // Without fresh results is something else than paused, although neither has a health status.
    monitoringStatus: isSetting ? chosen : chosen === 'unknown' ? 'enabled' : undefined,
    serviceGroupId: groups?.find(({ name }) => isAlike(name, group[0]))?.id,
    state: STATES[state[0]?.toLowerCase() ?? ''],
    monitorType: TYPES[type[0]?.toLowerCase() ?? ''],
    without: isAlike(SERVICE_GROUP, without[0]) ? SERVICE_GROUP : without[0]?.toLowerCase(),
  };
  return {
    filter,
    sort,
    /** True until the service groups are known, where they must be. */
    isWaiting: group.length > 0 && groups === undefined,
    /** A sentence on what no monitor can match; then there is nothing to ask. */
    fault:
      termFault('A monitor', 'state', state, STATE_WORDS) ??
      termFault('A monitor', 'status', status, STATUS_WORDS) ??
      (groups &&
        termFault(
          'A monitor',
          'group',
          group,
          groups.map(({ name }) => name),
        )) ??
      termFault('A monitor', 'type', type, TYPE_WORDS) ??
      (without.length > 1 ? 'The list takes one `without` at a time.' : undefined),
    /** The conditions that the list and a bulk change of all that matches share. */
    conditions,
    query: {
      ...conditions,
      tag,
      sort,
      pageSize: MONITORS_PAGE_SIZE,
      page: page === 1 ? undefined : page,
    },
  };
}

/** @returns true if a monitor is one of those that the query asks for, as far as its row shows it */
export function matches(monitor: MonitorView, { query }: Pick<ReturnType<typeof readListQuery>, 'query'>): boolean {
  const { search = '', tag, healthStatus, monitoringStatus, state, serviceGroupId, monitorType, without } = query;
  const is = (wanted: string | undefined, own: string | null) => wanted === undefined || wanted === own;
  return (
    `${monitor.name}\n${monitor.url}`.toLowerCase().includes(search.toLowerCase()) &&
    tag.every((each) => monitor.tags.includes(each)) &&
    is(healthStatus, monitor.healthStatus ?? 'unknown') &&
    is(monitoringStatus, monitor.monitoringStatus) &&
    is(state === 'degraded' ? 'partial' : state, stateOf(monitor)) &&
    is(serviceGroupId, monitor.serviceGroupId) &&
    (without === undefined ||
      (without === SERVICE_GROUP
        ? monitor.serviceGroupId === null
        : !monitor.tags.some((each) => each.startsWith(`${without}:`)))) &&
    (monitorType === undefined || monitor.monitorTypes.some((each) => each === monitorType))
  );
}

function isAlike(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
