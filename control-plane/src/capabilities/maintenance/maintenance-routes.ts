import { z } from 'zod';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import { createWindow } from './create-window.js';
import { deleteWindow, endWindow, skipNext } from './end-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import {
  calendarEntrySchema,
  calendarQuery,
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
import {
  getWindow,
  listOccurrences,
  listWindows,
  previewOccurrences,
  readCalendar,
  type ShownWindow,
} from './read-windows.js';
import { updateWindow } from './update-window.js';

const tag = 'Maintenance windows';
const path = '/api/v1/maintenance-windows';
export const ACCESS = {
  read: { scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' },
  write: { scopes: ['monitor.admin', 'monitor.write'], role: 'Editor' },
} as const;
const READ = { tag, ...ACCESS.read } as const;

export function maintenanceRoutes(deps: MaintenanceDeps): Route[] {
  const window = resource({
    path,
    name: 'maintenance window',
    tag,
    schema: windowSchema,
    ...ACCESS,
    // The ETag covers the configuration only, which time does not change.
    answer: (shown: ShownWindow) => ({ body: shown.window, resource: shown.configuration }),
  });
  return [
    window.list({
      summary: 'List maintenance windows',
      description: 'Newest first.',
      query: windowListQuery,
      run: ({ actor, query: { state } }, rows) => listWindows(deps, actor, state ?? null, rows),
    }),
    window.get({
      summary: 'Get a maintenance window',
      description: 'The `ETag` covers the configuration only: it does not change with the state.',
      run: ({ actor, params }) => getWindow(deps, actor, params.id),
    }),
    window.create({
      summary: 'Create a maintenance window',
      description:
        'While it covers a monitor, results are stored and `healthStatus` is what was measured, no incident opens and nobody is ' +
        'notified, and uptime leaves the time out. What still fails at its end opens an incident then. Each occurrence keeps its ' +
        'local time across daylight saving: a start that does not exist moves forward by the gap, one that exists twice is the ' +
        'first. A single window may begin up to 7 days in the past (Admin), which corrects uptime afterwards. At most 500 a workspace.',
      body: windowCreateSchema,
      faults: ['not_found', 'plan_limit_exceeded', 'insufficient_workspace_role'],
      run: ({ actor, body }) => createWindow(deps, actor, body),
    }),
    window.update({
      method: 'put',
      summary: 'Change a maintenance window',
      description:
        'Fields that are left out keep their value. It takes effect at once, also on a running occurrence, which keeps its start ' +
        'and ends now where the new times do not contain it. Occurrences that ended stay as they were; a changed time brings ' +
        'skipped ones back. Moving a single window in the past, up to 7 days, needs the role Admin.',
      body: windowUpdateSchema,
      faults: ['insufficient_workspace_role'],
      run: ({ actor, params, body }) => updateWindow(deps, actor, params.id, body),
    }),
    window.delete({
      summary: 'Delete a maintenance window',
      description: 'Ends a running occurrence. Uptime goes on leaving out what it covered until then.',
      run: ({ actor, params }) => deleteWindow(deps, actor, params.id),
    }),
    route({
      ...READ,
      method: 'get',
      path: `${path}/{id}/occurrences`,
      operationId: 'listMaintenanceOccurrences',
      summary: 'List the occurrences of a maintenance window',
      description: `Those that overlap the period, in order, not paged: the first ${MAX_OCCURRENCES}.`,
      query: occurrenceQuery,
      answers: { 200: { description: 'The occurrences', schema: z.array(occurrenceSchema) } },
      run: ({ actor, params, query }) => listOccurrences(deps, actor, params.id, query),
    }),
    route({
      ...READ,
      method: 'get',
      path: '/api/v1/maintenance-calendar',
      operationId: 'readMaintenanceCalendar',
      summary: 'List the occurrences of all maintenance windows',
      description: `For a calendar: those that overlap the range, in order, not paged: the first ${MAX_OCCURRENCES}.`,
      query: calendarQuery,
      answers: { 200: { description: 'The occurrences', schema: z.array(calendarEntrySchema) } },
      run: ({ actor, query }) => readCalendar(deps, actor, query),
    }),
    route({
      ...READ,
      method: 'get',
      path: '/api/v1/maintenance-preview',
      operationId: 'previewMaintenanceOccurrences',
      summary: 'Preview the occurrences of a maintenance window',
      description: `The first ${PREVIEWED_OCCURRENCES} from now on that a window with this schedule would have. Nothing is stored.`,
      query: previewQuery,
      answers: { 200: { description: 'The occurrences, in order', schema: z.array(occurrenceSchema) } },
      run: ({ actor, query }) => previewOccurrences(deps, actor, query),
    }),
    window.change({
      method: 'post',
      below: '/end',
      operationId: 'endMaintenanceWindow',
      audits: ['maintenance_window.ended'],
      summary: 'End the running occurrence now',
      faults: ['not_active'],
      run: ({ actor, params }) => endWindow(deps, actor, params.id),
    }),
    window.change({
      method: 'post',
      below: '/skip-next',
      operationId: 'skipMaintenanceOccurrence',
      audits: ['maintenance_window.occurrence_skipped'],
      summary: 'Skip the next occurrence',
      description: 'A `COUNT` is not made up for. `not_active` where no occurrence comes.',
      faults: ['not_active'],
      run: ({ actor, params }) => skipNext(deps, actor, params.id),
    }),
  ];
}
