import { resource } from '../../../platform/http/resource.js';
import { route, type Route } from '../../../platform/http/route.js';
import type { MonitorDeps } from '../monitor-deps.js';
import { createServiceGroup } from './create-service-group.js';
import { deleteServiceGroup } from './delete-service-group.js';
import { steadyPartOfGroup } from './describe-service-group.js';
import { moveMonitors } from './move-monitors.js';
import { getServiceGroup, listServiceGroups } from './read-service-groups.js';
import { renameServiceGroup } from './rename-service-group.js';
import { restoreServiceGroup } from './restore-service-group.js';
import {
  movedMonitorsSchema,
  moveMonitorsSchema,
  serviceGroupCreateSchema,
  serviceGroupListQuery,
  serviceGroupSchema,
  serviceGroupUpdateSchema,
  type ServiceGroupView,
} from './service-group-schemas.js';

export const ACCESS = {
  read: { scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' },
  write: { scopes: ['monitor.admin', 'monitor.write'], role: 'Editor' },
} as const;
const tag = 'Service groups';
const path = '/api/v1/service-group';

export function serviceGroupRoutes(deps: MonitorDeps): Route[] {
  const group = resource({
    path,
    name: 'service group',
    tag,
    schema: serviceGroupSchema,
    ...ACCESS,
    answer: (view: ServiceGroupView) => ({ body: view, resource: steadyPartOfGroup(view) }),
  });
  return [
    group.list({
      summary: 'List service groups with their monitors',
      description: 'Newest first. Deleted ones, which can still be restored, are listed by `isDeleted=true`.',
      query: serviceGroupListQuery,
      run: ({ actor, query: { isDeleted } }, rows) => listServiceGroups(deps, actor, { isDeleted }, rows),
    }),
    group.get({
      summary: 'Get a service group with its monitors',
      description: 'The `ETag` covers the configuration only: it does not change with results.',
      run: ({ actor, params }) => getServiceGroup(deps, actor, params.id),
    }),
    group.create({
      summary: 'Create a service group',
      description: 'Monitors join it by their `serviceGroupId`, one per type.',
      body: serviceGroupCreateSchema,
      run: ({ actor, body }) => createServiceGroup(deps, actor, body),
    }),
    group.update({
      method: 'put',
      operationId: 'renameServiceGroup',
      summary: 'Rename a service group',
      body: serviceGroupUpdateSchema,
      run: ({ actor, params, body, checkPrecondition }) =>
        renameServiceGroup(deps, actor, params.id, body, (current) => checkPrecondition(steadyPartOfGroup(current))),
    }),
    route({
      method: 'post',
      path: `${path}/{id}/move-monitors`,
      operationId: 'moveMonitors',
      audits: ['monitor.updated', 'service_group.deleted'],
      summary: 'Move monitors from this service group to another',
      description: 'All of them or none. They go on being checked as before.',
      tag,
      scopes: ['monitor.write'],
      role: 'Editor',
      body: moveMonitorsSchema,
      answers: { 200: { description: 'Both groups as they are now', schema: movedMonitorsSchema } },
      faults: ['monitor_type_conflict'],
      run: ({ actor, params, body }) => moveMonitors(deps, actor, params.id, body),
    }),
    group.delete({
      summary: 'Delete a service group with its monitors',
      description:
        'They stop being checked, their open incidents close, and all can be restored for 90 days. A monitor that a ' +
        'status page shows on its own goes on, without a group.',
      run: ({ actor, params, checkPrecondition }) =>
        deleteServiceGroup(deps, actor, params.id, (current) => checkPrecondition(steadyPartOfGroup(current))),
    }),
    group.change({
      method: 'post',
      below: '/restore',
      operationId: 'restoreServiceGroup',
      audits: ['monitor.restored', 'service_group.restored'],
      summary: 'Restore a deleted service group',
      description: 'With the monitors that were deleted with it, until it is purged. Their checks are due at once.',
      faults: ['plan_limit_exceeded'],
      run: ({ actor, params }) => restoreServiceGroup(deps, actor, params.id),
    }),
  ];
}
