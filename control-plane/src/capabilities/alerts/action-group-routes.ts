import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { idParam, pageQuery, rowsOfPage, uuid } from '../../platform/http/schemas.js';
import { actionGroupSchema, answerRevealed, revealedGroupSchemas } from './action-group-schemas.js';
import type { AlertDeps } from './alert-deps.js';
import { READ_ALERTS, WRITE_ALERTS } from './alert-scopes.js';
import { attachMonitor, detachMonitor } from './attach-monitor.js';
import { deleteActionGroup } from './delete-action-group.js';
import { getActionGroup, listActionGroups } from './read-action-groups.js';
import { rotateWebhookSecret } from './rotate-webhook-secret.js';

const tag = 'Action groups';
const attachmentParams = z.strictObject({ id: uuid, monitorId: uuid });

/** Action groups whatever their type, over REST. */
export function actionGroupRoutes(deps: AlertDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/action-groups',
      operationId: 'listActionGroups',
      summary: 'List action groups',
      description: 'Of all types, newest first, with how many monitors each is attached to.',
      tag,
      scopes: READ_ALERTS,
      role: 'Viewer',
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of action groups', schema: z.array(actionGroupSchema) } },
      async handle({ actor, query: { page, pageSize } }) {
        const { items, total } = await listActionGroups(deps, actor, {}, rowsOfPage({ page, pageSize }));
        return { body: items, total };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/action-groups/{id}',
      operationId: 'getActionGroup',
      summary: 'Get an action group of any type',
      tag,
      scopes: READ_ALERTS,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The action group', schema: actionGroupSchema } },
      handle: async ({ actor, params }) => ({ body: await getActionGroup(deps, actor, params) }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/action-groups/{id}',
      operationId: 'deleteActionGroup',
      summary: 'Delete an action group',
      description: 'Its monitors stay, and are without it; so do the defaults of the workspace.',
      tag,
      scopes: WRITE_ALERTS,
      role: 'Editor',
      params: idParam,
      answers: { 204: { description: 'It is gone' } },
      async handle({ actor, params, checkPrecondition }) {
        await deleteActionGroup(deps, actor, params.id, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/action-groups/{id}/monitors/{monitorId}',
      operationId: 'attachActionGroup',
      summary: 'Attach an action group to a monitor',
      description: 'Doing so again changes nothing.',
      tag,
      scopes: WRITE_ALERTS,
      role: 'Editor',
      params: attachmentParams,
      answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchema } },
      handle: async ({ actor, params }) => ({ body: await attachMonitor(deps, actor, params) }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/action-groups/{id}/monitors/{monitorId}',
      operationId: 'detachActionGroup',
      summary: 'Detach an action group from a monitor',
      description: '`If-Match` names the `ETag` of the action group.',
      tag,
      scopes: WRITE_ALERTS,
      role: 'Editor',
      params: attachmentParams,
      answers: { 204: { description: 'The monitor no longer has it' } },
      async handle({ actor, params, checkPrecondition }) {
        await detachMonitor(deps, actor, params, checkPrecondition);
        return { status: 204 };
      },
    }),
    rotateRoute(deps, '/api/v1/action-groups/{id}/rotate-secret', 'rotateActionGroupSecret'),
    rotateRoute(deps, '/api/v1/action-groups/webhook/{id}/rotate-secret', 'rotateWebhookActionGroupSecret'),
  ];
}

function rotateRoute(deps: AlertDeps, path: string, operationId: string): Route {
  return route({
    method: 'post',
    path,
    operationId,
    summary: 'Give a webhook a new signing secret',
    description:
      'The answer is the only one that shows it. What is sent within the next 24 h is signed with both it and the ' +
      'one before, so that receivers can follow.',
    tag,
    scopes: WRITE_ALERTS,
    role: 'Editor',
    params: idParam,
    answers: { 200: { description: 'The webhook with its new secret', schema: revealedGroupSchemas.webhook } },
    handle: async ({ actor, params }) => answerRevealed(await rotateWebhookSecret(deps, actor, params.id)),
  });
}
