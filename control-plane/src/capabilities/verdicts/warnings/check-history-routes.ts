import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { rowsOfPage } from '../../../platform/http/schemas.js';
import { dnsHistorySchema } from './dns-schemas.js';
import type { CheckHistoryDeps } from './read-check-history.js';
import { checkHistoryQuery, sslStatusSchema } from './ssl-schemas.js';
import { readDnsHistory } from './read-dns.js';
import { readSslHistory, readSslStatus } from './read-ssl.js';

const READ = ['monitor.admin', 'monitor.read'] as const;
const tag = 'Monitor reports';
const HISTORY =
  'Newest first, of all regions; everything that is kept, unless `startDate` and `endDate` are given. Inconclusive checks are ' +
  'left out.';

export function checkHistoryRoutes(deps: CheckHistoryDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/ssl-status',
      operationId: 'getMonitorSslStatus',
      summary: 'Get the certificate of the latest SSL check',
      description:
        'The latest check of any region. Before the first check every field but `monitorId` is null. If the host could not be ' +
        'reached, the certificate fields are null and `failureReason` contains the reason.',
      tag,
      scopes: READ,
      role: 'Viewer',
      answers: { 200: { description: 'The certificate', schema: sslStatusSchema } },
      run: ({ actor, params }) => readSslStatus(deps, actor.workspace.workspaceId, params.id),
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
      query: checkHistoryQuery,
      list: true,
      answers: { 200: { description: 'A page of checks', schema: z.array(sslStatusSchema) } },
      run: ({ actor, params, query }, rows) =>
        readSslHistory(deps, actor.workspace.workspaceId, params.id, { ...query, ...rows }),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/dns-history',
      operationId: 'getMonitorDnsHistory',
      summary: 'Get DNS checks and the time of the next one',
      description:
        `${HISTORY} \`X-Total-Count\` is the number of checks. \`changed\` compares with the last good answer in the same region, among results ` +
        'that arrived in time. A record type that was not queried both times is not compared.',
      tag,
      scopes: READ,
      role: 'Viewer',
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
