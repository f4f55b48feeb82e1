import { route, type Route } from '../../../platform/http/route.js';
import { chartRoutes } from './chart-routes.js';
import { readAvailability, type ReportDeps } from './read-availability.js';
import { readLatency } from './read-latency.js';
import { availabilityQuery, availabilitySchema, latencyQuery, latencySchema } from './results-schemas.js';

const READ = { tag: 'Monitor reports', scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' } as const;
const PERIOD =
  'The last 24 hours, unless `startDate` and `endDate` are given: up to 400 days, until now at the latest. Single results are ' +
  'kept for a limited time (35 days by default), hourly rollups for 13 months and daily ones for good: a bound that lies further ' +
  'back is moved outwards to the whole hour or day (UTC), see `periodStart` and `periodEnd`.';

export function resultsRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/availability',
      operationId: 'getMonitorAvailability',
      summary: 'Get availability and its timeline over a period',
      description:
        `${PERIOD} HTTP, TCP and UDP checks of all regions count, inconclusive ones do not. A check determines the status of its ` +
        'region from its scheduled time until the next check, or for two intervals and the timeout if there is none. Counts are ' +
        'exact, whether results arrived in time or late.',
      ...READ,
      query: availabilityQuery,
      answers: { 200: { description: 'The availability', schema: availabilitySchema } },
      run: ({ actor, params, query }) => readAvailability(deps, actor.workspace.workspaceId, params.id, query),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/latency',
      operationId: 'getMonitorLatency',
      summary: 'Get latency, its percentiles and series over a period',
      description:
        `${PERIOD} Successful checks of all kinds but certificates and DNS: the duration of a failure is no measure of how fast the site is. Periods of up to 24 hours ` +
        'are exact. In longer ones, and further back than single results are kept, percentiles have an error of at most 1 %, ' +
        'averages, `min` and `max` are exact, and the points of a series are whole hours or days (UTC).',
      ...READ,
      query: latencyQuery,
      answers: { 200: { description: 'The latency', schema: latencySchema } },
      run: ({ actor, params, query }) => readLatency(deps, actor.workspace.workspaceId, params.id, query),
    }),
    ...chartRoutes(deps),
  ];
}
