import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { nameText, pageQuery, uuid } from '../../platform/http/schemas.js';
import type { TeamDeps } from './on-call-deps.js';
import { listRoutedGroups, routeServiceGroup, unrouteServiceGroup } from './routing.js';
import { READ, WRITE } from './team-routes.js';

const routing = { serviceGroupId: uuid, teamId: uuid };
const routingSchema = z.strictObject(routing).meta({ id: 'ServiceGroupRouting' });
const routedGroupSchema = z.strictObject({ ...routing, name: nameText }).meta({ id: 'RoutedServiceGroup' });
const PATH = '/api/v1/teams/{id}/service-groups/{serviceGroupId}';

/** Which service groups page a team, over REST. */
export function routingRoutes(deps: TeamDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/teams/{id}/service-groups',
      operationId: 'listRoutedServiceGroups',
      summary: 'List the service groups that are routed to a team',
      description: 'The latest routed first.',
      ...READ,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of service groups', schema: z.array(routedGroupSchema) } },
      run: ({ actor, params: { id } }, rows) => listRoutedGroups(deps, actor, id, rows),
    }),
    route({
      method: 'put',
      path: PATH,
      operationId: 'routeServiceGroup',
      audits: ['team.group_routed'],
      summary: "Route a service group's incidents to a team",
      description: 'They page the person on call. A group can be routed to several teams.',
      ...WRITE,
      answers: { 200: { description: 'The routing', schema: routingSchema } },
      run: (request) => routeServiceGroup(deps, request.actor, request.params),
    }),
    route({
      method: 'delete',
      path: PATH,
      operationId: 'unrouteServiceGroup',
      audits: ['team.group_unrouted'],
      summary: 'Stop routing a service group to a team',
      ...WRITE,
      answers: { 204: { description: 'It is routed no more' } },
      run: (request) => unrouteServiceGroup(deps, request.actor, request.params),
    }),
  ];
}
