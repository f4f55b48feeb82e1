import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import type { LocationDeps } from './location-deps.js';
import { locationCreateSchema, locationDeleteQuery, locationSchema, locationUpdateSchema } from './location-schemas.js';
import { createLocation, deleteLocation, getLocation, listLocations, updateLocation } from './locations.js';

const tag = 'Private locations';
const path = '/api/v1/private-locations';
export const LOCATION_ACCESS = {
  tag,
  read: { tag, scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' },
  write: { tag, scopes: ['monitor.admin'], role: 'Admin' },
} as const;

export function locationRoutes(deps: LocationDeps): Route[] {
  const location = resource({ ...LOCATION_ACCESS, path, name: 'private location', schema: locationSchema });
  return [
    location.list({
      summary: 'List private locations',
      description: 'Newest first.',
      run: ({ actor }, rows) => listLocations(deps, actor, rows),
    }),
    location.get({
      summary: 'Get a private location',
      run: ({ actor, params }) => getLocation(deps, actor, params.id),
    }),
    location.create({
      summary: 'Create a private location',
      description:
        'A place inside your own network, from which agents of yours check monitors of this workspace. They connect to this ' +
        'service; it never connects to them. Then create an agent.',
      body: locationCreateSchema,
      faults: ['slug_taken', 'plan_limit_exceeded', 'not_found'],
      run: ({ actor, body }) => createLocation(deps, actor, body),
    }),
    location.update({
      method: 'put',
      summary: 'Change a private location',
      description: 'Its agents have the new ranges within seconds.',
      body: locationUpdateSchema,
      faults: ['slug_taken'],
      run: ({ actor, params, body }) => updateLocation(deps, actor, params.id, body),
    }),
    route({
      ...LOCATION_ACCESS.write,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deletePrivateLocation',
      audits: ['private_location.deleted'],
      summary: 'Delete a private location',
      description: 'Its agents are revoked. Results and incidents go on naming it.',
      query: locationDeleteQuery,
      answers: { 204: { description: 'It is gone' } },
      faults: ['location_in_use'],
      run: ({ actor, params, query }) => deleteLocation(deps, actor, params.id, query.detach),
    }),
  ];
}
