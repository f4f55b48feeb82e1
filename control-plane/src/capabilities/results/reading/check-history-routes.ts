import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../../platform/http/schemas.js';
import { dnsHistorySchema } from '../warnings/dns-schemas.js';
import type { ReportDeps } from './read-availability.js';
import { readDnsHistory } from './read-dns.js';
import { readSslHistory, readSslStatus } from './read-ssl.js';
import { checkHistoryQuery, sslStatusSchema } from '../warnings/ssl-schemas.js';

const READ = ['monitor.admin', 'monitor.read'] as const;
const tag = 'Monitor reports';
const HISTORY =
  'Newest first, of all regions; all that is kept unless `startDate` and `endDate` say otherwise. Checks in which the agent could ' +
  'not tell are left out.';

/** What SSL and DNS checks saw, over REST. */
export function checkHistoryRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/ssl-status',
      operationId: 'getMonitorSslStatus',
      summary: 'Get what the latest SSL check saw',
      description:
        'The latest check of any region. Before the first one every field but `monitorId` is null. Where the host could not be ' +
        'reached there is no certificate to show: `failureReason` says why.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The certificate', schema: sslStatusSchema } },
      handle: async ({ actor, params }) => ({
        body: await readSslStatus(deps, actor.workspace.workspaceId, params.id),
      }),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/ssl-history',
      operationId: 'listMonitorSslHistory',
      summary: 'List SSL checks',
      description: HISTORY,
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: checkHistoryQuery,
      list: true,
      answers: { 200: { description: 'A page of checks', schema: z.array(sslStatusSchema) } },
      async handle({ actor, params, query: { page, pageSize, ...period } }) {
        const rows = { ...period, ...rowsOfPage({ page, pageSize }) };
        const { items, total } = await readSslHistory(deps, actor.workspace.workspaceId, params.id, rows);
        return { body: items, total };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/dns-history',
      operationId: 'getMonitorDnsHistory',
      summary: 'Get DNS checks and when the next is due',
      description:
        `${HISTORY} \`X-Total-Count\` says how many there are. \`changed\` compares with the last good answer seen in the same region, in results that came in time; a ` +
        'record type that was not asked for both times does not count.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: checkHistoryQuery,
      answers: { 200: { description: 'The schedule, and a page of checks', schema: dnsHistorySchema } },
      async handle({ actor, params, query: { page, pageSize, ...period } }) {
        const rows = { ...period, ...rowsOfPage({ page, pageSize }) };
        const { body, total } = await readDnsHistory(deps, actor.workspace.workspaceId, params.id, rows);
        return { body, headers: { 'X-Total-Count': String(total) } };
      },
    }),
  ];
}
