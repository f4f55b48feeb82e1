import { z } from 'zod';
import { type ApiAnswer, listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../platform/http/schemas.js';
import { createWindow } from './create-window.js';
import { deleteWindow, endWindow, skipNext } from './end-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import {
  MAX_OCCURRENCES,
  occurrenceQuery,
  occurrenceSchema,
  PREVIEWED_OCCURRENCES,
  previewQuery,
  windowCreateSchema,
  windowListQuery,
  windowSchema,
  windowUpdateSchema,
} from './maintenance-schemas.js';
import { getWindow, listOccurrences, listWindows, previewOccurrences, type ShownWindow } from './read-windows.js';
import { updateWindow } from './update-window.js';

const READ = ['monitor.admin', 'monitor.read'] as const;
const WRITE = ['monitor.admin', 'monitor.write'] as const;
const tag = 'Maintenance windows';
const path = '/api/v1/maintenance-windows';

/** The ETag covers the configuration only, which time does not change. */
const answer = ({ window, configuration }: ShownWindow): ApiAnswer => ({ body: window, resource: configuration });

/** Maintenance windows over REST. */
export function maintenanceRoutes(deps: MaintenanceDeps): Route[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'listMaintenanceWindows',
      summary: 'List maintenance windows',
      description: 'Newest first.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: windowListQuery,
      list: true,
      answers: { 200: { description: 'A page of maintenance windows', schema: z.array(windowSchema) } },
      handle: async ({ actor, query: { page, pageSize, state } }) =>
        listAnswer(await listWindows(deps, actor, state ?? null, rowsOfPage({ page, pageSize }))),
    }),
    route({
      method: 'get',
      path: `${path}/{id}`,
      operationId: 'getMaintenanceWindow',
      summary: 'Get a maintenance window',
      description: 'The `ETag` covers the configuration only: it does not change with the state.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The maintenance window', schema: windowSchema } },
      handle: async ({ actor, params }) => answer(await getWindow(deps, actor, params.id)),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createMaintenanceWindow',
      audits: ['maintenance_window.created'],
      summary: 'Create a maintenance window',
      description:
        'While it covers a monitor, results are stored and `healthStatus` is what was measured, no incident opens and nobody is ' +
        'notified, and uptime leaves the time out. What still fails at its end opens an incident then. Each occurrence keeps its ' +
        'local time across daylight saving: a start that does not exist moves forward by the gap, one that exists twice is the ' +
        'first. A single window may begin up to 7 days in the past (Admin), which corrects uptime afterwards. At most 500 a workspace.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: windowCreateSchema,
      answers: { 201: { description: 'The maintenance window', schema: windowSchema } },
      faults: ['not_found', 'plan_limit_exceeded', 'insufficient_workspace_role'],
      async handle({ actor, body }) {
        const created = await createWindow(deps, actor, body);
        return { ...answer(created), status: 201, location: `${path}/${created.window.id}` };
      },
    }),
    route({
      method: 'put',
      path: `${path}/{id}`,
      operationId: 'updateMaintenanceWindow',
      audits: ['maintenance_window.updated'],
      summary: 'Change a maintenance window',
      description:
        'Fields that are left out keep their value. It takes effect at once, also on a running occurrence, which keeps its start ' +
        'and ends now where the new times do not contain it. Occurrences that ended stay as they were; a changed time brings ' +
        'skipped ones back. Moving a single window in the past, up to 7 days, needs the role Admin.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      body: windowUpdateSchema,
      answers: { 200: { description: 'The maintenance window as it is now', schema: windowSchema } },
      faults: ['insufficient_workspace_role'],
      handle: async ({ actor, params, body, checkPrecondition }) =>
        answer(await updateWindow(deps, actor, params.id, body, checkPrecondition)),
    }),
    route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteMaintenanceWindow',
      audits: ['maintenance_window.deleted'],
      summary: 'Delete a maintenance window',
      description: 'Ends a running occurrence. Uptime goes on leaving out what it covered until then.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 204: { description: 'It is gone' } },
      async handle({ actor, params, checkPrecondition }) {
        await deleteWindow(deps, actor, params.id, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      method: 'get',
      path: `${path}/{id}/occurrences`,
      operationId: 'listMaintenanceOccurrences',
      summary: 'List the occurrences of a maintenance window',
      description: `Those that overlap the period, in order, not paged: the first ${MAX_OCCURRENCES}.`,
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: occurrenceQuery,
      answers: { 200: { description: 'The occurrences', schema: z.array(occurrenceSchema) } },
      handle: async ({ actor, params, query }) => ({ body: await listOccurrences(deps, actor, params.id, query) }),
    }),
    route({
      method: 'get',
      path: '/api/v1/maintenance-preview',
      operationId: 'previewMaintenanceOccurrences',
      summary: 'Preview the occurrences of a maintenance window',
      description: `The first ${PREVIEWED_OCCURRENCES} from now on that a window with this schedule would have. Nothing is stored.`,
      tag,
      scopes: READ,
      role: 'Viewer',
      query: previewQuery,
      answers: { 200: { description: 'The occurrences, in order', schema: z.array(occurrenceSchema) } },
      handle: async ({ actor, query }) => ({ body: await previewOccurrences(deps, actor, query) }),
    }),
    route({
      method: 'post',
      path: `${path}/{id}/end`,
      operationId: 'endMaintenanceWindow',
      audits: ['maintenance_window.ended'],
      summary: 'End the running occurrence now',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 200: { description: 'The maintenance window as it is now', schema: windowSchema } },
      faults: ['not_active'],
      handle: async ({ actor, params }) => answer(await endWindow(deps, actor, params.id)),
    }),
    route({
      method: 'post',
      path: `${path}/{id}/skip-next`,
      operationId: 'skipMaintenanceOccurrence',
      audits: ['maintenance_window.occurrence_skipped'],
      summary: 'Skip the next occurrence',
      description: 'A `COUNT` is not made up for. `not_active` where no occurrence comes.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 200: { description: 'The maintenance window as it is now', schema: windowSchema } },
      faults: ['not_active'],
      handle: async ({ actor, params }) => answer(await skipNext(deps, actor, params.id)),
    }),
  ];
}
