import { resource } from '../../../platform/http/resource.js';
import { route, type Route } from '../../../platform/http/route.js';
import {
  actionGroupSchema,
  answerRevealed,
  groupMonitorSchema,
  revealedGroupSchemaOf,
} from './action-group-schemas.js';
import { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from '../../delivery/index.js';
import type { ActionGroup } from './action-group.js';
import { attachMonitor, detachMonitor } from './attach-monitor.js';
import { deleteActionGroup } from './delete-action-group.js';
import { getActionGroup, listActionGroups, listGroupMonitors } from './read-action-groups.js';
import { rotateWebhookSecret } from './rotate-webhook-secret.js';

const tag = 'Action groups';
const READ = { tag, scopes: READ_ALERTS, role: 'Viewer' } as const;
const WRITE = { tag, scopes: WRITE_ALERTS, role: 'Editor' } as const;

export function actionGroupRoutes(deps: AlertDeps): Route[] {
  const groups = resource<ActionGroup>({
    path: '/api/v1/action-groups',
    name: 'action group',
    tag,
    schema: actionGroupSchema,
    read: READ,
    write: WRITE,
  });
  return [
    groups.list({
      summary: 'List action groups',
      description: 'Lists groups of all types, newest first, with the number of monitors that each is attached to.',
      run: ({ actor }, rows) => listActionGroups(deps, actor, {}, rows),
    }),
    groups.get({
      summary: 'Get an action group of any type',
      run: ({ actor, params }) => getActionGroup(deps, actor, params),
    }),
    resource({
      path: '/api/v1/action-groups/{id}/monitors',
      name: 'monitor',
      tag,
      schema: groupMonitorSchema,
      read: READ,
      write: WRITE,
    }).list({
      operationId: 'listActionGroupMonitors',
      summary: 'List the monitors that an action group is attached to',
      description: 'By name.',
      run: ({ actor, params }, rows) => listGroupMonitors(deps, actor, params.id, rows),
    }),
    groups.delete({
      summary: 'Delete an action group',
      description: 'The group is removed from its monitors and from the defaults of the workspace.',
      run: ({ actor, params }) => deleteActionGroup(deps, actor, params),
    }),
    route({
      method: 'post',
      path: '/api/v1/action-groups/{id}/monitors/{monitorId}',
      operationId: 'attachActionGroup',
      audits: ['action_group.attached'],
      summary: 'Attach an action group to a monitor',
      description:
        'It is notified of the open incidents of the monitor, once and not during maintenance. Attaching it again changes nothing.',
      ...WRITE,
      answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchema } },
      run: ({ actor, params }) => attachMonitor(deps, actor, params),
    }),
    route({
      method: 'delete',
      path: '/api/v1/action-groups/{id}/monitors/{monitorId}',
      operationId: 'detachActionGroup',
      audits: ['action_group.detached'],
      summary: 'Detach an action group from a monitor',
      description: '`If-Match` takes the `ETag` of the action group.',
      ...WRITE,
      answers: { 204: { description: 'The group is detached from the monitor' } },
      run: ({ actor, params }) => detachMonitor(deps, actor, params),
    }),
    rotateRoute(deps, '/api/v1/action-groups/{id}/rotate-secret', 'rotateActionGroupSecret'),
    rotateRoute(deps, '/api/v1/action-groups/webhook/{id}/rotate-secret', 'rotateWebhookActionGroupSecret'),
  ];
}

function rotateRoute(
  deps: AlertDeps,
  path: `/api/v1/action-groups/${string}{id}/rotate-secret`,
  operationId: string,
): Route {
  return route({
    method: 'post',
    path,
    operationId,
    audits: ['action_group.secret_rotated'],
    summary: 'Give a webhook a new signing secret',
    description:
      'Only this answer contains the new secret. Messages are signed with both the new and the former secret for 24 h, ' +
      'so that receivers can switch.',
    ...WRITE,
    answers: { 200: { description: 'The webhook with its new secret', schema: revealedGroupSchemaOf('webhook') } },
    handle: async ({ actor, params }) => answerRevealed(await rotateWebhookSecret(deps, actor, params.id)),
  });
}
