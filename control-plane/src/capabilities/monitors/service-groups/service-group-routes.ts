import { z } from 'zod';
import { listAnswer, route, type ApiAnswer, type Route } from '../../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../../platform/http/schemas.js';
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

const READ = ['monitor.admin', 'monitor.read'] as const;
const WRITE = ['monitor.admin', 'monitor.write'] as const;
const tag = 'Service groups';
const path = '/api/v1/service-group';

const answer = (group: ServiceGroupView): ApiAnswer => ({ body: group, resource: steadyPartOfGroup(group) });

/** Service groups over REST. */
export function serviceGroupRoutes(deps: MonitorDeps): Route[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'listServiceGroups',
      summary: 'List service groups with their monitors',
      description: 'Newest first. Deleted ones, which can still be restored, are listed by `isDeleted=true`.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: serviceGroupListQuery,
      list: true,
      answers: { 200: { description: 'A page of service groups', schema: z.array(serviceGroupSchema) } },
      async handle({ actor, query }) {
        const { page, pageSize, isDeleted } = query;
        const rows = rowsOfPage({ page, pageSize });
        return listAnswer(await listServiceGroups(deps, actor, { isDeleted }, rows));
      },
    }),
    route({
      method: 'get',
      path: `${path}/{id}`,
      operationId: 'getServiceGroup',
      summary: 'Get a service group with its monitors',
      description: 'The `ETag` covers the configuration only: it does not change with results.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The service group', schema: serviceGroupSchema } },
      handle: async ({ actor, params }) => answer(await getServiceGroup(deps, actor, params.id)),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createServiceGroup',
      audits: ['service_group.created'],
      summary: 'Create a service group',
      description: 'Monitors join it by their `serviceGroupId`, one per type.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: serviceGroupCreateSchema,
      answers: { 201: { description: 'The service group', schema: serviceGroupSchema } },
      async handle({ actor, body }) {
        const group = await createServiceGroup(deps, actor, body);
        return { ...answer(group), status: 201, location: `${path}/${group.id}` };
      },
    }),
    route({
      method: 'put',
      path: `${path}/{id}`,
      operationId: 'renameServiceGroup',
      audits: ['service_group.updated'],
      summary: 'Rename a service group',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      body: serviceGroupUpdateSchema,
      answers: { 200: { description: 'The service group as it is now', schema: serviceGroupSchema } },
      handle: async ({ actor, params, body, checkPrecondition }) =>
        answer(
          await renameServiceGroup(deps, actor, params.id, body, (current) =>
            checkPrecondition(steadyPartOfGroup(current)),
          ),
        ),
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
      params: idParam,
      body: moveMonitorsSchema,
      answers: { 200: { description: 'Both groups as they are now', schema: movedMonitorsSchema } },
      faults: ['monitor_type_conflict'],
      handle: async ({ actor, params, body }) => ({ body: await moveMonitors(deps, actor, params.id, body) }),
    }),
    route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteServiceGroup',
      audits: ['service_group.deleted'],
      summary: 'Delete a service group with its monitors',
      description:
        'They stop being checked, their open incidents close, and all can be restored for 90 days. A monitor that a ' +
        'status page shows on its own goes on, without a group.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 204: { description: 'It is deleted' } },
      async handle({ actor, params, checkPrecondition }) {
        await deleteServiceGroup(deps, actor, params.id, (current) => checkPrecondition(steadyPartOfGroup(current)));
        return { status: 204 };
      },
    }),
    route({
      method: 'post',
      path: `${path}/{id}/restore`,
      operationId: 'restoreServiceGroup',
      audits: ['monitor.restored', 'service_group.restored'],
      summary: 'Restore a deleted service group',
      description: 'With the monitors that were deleted with it, until it is purged. Their checks are due at once.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 200: { description: 'The service group', schema: serviceGroupSchema } },
      faults: ['plan_limit_exceeded'],
      handle: async ({ actor, params }) => answer(await restoreServiceGroup(deps, actor, params.id)),
    }),
  ];
}
