import { z } from 'zod';
import type { Database } from '../../platform/db/database.js';
import { route, type Route } from '../../platform/http/route.js';
import { listPings } from './list-pings.js';
import { pingSchema, pingsQuery } from './ping-schemas.js';

export function pingRoutes({ db }: { db: Database }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/pings',
      operationId: 'listMonitorPings',
      summary: 'List the pings of a heartbeat',
      description:
        'Newest first, those of the last 35 days. Pings that come while the monitor is paused are kept too. Where the monitor is no ' +
        'heartbeat: 404.',
      tag: 'Monitor reports',
      scopes: ['monitor.admin', 'monitor.read'],
      role: 'Viewer',
      query: pingsQuery,
      list: true,
      answers: { 200: { description: 'A page of pings', schema: z.array(pingSchema) } },
      run: ({ actor, params, query }, rows) => listPings({ db }, actor, params.id, query, rows),
    }),
  ];
}
