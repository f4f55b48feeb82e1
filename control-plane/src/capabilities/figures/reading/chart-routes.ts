import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import {
  checkResultSchema,
  checkResultsQuery,
  regionTimelinesQuery,
  regionTimelinesSchema,
} from './check-result-schemas.js';
import { readCheckResults } from './read-check-results.js';
import { readRegionTimelines } from './read-region-timelines.js';
import { MAX_CHARTS, monitorChartSchema, monitorChartsQuery } from './chart-schemas.js';
import type { ReportDeps } from './read-availability.js';
import { readMonitorCharts } from './read-monitor-charts.js';

const READ = { tag: 'Monitor reports', scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' } as const;

export function chartRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor-charts',
      operationId: 'listMonitorCharts',
      summary: 'Get bars, latency and uptime of several monitors',
      description:
        `For a page of monitors, up to ${MAX_CHARTS}, in the order in which they are named. The bar shows the same states as the ` +
        'timeline of `availability`, in slots of a quarter of an hour with their worst state. Monitors that do not exist, or are of ' +
        'another workspace, are left out. Percentiles have an error of at most 1 %.',
      ...READ,
      query: monitorChartsQuery,
      answers: { 200: { description: 'A chart for each monitor', schema: z.array(monitorChartSchema) } },
      run: ({ actor, query }) => readMonitorCharts(deps, actor.workspace.workspaceId, query.monitorId),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/results',
      operationId: 'listMonitorResults',
      summary: 'List single results of a monitor',
      description:
        'Newest first, of all regions and kinds of check. Of the last 24 hours, unless `startDate` or `endDate` are given, which apply to ' +
        '`scheduledAt`. Single results are kept for a limited time, 35 days by default.',
      ...READ,
      query: checkResultsQuery,
      list: true,
      answers: { 200: { description: 'A list page of results', schema: z.array(checkResultSchema) } },
      run: ({ actor, params, query }, rows) =>
        readCheckResults(deps, actor.workspace.workspaceId, params.id, query, rows),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/region-timelines',
      operationId: 'getMonitorRegionTimelines',
      summary: 'Get the timeline of each region of a monitor',
      description:
        'For a grid of regions and time. The same checks count as in `availability`, each region by itself: over all regions, a step shows ' +
        'there what the regions show here. The last 24 hours, unless `startDate` and `endDate` are given: up to 400 days.',
      ...READ,
      query: regionTimelinesQuery,
      answers: { 200: { description: 'The timelines', schema: regionTimelinesSchema } },
      run: ({ actor, params, query }) => readRegionTimelines(deps, actor.workspace.workspaceId, params.id, query),
    }),
  ];
}
