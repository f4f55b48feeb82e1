import { route, type Route } from '../../platform/http/route.js';
import { domainStatusSchema } from './domain-schemas.js';
import { readDomainStatus } from './describe-domain.js';

export function domainRoutes(deps: Parameters<typeof readDomainStatus>[0]): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/domain-status',
      operationId: 'getMonitorDomainStatus',
      summary: 'Get the registration of a domain',
      description:
        'The registration as its registry answered by RDAP, and the state that follows from it. Where the monitor is not of type Domain: 404.',
      tag: 'Monitor reports',
      scopes: ['monitor.admin', 'monitor.read'],
      role: 'Viewer',
      answers: { 200: { description: 'The registration', schema: domainStatusSchema } },
      run: ({ actor, params }) => readDomainStatus(deps, actor.workspace.workspaceId, params.id),
    }),
  ];
}
