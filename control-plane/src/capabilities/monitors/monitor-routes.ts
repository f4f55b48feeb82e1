import { z } from 'zod';
import { route, type ApiAnswer, type Route } from '../../platform/http/route.js';
import { isoTimestamp } from '../../platform/http/schemas.js';
import { bulkInput, bulkResultSchema } from './bulk-schemas.js';
import { changeMonitors } from './change-monitors.js';
import { createMonitor } from './create-monitor.js';
import { deleteMonitor } from './delete-monitor.js';
import { duePreviewQuery } from './heartbeat/due-preview-schemas.js';
import { previewDueTimes } from './heartbeat/preview-due-times.js';
import { rotatePingToken } from './heartbeat/rotate-ping-token.js';
import { getMonitor, type TaggedMonitor } from './get-monitor.js';
import { listMonitors, listTags } from './list-monitors.js';
import type { BulkDeps } from './monitor-deps.js';
import {
  monitorInputSchemas,
  monitorListQuery,
  monitorSchema,
  tagCountSchema,
  tagListQuery,
  type MonitorRules,
} from './monitor-schemas.js';
import { serviceGroupRoutes } from './service-groups/service-group-routes.js';
import { updateMonitor } from './update-monitor.js';

const READ = ['monitor.admin', 'monitor.read'] as const;
const WRITE = ['monitor.admin', 'monitor.write'] as const;
export const ACCESS = { read: { scopes: READ, role: 'Viewer' }, write: { scopes: WRITE, role: 'Editor' } } as const;
const tag = 'Monitors';
const PLAN_FAULTS = ['plan_limit_exceeded', 'feature_not_in_plan'] as const;

/** The ETag covers the configuration only, which results do not change. */
const answer = ({ monitor, configuration }: TaggedMonitor): ApiAnswer => ({ body: monitor, resource: configuration });
const createdAnswer = (created: TaggedMonitor): ApiAnswer => {
  return { ...answer(created), status: 201, location: `/api/v1/monitor/${created.monitor.id}` };
};

export function monitorRoutes(deps: BulkDeps, rules: MonitorRules): Route[] {
  const { create, update } = monitorInputSchemas(rules);
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor',
      operationId: 'listMonitors',
      summary: 'List monitors',
      description: 'By default newest first. Conditions narrow each other.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: monitorListQuery,
      list: true,
      answers: { 200: { description: 'A page of monitors', schema: z.array(monitorSchema) } },
      run: ({ actor, query: { sort, tag: tags, ...filter } }, rows) =>
        listMonitors(deps, actor, { ...filter, tags }, rows, sort),
    }),
    route({
      method: 'get',
      path: '/api/v1/tags',
      operationId: 'listTags',
      summary: 'List the tags of monitors',
      description: 'A tag exists as long as a monitor has it.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: tagListQuery,
      list: true,
      answers: { 200: { description: 'A page of tags', schema: z.array(tagCountSchema) } },
      run: ({ actor, query: { sort } }, rows) => listTags(deps, actor, sort, rows),
    }),
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}',
      operationId: 'getMonitor',
      summary: 'Get a monitor with its latest results',
      description: 'The `ETag` covers the configuration only: it does not change with results.',
      tag,
      scopes: READ,
      role: 'Viewer',
      answers: { 200: { description: 'The monitor', schema: monitorSchema } },
      handle: async ({ actor, params }) => answer(await getMonitor(deps, actor, params.id)),
    }),
    route({
      method: 'post',
      path: '/api/v1/monitor',
      operationId: 'createMonitor',
      audits: ['monitor.created'],
      summary: 'Create a monitor',
      description: 'Its first check is due at once. Paused and disabled monitors count towards the limit too.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: create,
      answers: { 201: { description: 'The monitor', schema: monitorSchema } },
      faults: [...PLAN_FAULTS, 'not_found', 'monitor_type_conflict'],
      handle: async ({ actor, body }) => createdAnswer(await createMonitor(deps, actor, body)),
    }),
    route({
      method: 'put',
      path: '/api/v1/monitor/{id}',
      operationId: 'updateMonitor',
      audits: ['monitor.updated'],
      summary: 'Change a monitor',
      description:
        'Fields that are left out keep their value. Where a check depends on what changed, one is due at once. ' +
        'Pausing or disabling closes open incidents. After a change to a smaller plan, types, regions and a timeout ' +
        'that it does not cover are kept while they are left out; naming them again is refused, and `details` contain ' +
        'the value that would be `accepted`.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: update,
      answers: { 200: { description: 'The monitor as it is now', schema: monitorSchema } },
      faults: [...PLAN_FAULTS, 'monitor_type_conflict'],
      handle: async ({ actor, params, body, checkPrecondition }) =>
        answer(await updateMonitor(deps, actor, params.id, body, checkPrecondition)),
    }),
    route({
      method: 'post',
      path: '/api/v1/monitor/{id}/heartbeat/rotate',
      operationId: 'rotateMonitorPingUrl',
      audits: ['monitor.secret_rotated'],
      summary: 'Give a heartbeat another ping URL',
      description: 'The former URL leads nowhere from then on. Where the monitor is no heartbeat: 404.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      answers: { 200: { description: 'The monitor with its new `heartbeat.pingUrl`', schema: monitorSchema } },
      handle: async ({ actor, params }) => answer(await rotatePingToken(deps, actor, params.id)),
    }),
    route({
      method: 'get',
      path: '/api/v1/heartbeat-preview',
      operationId: 'previewHeartbeat',
      summary: 'Preview the due times of a heartbeat',
      description:
        'When pings would be due by this rhythm, in UTC, at most 50 and within 40 years. By `every` each counts from the one before. ' +
        'Nothing is stored.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: duePreviewQuery,
      answers: { 200: { description: 'The due times, in order', schema: z.array(isoTimestamp) } },
      run: ({ actor, query }) => previewDueTimes(deps, actor, query),
    }),
    route({
      method: 'post',
      path: '/api/v1/monitor/bulk',
      operationId: 'changeMonitors',
      audits: [
        'monitor.updated',
        'monitor.deleted',
        'action_group.attached',
        'action_group.detached',
        'maintenance_window.updated',
      ],
      summary: 'Change or delete many monitors at once',
      description:
        'All or none, at most 500. Each is changed as by a request of its own: pausing and deleting close open incidents, resumed ' +
        'monitors are checked at once, the limit of the plan holds for all of them together, and each has its entry in the audit ' +
        'log. With an id that is no monitor of the workspace nothing changes. Monitors that are so already count as matched only. ' +
        'A dry run answers for up to 5,000, whose ids can then be sent by 500.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: bulkInput,
      answers: { 200: { description: 'What was changed, or would be', schema: bulkResultSchema } },
      faults: [...PLAN_FAULTS, 'not_found', 'monitor_type_conflict'],
      run: ({ actor, body }) => changeMonitors(deps, actor, body),
    }),
    route({
      method: 'delete',
      path: '/api/v1/monitor/{id}',
      operationId: 'deleteMonitor',
      audits: ['monitor.deleted'],
      summary: 'Delete a monitor',
      description: 'Closes its open incidents. They stay as history of the workspace; results are erased after a week.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      answers: { 204: { description: 'It is gone' } },
      run: ({ actor, params, checkPrecondition }) => deleteMonitor(deps, actor, params.id, checkPrecondition),
    }),
    ...serviceGroupRoutes(deps),
  ];
}
