import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { countMonitorGroups } from '../monitors/index.js';
import type { OverviewDeps } from './overview-deps.js';
import {
  groupsQuery,
  monitorGroupSchema,
  notificationsSchema,
  overviewSchema,
  regionSchema,
} from './overview-schemas.js';
import { readIncidentNotifications } from './read-incident-notifications.js';
import { readOverview } from './read-overview.js';
import { readRegions } from './read-regions.js';
import { search } from './search.js';
import { MAX_FOUND, searchQuery, searchSchema } from './search-schemas.js';

const READ = { tag: 'Overview', scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' } as const;

export function overviewRoutes(deps: OverviewDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/overview',
      operationId: 'getOverview',
      summary: 'Get the state of the workspace',
      description:
        'Is anything broken, does somebody know, and can the service see: monitors by health status, open incidents with who was ' +
        'notified, who is on call, the regions, and what is wrong with the monitoring itself. A monitor without fresh results ' +
        'is `unknown`, never healthy.',
      ...READ,
      answers: { 200: { description: 'The overview', schema: overviewSchema } },
      run: ({ actor }) => readOverview(deps, actor),
    }),
    route({
      method: 'get',
      path: '/api/v1/overview/groups',
      operationId: 'listMonitorGroups',
      summary: 'Count the monitors of each service group, or tag',
      description:
        'The groups with the most monitors that are down first, then with the most that are degraded or unknown. A monitor with several tags ' +
        'of the key is in the group of each. The list of monitors has those of a group by `serviceGroupId`, `tag` or `without`.',
      ...READ,
      query: groupsQuery,
      list: true,
      answers: { 200: { description: 'A page of groups', schema: z.array(monitorGroupSchema) } },
      run: ({ actor, query: { by } }, rows) => countMonitorGroups(deps, actor, by, rows),
    }),
    route({
      method: 'get',
      path: '/api/v1/regions',
      operationId: 'listRegions',
      summary: 'List the regions and their state',
      description: 'All regions, the home region first, with what the workspace has checked there.',
      ...READ,
      answers: { 200: { description: 'The regions', schema: z.array(regionSchema) } },
      run: ({ actor }) => readRegions(deps, actor),
    }),
    route({
      method: 'get',
      path: '/api/v1/search',
      operationId: 'search',
      summary: 'Find things of the workspace by name',
      description: `Monitors, incidents, people, status pages and action groups: at most ${MAX_FOUND} of each.`,
      ...READ,
      query: searchQuery,
      answers: { 200: { description: 'What was found', schema: searchSchema } },
      run: ({ actor, query }) => search(deps, actor, query.q),
    }),
    route({
      method: 'get',
      path: '/api/v1/incident/{id}/notifications',
      operationId: 'getIncidentNotifications',
      summary: 'Get who was notified of an incident',
      description:
        'The first delivered message to each person and group, and when the next person is paged. Each message with its attempts is ' +
        'at `/api/v1/deliveries?incidentId=…`.',
      tag: 'Incidents',
      scopes: ['monitor.admin', 'incident.read'],
      role: 'Viewer',
      answers: { 200: { description: 'Who was notified', schema: notificationsSchema } },
      run: ({ actor, params }) => readIncidentNotifications(deps, actor, params.id),
    }),
  ];
}
