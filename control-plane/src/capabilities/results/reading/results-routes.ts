import { route, type Route } from '../../../platform/http/route.js';
import { idParam } from '../../../platform/http/schemas.js';
import { checkHistoryRoutes } from './check-history-routes.js';
import { readAvailability, type ReportDeps } from './read-availability.js';
import { readLatency } from './read-latency.js';
import { availabilityQuery, availabilitySchema, latencyQuery, latencySchema } from './results-schemas.js';

const READ = ['monitor.admin', 'monitor.read'] as const;
const tag = 'Monitor reports';
const PERIOD =
  'The last 24 hours, unless `startDate` and `endDate` say otherwise: up to 400 days, and no further than now. Single results ' +
  'are kept for a limited time (35 days, unless the operator says otherwise), what they said by hours for 13 months and by days ' +
  'for good: a bound that lies further back is moved outwards to the whole hour or day (UTC), as `periodStart` and `periodEnd` tell.';

/** Availability and latency over REST. */
export function resultsRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/availability',
      operationId: 'getMonitorAvailability',
      summary: 'Get availability and its timeline over a period',
      description:
        `${PERIOD} HTTP, TCP and UDP checks of all regions count, inconclusive ones do not. A check speaks for its region from the ` +
        'moment at which it was due until the next one, or for two intervals and the timeout where none comes. Counts are exact, ' +
        'whether the results came in time or late.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: availabilityQuery,
      answers: { 200: { description: 'The availability', schema: availabilitySchema } },
      handle: async ({ actor, params, query }) => ({
        body: await readAvailability(deps, actor.workspace.workspaceId, params.id, query),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/latency',
      operationId: 'getMonitorLatency',
      summary: 'Get latency, its percentiles and series over a period',
      description:
        `${PERIOD} Successful checks only: how long a failure took says nothing about how fast the site is. Over up to 24 hours ` +
        'everything is exact. Over more, or further back than single results are kept, percentiles are off by 1 % at most, ' +
        'averages, `min` and `max` are exact, and the points of a series are whole hours or days (UTC).',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: latencyQuery,
      answers: { 200: { description: 'The latency', schema: latencySchema } },
      handle: async ({ actor, params, query }) => ({
        body: await readLatency(deps, actor.workspace.workspaceId, params.id, query),
      }),
    }),
    ...checkHistoryRoutes(deps),
  ];
}
